"""The commands about a position: ``options``, ``unseen``, ``steps``, ``solve``, ``advise``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deduce.cli import proofs
from deduce.cli.ask import Ask, Look
from deduce.cli.endings import EXIT_INTERRUPTED, EXIT_NO, EXIT_UNDECIDED
from deduce.cli.numbers import MAX_SAMPLES, seconds_option, whole_option
from deduce.cli.output import end_with, json_option, print_answer, print_json, progress_bar
from deduce.errors import BadInput
from deduce.search import Limits, PimcResult, Solution, expectiminimax, maxn
from deduce.search import result as result_forms
from deduce.search import solve as solve_all
from deduce.show.jsonable import shares_json
from deduce.show.table import Table
from games.propre.cli import AS_SEAT, EPILOG, SEED, SET, STATE, make_rules, position
from games.propre.evidence import AnswerChances, Observation
from games.propre.game import OpenGame, game_from
from games.propre.notation import state_to_json
from games.propre.players import MAX_DEALS
from games.propre.players import advise as sample_advice
from games.propre.rules import Rules
from games.propre.setup import END, HIDDEN, Option, State, parse_cards
from games.propre.show import advice_text, answer_table, refusals, table_text, unseen_table
from games.propre.wording import explain, explain_card

__all__ = ["advise", "options", "solve", "steps", "unseen"]


@click.command("options", epilog=EPILOG)
@STATE
@click.option("--why", metavar="CARD", help="Explain why a card may or may not be played.")
@SET
@json_option
def options(state: str, *, why: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """List the options of the player on turn, and why the other cards are refused.

    \b
    Example:  deduce propre options 'hands 2H 6H / 6S AH; pile 9S AS; FC false'
              deduce propre options STATE --why 6H

    With --why the exit code is 0 if the card may be played, else 1.
    """  # noqa: D301
    known = position(state, settings)
    rules, here = known.rules, known.state
    if HIDDEN in here.hand:
        raise BadInput(f"the hand of seat {here.active}, who is on turn, must be known")
    legal = rules.options(here)
    playable = {option.card for option in legal if option.kind != "try"}
    cards = parse_cards(why) if why is not None else ()
    if why is not None and len(cards) != 1:
        raise click.UsageError("--why takes one card, such as 7D")
    refused = [card for card in dict.fromkeys(here.hand) if card not in playable]
    if as_json:
        reasons = {
            card: {
                option.kind: [{"paragraph": n.paragraph, "sentence": n.sentence} for n in failed]
                for option, failed in explain_card(rules, here, card).items()
                if failed
            }
            for card in (cards or refused)
        }
        print_json(
            {
                "schema": "deduce/propre-options/1",
                "state": state_to_json(here),
                "options": [option._asdict() for option in legal],
                "refused": reasons,
            }
        )
    elif why is not None:
        click.echo("\n".join(refusals(rules, here, cards[0])))
    else:
        click.echo(table_text(here))
        for option in legal:
            click.echo(f"  {option}")
        for card in refused:
            needs = [need for needs in explain_card(rules, here, card).values() for need in needs]
            click.echo(f"  {card} is refused: {'; '.join(dict.fromkeys(map(str, needs)))}")
        if not legal:
            click.echo(f"  no option: {explain(rules, here, END)[0].sentence}")
    if why is not None and cards[0] not in playable:
        end_with(EXIT_NO)


@click.command(epilog=EPILOG)
@STATE
@AS_SEAT
@SET
@json_option
def unseen(state: str, *, seat: int | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Show where the unseen cards may be, and how probably.

    \b
    Example:  deduce propre unseen 'hands 2H 5D 7C 9S TS JD KC / 7 / 3; pile 4H'
              deduce propre unseen game.jsonl --as 0

    A saved game includes its history: after a reshuffle, which cards were in hands and which were
    not. A bare state does not.
    """  # noqa: D301
    seen = position(state, settings).seen_from(seat)
    known = seen.knowledge if seen.groups else None
    document = {
        "schema": "deduce/propre-unseen/1",
        "seat": seen.me,
        "deals": str(known.count() if known else 1),
        "shares": shares_json(known.shares()) if known else {},
    }
    print_answer(document, [unseen_table(seen)], as_json=as_json)


@click.command(epilog=EPILOG)
@STATE
@AS_SEAT
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="CARD=PLACE",
    help="Show only what this fact needs. May be repeated.",
)
@SET
@json_option
def steps(
    state: str,
    *,
    seat: int | None,
    claims: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show how everything that is certain about unseen cards follows, step by step.

    \b
    Example:  deduce propre steps game.jsonl --as 0
              deduce propre steps game.jsonl --claim '7D=seat 1'

    After a reshuffle the unseen cards of that time were in hands, so that the places of cards often
    follow from the sizes of hands. Exit code 1: a --claim is not certain.
    """  # noqa: D301
    seen = position(state, settings).seen_from(seat)
    ask = Ask(seen.knowledge, Look("CARD", "PLACE"), "steps", as_json, state)
    if not proofs.steps(ask, claims, None):
        end_with(EXIT_NO)


MAX_STATES = 500_000
"""The default maximum of states that are solved: about a gigabyte."""
DEFAULT_DEPTH = 6
"""How many plies `solve` searches with chance or with more than two players."""


@click.command(epilog=EPILOG)
@click.argument("state", metavar="[STATE]", required=False, type=click.Path())
@click.option("--deal", metavar="CARDS", help="Deal these cards in this order instead.")
@whole_option(
    "--depth",
    low=1,
    metavar="D",
    default=DEFAULT_DEPTH,
    help="Plies to search with chance or more than two players.",
)
@whole_option(
    "--max-states", low=1, default=MAX_STATES, help="Give up after this number of states."
)
@seconds_option("--time-limit", help="Give up after this time.")
@SET
@json_option
def solve(
    state: str | None,
    *,
    deal: str | None,
    depth: int,
    max_states: int,
    time_limit: float | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Solve a position with open hands.

    \b
    Example:  deduce propre solve --deal '6H 2H 6S AH AS 2S' --set hand=2
              deduce propre solve 'hands 2H / 6S AH; pile AS; deck 2S; active 0'

    With two players and a known order of the deck, every state is solved by retrograde analysis,
    and a game that never ends is a draw. The pile is not reshuffled unless --set reshuffle=yes.
    Where cards are drawn by chance, or with more than two players, the options are searched --depth
    plies deep.

    Exit code 0: the value is proved; 4: it is not.
    """  # noqa: D301
    rules, here = _open_position(state, deal, settings)
    game = game_from(rules, here)
    solution: Solution[State, Option] | None = None
    with progress_bar("states") as advance:
        limits = Limits(max_states, time_limit, lambda states, _: advance(states))
        if type(game) is OpenGame and rules.players == 2:
            solution = solve_all(game, symmetric=True, limits=limits)
            result = solution.result()
        else:
            search = expectiminimax if game.players == 2 else maxn
            result = search(game, depth=depth, limits=limits)
    document, parts = result_forms.as_json(game, result), [result_forms.as_text(game, result)]
    if solution is not None:
        firsts = [value and value[0] for value in solution.values]
        counts = {"states": len(firsts), "won": [firsts.count(1), firsts.count(-1)]}
        document |= {"schema": "deduce/propre-solution/1", **counts, "drawn": firsts.count(0)}
        parts.append(
            f"states     {len(firsts)}: seat 0 wins {firsts.count(1)}, "
            f"seat 1 wins {firsts.count(-1)}, {firsts.count(0)} drawn"
        )
    print_answer(document, parts, as_json=as_json)
    if not result.proved:
        end_with(EXIT_INTERRUPTED if result.stopped == "interrupt" else EXIT_UNDECIDED)


def _open_position(
    state: str | None, deal: str | None, settings: Sequence[str]
) -> tuple[Rules, State]:
    settings = ["reshuffle=no", *settings]
    if (state is None) == (deal is None):
        raise click.UsageError("give either a STATE or --deal CARDS")
    if state is None:
        cards = parse_cards(deal or "")
        rules = make_rules(settings, deck=" ".join(cards))
        return rules, rules.deal(cards)
    known = position(state, settings)
    hidden = [seat for seat, hand in enumerate(known.state.hands) if HIDDEN in hand]
    if hidden:
        raise BadInput(
            f"the hand of seat {hidden[0]} is not known; solve needs open hands, advise does not"
        )
    return known.rules, known.state


@click.command(epilog=EPILOG)
@STATE
@AS_SEAT
@seconds_option("--time-limit", default=4.0, help="Seconds of sampling.")
@whole_option(
    "--worlds",
    low=1,
    high=MAX_SAMPLES,
    metavar="N",
    default=MAX_DEALS,
    help="The maximum number of sampled deals.",
)
@SEED
@SET
@json_option
def advise(
    state: str,
    *,
    seat: int | None,
    time_limit: float,
    worlds: int,
    seed: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compare the options of a player who does not see the other hands.

    \b
    Example:  deduce propre advise 'hands 2H 5D 7C 9S TS JD KC / 7; pile 4H'
              deduce propre advise game.jsonl --as 0

    Deals of the unseen cards are sampled exactly, each is searched with open hands, and the deals
    vote. The spread shows how much they disagree. A second table shows, for each option that leaves
    an attack, the exact probability that the next player can answer it. Ctrl-C ends the sampling
    and shows the answer so far.
    """  # noqa: D301
    seen = position(state, settings).seen_from(seat)
    with progress_bar("deals", worlds) as advance:
        advice = sample_advice(
            seen,
            seconds=time_limit,
            worlds=worlds,
            seed=seed,
            progress=lambda deals, _: advance(deals),
        )
    answers = seen.answers()
    lines = [advice_text(seen, advice), f"best: {advice.result.best_action}"]
    tables: list[str | Table] = ["", answer_table(answers)] if answers else []
    print_answer(_advice_json(seen, advice, answers), [*lines, *tables], as_json=as_json)


def _advice_json(
    seen: Observation,
    advice: PimcResult[State, Option],
    answers: Sequence[tuple[str, AnswerChances]],
) -> dict[str, object]:
    return {
        "schema": "deduce/propre-advice/1",
        "seat": seen.me,
        "worlds": advice.worlds,
        "stopped": advice.result.stopped,
        "best": [str(option) for option in advice.result.best_actions],
        "options": [
            {
                "option": str(option),
                "votes": str(ballot.votes),
                "mean": float(ballot.mean[seen.me]),
                "spread": float(ballot.spread),
                "least": float(ballot.least),
                "most": float(ballot.most),
            }
            for option, ballot in advice.ballots.items()
        ],
        "answers": [
            {
                "after": name,
                "seat": answer.seat,
                "AV": answer.attack_value,
                **{name: str(share) for name, share in answer.shares.items()},
            }
            for name, answer in answers
        ],
    }
