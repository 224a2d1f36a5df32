"""The commands of Cluedo: those of every hidden game, with a detective's sheet for the grid.

What only one command needs is imported when that command runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import evolve

from deduce.cli import Ask, GameCommands, Look, complete
from deduce.cli.generic import advice_options, turns_ahead
from deduce.cli.numbers import Real, whole_option
from deduce.cli.output import plot_option, usage
from deduce.cli.overview import answer_grid
from deduce.errors import Undecided
from deduce.estimates import EstimatedDistribution
from deduce.knowledge import Knowledge
from deduce.reasoning.distribution import Distribution
from deduce.show.jsonable import number_json, possible_json, shares_json
from deduce.show.sheet import Grid
from deduce.system.text import plural
from games.cluedo import REGISTRATION
from games.cluedo.game import game_of, viewer_of
from games.cluedo.show import (
    Solutions,
    deal_text,
    found_counts,
    share_of,
    sheet_table,
    solution_table,
    solutions,
)

__all__ = ["cluedo"]


EVENTS = """\
Type what happens, one event per line; names may be abbreviated as long as they are unambiguous:
  Ann: plum rope hall; Ben -; Cid shows rope   Ann suggests, Ben passes, Cid shows Rope
  Ann: plum rope hall -> Cid                   all up to Cid pass; Cid shows a card, not seen
  Ann: plum rope hall; nobody                  no player shows a card
  hand Ann: rope, hall, plum                   a complete hand
  Ben has rope | Ben has not rope | Ben has one of rope, hall
  Ann accuses plum rope hall: wrong
Ask for advice in some rooms only (advise hall, study), what an opponent knows (minds Ben), or which
card to show (show Ben: plum rope hall; Cid -). All commands:"""

LOOK = Look(
    variable="CARD",
    value="HOLDER",
    example="rope=Ann",
    log="game.cluedo",
    events=EVENTS,
    short={
        "show": "show-card",
        "advise": "advise --rooms",
        "minds": "minds --mind",
    },
    sheet=True,
    grid=sheet_table,
    world=deal_text,
)

cluedo = GameCommands(REGISTRATION, LOOK)
cluedo.commands.pop("grid")
for name, path, summary in (
    ("new", "cli.new:new", "Set up a game and write its log; asks for missing details."),
    ("play", "cli.play:play", "Play against programs, or watch them play."),
    ("players", "cli.tournament:players", "List the players of tournaments."),
    (
        "tournament",
        "cli.tournament:tournament",
        "Let programs play whole games against each other.",
    ),
    ("minds", "cli.opponents:minds", "Show what each opponent knows, certainly and possibly."),
    (
        "show-card",
        "cli.opponents:show_card",
        "Rank the cards that I may show after a suggestion, the least informative first.",
    ),
    (
        "accuse",
        "cli.opponents:accuse",
        "Show whether to accuse now or to wait, and how often each wins.",
    ),
):
    cluedo.add_lazy(name, f"games.cluedo.{path}", summary)


def _add_learning() -> None:
    """Let the command ``slips`` take several finished logs, to learn the rates from."""
    command = cluedo.commands["slips"]
    answer = command.callback
    assert answer is not None
    for param in command.params:
        if param.name == "log":
            param.nargs = -1
            param.required = True
    learn = click.Option(
        ["--learn"],
        is_flag=True,
        help="Learn the rates of slips from finished logs that determine all hands.",
    )
    command.params.insert(0, learn)
    help_ = "          deduce cluedo slips --learn LOG1 LOG2\n"
    command.help = (command.help or "").replace(
        "--limit 3 game.cluedo\n", f"--limit 3 game.cluedo\n{help_}"
    )

    def run(*, learn: bool, log: tuple[str, ...], **values: Any) -> None:
        if learn:
            from games.cluedo.cli.slips import learned

            learned(log, as_json=values["as_json"])
        elif len(log) != 1:
            raise click.UsageError("name one LOG; several are for --learn")
        else:
            answer(log=log[0], **values)

    command.callback = run


_add_learning()


@cluedo.on_log("sheet")
@click.option("--shares", is_flag=True, help="Show shares of deals instead of the posterior.")
@click.option(
    "--mind",
    metavar="PLAYER",
    shell_complete=complete.players,
    help="Show what this opponent certainly knows instead.",
)
@plot_option
def sheet(ask: Ask, *, shares: bool, mind: str | None, plot: Path | None) -> None:
    r"""Show the detective's sheet: every card against every holder.

    \b
    Example:  deduce cluedo sheet LOGFILE
              deduce cluedo sheet --as public --upto 12 LOGFILE
              deduce cluedo sheet --plot sheet.png LOGFILE

    A cell is yes, - (no), or the probability that the holder has the card: the posterior, in which
    a player who could have shown several cards showed each with the same probability; with
    --shares, the share of the deals that remain possible. Below: how many cards of each holder are
    found, and the most probable solutions. Another name of this command is grid.

    With --mind, yes and - are what another player certainly knows in every deal: from what is
    public, from the cards shown between them and me, and from their cards that are certain to me.
    Everything else is open, because I do not know everything that they have seen; "minds" shows
    what they may know.
    """
    if mind is not None:
        if shares or plot:
            raise click.UsageError("--mind shows no percentages: leave out --shares and --plot")
        _answer_mind(ask, mind)
        return
    knowledge = ask.knowledge

    def document(grid: Grid) -> dict[str, Any]:
        return {
            "deals": number_json(ask.number(knowledge.count)),
            "possible": possible_json(grid.possible),
            "found": found_counts(game_of(knowledge), grid.possible),
            "shares": shares_json(ask.number(knowledge.shares)),
            "posterior": shares_json(ask.number(knowledge.posterior)),
            "solutions": _ranked_if_decided(ask),
        }

    answer_grid(ask, document, shares=shares, plot=plot)


def _answer_mind(ask: Ask, name: str) -> None:
    """Answer with what an opponent certainly knows."""
    from games.cluedo.cli.opponents import player_named
    from games.cluedo.opponents.opponent import Opponent

    player = player_named(ask.knowledge, name, "--mind")
    with usage("--mind"):
        opponent = Opponent.of(ask.knowledge, player)
    surely = opponent.sure()
    possible = surely.possible()
    document = {
        "mind": player,
        "possible": possible_json(possible),
        "found": found_counts(game_of(surely), possible),
    }
    me, events = viewer_of(ask.knowledge), plural(len(ask.knowledge.log), "event")
    by = f"as far as {me} can tell" if me else "as far as all players can tell"
    title = f"What {player} certainly knows, {by}, after {events}"
    note = f"? = open; {player} may know more from the own hand and the cards shown there"
    table = sheet_table(surely, Grid(possible))
    ask.answer(document, evolve(table, title=title, notes=(note,)))


@cluedo.on_log("solution")
@whole_option("--limit", low=1, default=10, help="How many to show.")
def solution(ask: Ask, *, limit: int) -> bool:
    r"""Rank the solutions by their probability, and show their shares of the deals.

    \b
    Example:  deduce cluedo solution --limit 5 LOGFILE

    Exit code 0: the solution is certain. 1: several are possible.
    """
    posterior, shares = ask.number(solutions, ask.knowledge)
    document: dict[str, Any] = {}
    if ask.json:
        document = {"solutions": _ranked((posterior, shares), limit), "possible": len(posterior)}
        if isinstance(posterior, EstimatedDistribution):
            document |= {"exact": False, "unseen": posterior.unseen}
        else:
            document["entropy_bits"] = posterior.entropy()
    ask.answer(document, solution_table(posterior, shares, limit))
    return len(posterior) == 1 and isinstance(posterior, Distribution)


@cluedo.on_log("guilty")
def guilty(ask: Ask) -> bool:
    r"""Show the probability of the guilty cards by simple rules, and the exact one.

    \b
    Example:  deduce cluedo guilty LOGFILE
              deduce cluedo guilty --as ben LOGFILE

    The simple rules are those of the simple players of tournaments: the cards that they leave in
    each category may be guilty, and all combinations of these count the same. They are sound but
    exclude too little, so the exact probability of the best solution is usually higher.

    Exit code 0: the simple rules are certain. 1: they leave several solutions.
    """
    from games.cluedo.players.simple import guilty_table, simple_rules

    sheet = simple_rules(ask.knowledge)
    candidates = sheet.candidates()
    document: dict[str, Any] = {}
    if ask.json:
        document = {
            "candidates": {category: list(cards) for category, cards in candidates.items()},
            "simple_solutions": sheet.count(),
            "score": str(sheet.score),
            "solution": [card for (card,) in candidates.values()] if sheet.count() == 1 else None,
            "exact": _ranked(ask.number(solutions, ask.knowledge), 1)[0],
        }
    ask.answer(document, guilty_table(ask.knowledge, sheet))
    return sheet.count() == 1


@cluedo.on_log("advise")
@click.option(
    "--rooms", metavar="CARDS", help="Only these cards of the last category: 'hall, study'."
)
@click.option(
    "--penalty",
    type=Real(0),
    metavar="WEIGHT",
    help="Subtract WEIGHT times the information that the answer gives others; 0: only state it.",
)
@advice_options("deals")
def suggestions(
    ask: Ask,
    *,
    rooms: str | None,
    penalty: float | None,
    uniform: bool,
    samples: int | None,
    seed: int,
    limit: int,
    turns: int,
) -> None:
    r"""Rank my suggestions by the information that their answers are expected to give.

    \b
    Example:  deduce cluedo advise LOGFILE
              deduce cluedo advise --rooms 'hall, study' --limit 5 LOGFILE
              deduce cluedo advise --penalty 0.5 LOGFILE

    A suggestion is worth the bits of information about the solution that its answer is expected to
    give. Every answer counts with its probability: which player shows first, in seat order, and
    which card I would see, or that no player shows; a player with several of the cards shows each
    with the same probability. Below the ranking is the uncertainty that each answer to the first
    suggestion would leave. With --turns 2 the best suggestions are rated two turns ahead, together
    with my best next suggestion in any room. With --penalty, what the others learn from who passes
    and who shows counts against a suggestion: by how many bits the uncertainty of a bystander, who
    sees only what is public, is expected to fall.
    """
    from games.cluedo.advice import advice_json, advice_tables, advise, told_sentence

    knowledge = ask.knowledge
    samples = ask.samples(samples)
    options: dict[str, Any] = {"weighted": not uniform, "samples": samples, "seed": seed}
    with usage():
        named = _cards_of_last(knowledge, rooms)
        advice = advise(knowledge, rooms=named, penalty=penalty, estimate=samples != 0, **options)
    ranking = ((rated.inquiry, rated.gain_bits) for rated in advice.ranking)
    ahead, lines = turns_ahead(knowledge, ranking, turns, **options)
    document = advice_json(advice, limit) | {"numbers": "shares" if uniform else "posterior"}
    sentence = told_sentence(advice)
    told = [f"\n{sentence}"] if sentence else []
    ask.answer(document | ahead, *advice_tables(advice, limit, knowledge), *told, *lines)


def _cards_of_last(knowledge: Knowledge, typed: str | None) -> tuple[str, ...] | None:
    """Return the cards of the last category that are typed, or ``None`` for all."""
    from games.cluedo.names import Names, tokens

    if typed is None:
        return None
    category, cards = list(game_of(knowledge).deck.items())[-1]
    with usage("--rooms"):
        named = tuple(name for name, _ in Names(category, cards).split(tokens(typed)))
    if not named:
        raise click.BadParameter(f"no {category} is named", param_hint="'--rooms'")
    return named


def _ranked_if_decided(ask: Ask) -> list[dict[str, Any]] | None:
    """Return the ranked solutions; with doubts ``None`` where the budget is not sufficient."""
    try:
        return _ranked(ask.number(solutions, ask.knowledge), None)
    except Undecided:
        if ask.knowledge.doubts is None:
            raise
        return None


def _ranked(both: tuple[Solutions, Solutions], limit: int | None) -> list[dict[str, Any]]:
    posterior, shares = both
    return [
        {
            "cards": list(triple),
            "posterior": number_json(posterior[triple]),
            "share": number_json(share_of(shares, triple)),
        }
        for triple in list(posterior)[:limit]
    ]
