"""The views of proofs: paragraphs, numbered lines, HTML in which large steps unfold, and JSON.

`deduce.system.display` imports this module when a proof is first shown. In a notebook the cells
that a step fills light up. There is no script and no style sheet, so it works in a saved notebook
as well. Claims in JSON are as ``deduce GAME why`` reads them, with full names.

A puzzle is one sheet to print: question, events, empty sheet; on the back the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from itertools import groupby
from string import Template

from attrs import evolve

from deduce.constraints import Fact, Value, Variable, Weigh
from deduce.errors import DeduceError, Unsupported
from deduce.game import Recorded, Shown, Written, hook
from deduce.knowledge import Knowledge
from deduce.line_game import LineGame
from deduce.logs.claims import format_claim
from deduce.logs.events import event_line
from deduce.logs.problem_json import write_problem
from deduce.logs.reading import write
from deduce.problem import Evidence, Problem, World
from deduce.show.jsonable import why_json, world_json
from deduce.show.sheet import groups
from deduce.show.svg import shade
from deduce.show.table import CELL, CERTAIN, EXCLUDED, row_html, table_html, text_html
from deduce.show.views import world_text
from deduce.steps.proof import Proof, ProofStep, Suppose
from deduce.steps.puzzle import Puzzle, choices_of
from deduce.steps.tutor import LEVELS, Hint, Judgement, MarkVerdict, summary
from deduce.steps.words import conclusion, say_facts
from deduce.system.display import register
from deduce.system.language import Texts, listed
from deduce.system.registry import find, rules_text
from deduce.system.text import capital, first_words, name_of, visible

__all__ = [
    "answers_json",
    "answers_line",
    "facts_of",
    "hint_json",
    "inner_sentences",
    "judgement_html",
    "judgement_json",
    "judgement_text",
    "paragraphs",
    "proof_html",
    "proof_json",
    "proof_text",
    "puzzle_html",
    "puzzle_page",
    "puzzle_title",
    "solution_html",
    "step_json",
    "steps_html",
    "verdict_lines",
]


_say = Texts()

MAX_RULES = 12
"""A printed puzzle lists so few rules; of more, the set-up is shown instead."""


def paragraphs(proof: Proof) -> Iterator[tuple[str, tuple[ProofStep, ...]]]:
    """Yield the steps in a few sentences each; neighbours with the same reason are taken together.

    What one event states is one paragraph; neighbouring events that state the same about different
    variables are taken together as well.
    """
    groups = [tuple(group) for _, group in groupby(proof, key=_group_key)]
    for alike, neighbours in groupby(groups, key=_stated_alike):
        several = list(neighbours)
        if alike is not None and len(several) >= MANY:
            taken = tuple(step for group in several for step in group)
            events = _ranges(list(dict.fromkeys(step.events[0] for step in taken)))
            said = say_facts(proof.knowledge, facts_of(taken))
            yield _say("steps.events", numbers=events, claims=said), taken
        else:
            for group in several:
                yield _sentence(proof.knowledge, group), group


MANY = 3
"""From this number of neighbouring events on, what they state alike is one paragraph."""


def _stated_alike(group: Sequence[ProofStep]) -> object:
    """Return what an event states about all its variables alike; ``None``: different things."""
    kinds = {(fact.negated, fact.values) for fact in facts_of(group)}
    return kinds.pop() if group[0].given and group[0].events and len(kinds) == 1 else None


def _ranges(numbers: Sequence[int]) -> str:
    """Return increasing numbers as text, three or more in a row as a range.

    >>> _ranges([1, 2, 3, 5, 6, 9])
    '1 to 3, 5, 6 and 9'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts: list[str] = []
    for run in runs:
        if len(run) > 2:
            parts.append(_say("steps.range", first=str(run[0]), last=str(run[-1])))
        else:
            parts += map(str, run)
    return listed(parts)


def _group_key(step: ProofStep) -> tuple[object, ...]:
    if step.given:
        return (True, step.events, step.rules)
    if step.suppose is not None:
        return (False, step.claim)
    return (step.claim is None, *step.reason)


def inner_sentences(knowledge: Knowledge, suppose: Suppose) -> Iterator[tuple[str, Suppose | None]]:
    """Yield the steps within a supposition, each with the supposition that it rests on."""
    for _, group in groupby((*suppose.steps, suppose.contradiction), key=_group_key):
        alike = tuple(group)
        yield _sentence(knowledge, alike), alike[0].suppose


def _sentence(knowledge: Knowledge, group: Sequence[ProofStep]) -> str:
    first = group[0]
    facts = facts_of(group)
    if first.given:
        number = str(first.events[0]) if first.events else ""
        where = _say("steps.at", number=number) if number else ""
        said = list(dict.fromkeys(step.because.removesuffix(where) for step in group))
        start = _say("steps.event", number=number) if number else ""
        if len(group) > 1 and len(said) == len(group):
            return f"{start}{capital(listed(said))}."
        claims = say_facts(knowledge, facts)
        stated = listed(said)
        end = "" if stated == claims else f": {claims}"
        return f"{start}{capital(stated)}{end}."
    if len(group) == 1:
        return first.text
    return conclusion(first.because, say_facts(knowledge, facts))


def facts_of(group: Sequence[ProofStep]) -> list[Fact]:
    """Return what a paragraph claims, as far as these are facts and not disjunctions."""
    return [step.claim for step in group if isinstance(step.claim, Fact)]


MAX_ROWS = 30
"""Steps about more variables have no sheet."""

Marks = dict[Variable, dict[Value, bool]]
"""What is known: for each variable and value, whether the variable has it."""


def proof_html(proof: Proof) -> str:
    """Return a proof as a numbered list of conclusions, each of which unfolds.

    What unfolds is the reason, and the sheet as far as the step is about it: what was known before,
    and lit up what the step adds.
    """
    if not proof.steps:
        return f"<p>{_say('steps.nothing')}</p>"
    knowledge = proof.knowledge
    known: Marks = {}
    for fact in proof.marks:
        _mark(knowledge, known, fact)
    items = []
    for text, group in paragraphs(proof):
        facts = facts_of(group)
        first = group[0]
        cited = [fact for step in group for fact in step.earlier]
        before = {variable: dict(row) for variable, row in known.items()}
        for fact in facts:
            _mark(knowledge, known, fact)
        variables = dict.fromkeys(fact.variable for fact in (*cited, *facts))
        said = say_facts(knowledge, facts) if facts else ""
        if not said and first.claim is not None:
            said = knowledge.say(first.claim)
        sheet = _sheet(knowledge, variables, before, known)
        items.append(
            f"<li><details><summary>{text_html(said)} <em>({text_html(first.pattern)})</em>"
            f"</summary><p>{text_html(text)}</p>{_suppose_html(knowledge, first.suppose)}{sheet}"
            "</details></li>"
        )
    return f"<ol>{''.join(items)}</ol>"


def _suppose_html(knowledge: Knowledge, suppose: Suppose | None) -> str:
    """Return a supposition, which unfolds to its steps; ``None``: nothing."""
    if suppose is None:
        return ""
    claims = listed([knowledge.say(claim) for claim in suppose.claims])
    items = [
        f"<li>{text_html(text)}{_suppose_html(knowledge, inner)}</li>"
        for text, inner in inner_sentences(knowledge, suppose)
    ]
    summary = f"<summary>{text_html(_say('tutor.suppose', claims=claims))}</summary>"
    return f"<details>{summary}<ul>{''.join(items)}</ul></details>"


def _mark(knowledge: Knowledge, known: Marks, fact: Fact) -> None:
    """Add what a fact states to what is known."""
    row = known.setdefault(fact.variable, {})
    allowed = knowledge.problem.values_of(fact)
    for value in knowledge.problem.domains[fact.variable]:
        if value not in allowed:
            row[value] = False
        elif len(allowed) == 1:
            row[value] = True


def _sheet(knowledge: Knowledge, variables: Iterable[Variable], before: Marks, now: Marks) -> str:
    """Return the rows of some variables; what was not known before is lit up."""
    domains = knowledge.problem.domains
    chosen = list(variables)
    if not 0 < len(chosen) <= MAX_ROWS:
        return ""
    values = list(dict.fromkeys(value for variable in chosen for value in domains[variable]))
    rows = []
    for variable in chosen:
        old, row = before.get(variable, {}), now.get(variable, {})
        cells = []
        for value in values:
            mark = {True: "\u2713", False: "\u2717", None: ""}[row.get(value)]
            if value not in domains[variable]:
                mark = "-"
            lit = value in row and value not in old
            style = f"background-color:{shade(1)};{CERTAIN}" if lit else EXCLUDED
            cells.append(f'<td style="{CELL}text-align:center;{style}">{mark}</td>')
        rows.append(row_html(name_of(variable), cells))
    return table_html("", ["", *map(name_of, values)], rows, [])


def proof_json(proof: Proof) -> dict[str, object]:
    """Return a proof: what it is about, its steps in order, and the marks that it starts from.

    ``problem`` is ``None`` where it has no form in JSON.
    """
    problem = proof.knowledge.problem
    about: dict[str, object] | None = None
    with suppress(Unsupported):
        about = write_problem(problem)
    return {
        "problem": about,
        "steps": steps_json(proof),
        "marks": [format_claim(problem, mark) for mark in proof.marks],
    }


def steps_json(proof: Proof) -> list[dict[str, object]]:
    """Return the steps of a proof in order."""
    return [step_json(proof.knowledge.problem, step) for step in proof]


def step_json(problem: Problem, step: ProofStep) -> dict[str, object]:
    """Return a step with all its fields; see `deduce.steps.ProofStep`.

    ``claim`` is ``None`` for the contradiction that ends a supposition.
    """
    return {
        "claim": None if step.claim is None else format_claim(problem, step.claim),
        "events": list(step.events),
        "from": [format_claim(problem, claim) for claim in step.earlier],
        "rules": list(step.rules),
        "pattern": step.pattern,
        "text": step.text,
        "cost": step.cost,
        "cheapest": step.cheapest,
        "given": step.given,
        "suppose": None if step.suppose is None else _suppose_json(problem, step.suppose),
    }


def judgement_json(judgement: Judgement) -> dict[str, object]:
    """Return what can be said of a sheet; ``missed`` has the form of a proof's steps."""
    problem = judgement.knowledge.problem
    return {
        "marks": [
            {
                "claim": format_claim(problem, mark.claim),
                "verdict": mark.verdict,
                "why": None if mark.why is None else why_json(mark.why),
                "witness": world_json(mark.witness),
            }
            for mark in judgement.marks
        ],
        "missed": steps_json(judgement.missed),
    }


def hint_json(hint: Hint | None, level: int) -> dict[str, object]:
    """Return a hint with no more than a level gives away; without a hint, ``text`` is ``None``."""
    if hint is None:
        return {"level": level, "text": None, "unproved": 0}
    document: dict[str, object] = {
        "level": level,
        "text": [hint.text(number) for number in LEVELS if number <= level],
        "unproved": hint.unproved,
    }
    problem, step = hint.knowledge.problem, hint.steps[0]
    if level > 1:
        document |= {
            "events": list(step.events),
            "from": [format_claim(problem, claim) for claim in step.earlier],
            "rules": list(step.rules),
            "pattern": step.pattern,
        }
    if level > 2:
        document["steps"] = [step_json(problem, step) for step in hint.steps]
    return document


def _suppose_json(problem: Problem, suppose: Suppose) -> dict[str, object]:
    return {
        "claims": [format_claim(problem, claim) for claim in suppose.claims],
        "steps": [step_json(problem, step) for step in suppose.steps],
        "contradiction": step_json(problem, suppose.contradiction),
    }


def proof_text(proof: Proof) -> str:
    """Return a proof as numbered lines, with the suppositions of large steps below them."""
    if not proof.steps:
        return _say("steps.nothing")
    lines: list[str] = []
    for number, (text, group) in enumerate(paragraphs(proof), start=1):
        lines.append(f"{number}. {text}")
        if group[0].suppose is not None:
            lines += _suppose_lines(proof.knowledge, group[0].suppose, "   ")
    return visible("\n".join(lines))


def _suppose_lines(knowledge: Knowledge, suppose: Suppose, indent: str) -> Iterator[str]:
    claims = listed([knowledge.say(claim) for claim in suppose.claims])
    yield f"{indent}{_say('tutor.suppose', claims=claims)}."
    for text, inner in inner_sentences(knowledge, suppose):
        yield f"{indent}- {text}"
        if inner is not None:
            yield from _suppose_lines(knowledge, inner, indent + "  ")


def steps_html(proof: Proof) -> str:
    """Return a proof as a numbered list, in which the suppositions of large steps unfold."""
    if not proof.steps:
        return f"<p>{_say('tutor.nothing')}</p>"
    items = [
        f"<li>{text_html(text)}{_suppose_html(proof.knowledge, group[0].suppose)}</li>"
        for text, group in paragraphs(proof)
    ]
    return f'<ol class="steps">{"".join(items)}</ol>'


def judgement_text(judgement: Judgement, world: Callable[[Knowledge, World], str]) -> str:
    """Return what can be said of a sheet: a line for each mark, then what was missed.

    Parameters
    ----------
    judgement
        What is shown.
    world
        Returns a world as a line.
    """
    lines = verdict_lines(judgement.knowledge, judgement.marks, world)
    lines.append(summary(judgement))
    if not judgement.is_complete:
        lines += [_say("judge.missed"), proof_text(judgement.missed)]
    return visible("\n".join(lines))


def verdict_lines(
    knowledge: Knowledge,
    marks: Iterable[MarkVerdict],
    world: Callable[[Knowledge, World], str],
) -> list[str]:
    """Return the lines of the marks: what can be said of each, and why.

    Parameters
    ----------
    knowledge
        What is known.
    marks
        The marks with their verdicts.
    world
        Returns a world as a line.
    """
    lines = []
    for mark in marks:
        said = knowledge.say(mark.claim)
        if mark.verdict == "proved":
            lines.append(_say("judge.proved", claim=said))
        elif mark.why is not None:
            lines.append(_say("judge.wrong", claim=said))
            lines += [f"  {line}" for line in str(mark.why).splitlines()[1:]]
        elif mark.witness is not None:
            lines.append(_say("judge.open", claim=said))
            lines.append(f"  {world(knowledge, mark.witness)}")
    return lines


def judgement_html(judgement: Judgement) -> str:
    """Return what can be said of a sheet, with what was missed as a proof."""
    text = judgement_text(evolve(judgement, missed=Proof(judgement.knowledge, ())), world_text)
    return f"<pre>{text_html(text)}</pre>{proof_html(judgement.missed)}"


def puzzle_html(puzzle: Puzzle) -> str:
    """Return the question, the rules, the events in words, and an empty sheet.

    If the game draws its log, that is shown as well; where there are only two values, marks can be
    written in it, and there is no other sheet. The picture of a `LineGame` shows what is known,
    so it is left out.
    """
    knowledge = puzzle.knowledge
    draw = hook(knowledge.game, Shown.svg)
    if isinstance(knowledge.game, LineGame):
        draw = None
    picture = "" if draw is None else f"<div>{draw(knowledge)}</div>"
    values = {value for domain in knowledge.problem.domains.values() for value in domain}
    sheet = "" if picture and len(values) <= 2 else _empty_sheet(knowledge)
    asked = "".join(f"<li>{text_html(question)}</li>" for question in _questions(knowledge))
    listed_events = "".join(f"<li>{text_html(event)}</li>" for event in _events(knowledge))
    legend = "<p>Mark a cell with &#10003; if it is so and with &minus; if it is impossible.</p>"
    return (
        f'<ul>{asked}</ul>{_setting(knowledge)}<div class="work"><div>{picture}'
        f"<p>What happened:</p><ol>{listed_events}</ol></div>"
        f"<div>{sheet and legend}{sheet}</div></div>"
    )


def _questions(knowledge: Knowledge) -> Iterator[str]:
    """Yield the questions of the game, such as "Which of Rope or Dagger is in the envelope?"."""
    questions = hook(knowledge.game, Shown.questions)
    asked = [] if questions is None else list(questions())
    variables = [question for question in asked if not isinstance(question, Mapping)]
    if questions is None or len(variables) == len(knowledge.problem.domains):
        yield "Find everything: one value for each row or cell."
        return
    for question in asked:
        answers = choices_of(knowledge, question)
        about = {fact.variable for facts in answers for fact in facts}
        if isinstance(question, Mapping) and len(about) == 1:
            yield f"Is {name_of(about.pop())} {listed(list(map(str, question)), 'or')}?"
            continue
        options = [say_facts(knowledge, facts) for facts in answers]
        start, end = first_words(options), _backwards(first_words(map(_backwards, options)))
        rest = [each.removeprefix(start).removesuffix(end).strip() for each in options]
        lead = f"{capital(start)} ..." if start else "Which of" if end else "Which is true:"
        yield f"{lead} {listed(rest, 'or')} {end}".strip() + "?"


def _backwards(text: str) -> str:
    return " ".join(reversed(text.split()))


def _setting(knowledge: Knowledge) -> str:
    """Return whose view it is and the rules in words, or the set-up where they are too many."""
    viewer = hook(knowledge.game, Recorded.me, None)
    lines = [f"You are {viewer}."] if viewer else []
    rules = list(dict.fromkeys(rule.sentence for rule in knowledge.problem.rules))
    if all(rules) and len(rules) <= MAX_RULES:
        lines += [f"{capital(rule)}." for rule in rules]
    setup = write(knowledge.upto(0)).strip()
    if lines or setup.startswith("{"):
        return f"<p>{text_html(' '.join(lines))}</p>" if lines else ""
    return f"<pre>{text_html(setup)}</pre>"


def _events(knowledge: Knowledge) -> Iterator[str]:
    """Yield what each event shows, in words; its line of the log where the game has no words."""
    shown: dict[int | None, list[Evidence]] = {}
    for piece in knowledge.problem.evidence:
        if not isinstance(piece.constraint, Weigh):
            shown.setdefault(piece.event, []).append(piece)
    for number, event in enumerate(knowledge.log, start=1):
        pieces = shown.get(number, [])
        sentences = list(dict.fromkeys(piece.sentence for piece in pieces))
        if not all(sentences) or not pieces:
            yield event_line(knowledge.game, event)
            continue
        if len(sentences) > 2:
            facts = [piece.constraint for piece in pieces if isinstance(piece.constraint, Fact)]
            others = (p.sentence for p in pieces if not isinstance(p.constraint, Fact))
            said = [say_facts(knowledge, facts)] if facts else []
            sentences = [*said, *dict.fromkeys(others)]
        yield f"{capital('; '.join(sentences))}."


def _empty_sheet(knowledge: Knowledge) -> str:
    """Return the empty sheet: the game's own cells, or variables against values.

    Where the questions are variables, the others are left out.
    """
    game, domains = knowledge.game, knowledge.problem.domains
    questions = hook(game, Shown.questions)
    asked = [] if questions is None else [q for q in questions() if not isinstance(q, Mapping)]
    own = hook(game, Shown.shown_cells)
    board = None if own is None else own(knowledge.log)
    if board is None and asked and isinstance(game, LineGame):
        board = game.pictured(knowledge.log)
    parts: dict[str, Mapping[str, Collection[object]]] = {"": board} if board else {}
    if not board:
        for heading, variables in groups(knowledge).items():
            shown = [each for each in variables if each in (asked or domains)]
            parts[str(heading)] = {name_of(each): domains[each] for each in shown}
    columns = list(
        dict.fromkeys(c for rows in parts.values() for row in rows.values() for c in row)
    )
    head = "".join(f"<th>{text_html(name_of(column))}</th>" for column in columns)
    lines = []
    for heading, rows in parts.items():
        if heading and rows:
            span = f'<th colspan="{len(columns) + 1}"><em>{text_html(heading)}</em></th>'
            lines.append(f"<tr>{span}</tr>")
        for name, row in rows.items():
            cells = "".join("<td></td>" if c in row else "<td>-</td>" for c in columns)
            lines.append(f"<tr><th>{text_html(name)}</th>{cells}</tr>")
    top = f"<thead><tr><th></th>{head}</tr></thead>"
    return f"<table>{top}<tbody>{''.join(lines)}</tbody></table>"


register(Hint, text=lambda value: value.where)
register(Proof, text=proof_text, html=proof_html)
register(Puzzle, text=lambda value: value.text, html=puzzle_html)
register(Judgement, text=lambda value: judgement_text(value, world_text), html=judgement_html)


def puzzle_title(puzzle: Puzzle) -> str:
    """Return the heading of a puzzle: game, grade and seed."""
    game = puzzle.knowledge.game
    name = hook(game, Written.name, type(game).__name__)
    return f"{name.capitalize()} puzzle, grade {puzzle.grade.level} (seed {puzzle.seed})"


def answers_line(puzzle: Puzzle) -> str:
    """Return the answers as the game says them."""
    return say_facts(puzzle.knowledge, puzzle.answers)


def solution_html(puzzle: Puzzle) -> str:
    """Return the answers and the steps that lead to them."""
    answers = text_html(answers_line(puzzle))
    grade = text_html(f"{puzzle.grade}"[:1].upper() + f"{puzzle.grade}"[1:])
    steps = steps_html(puzzle.proof).replace("<details>", "<details open>")
    return f"<p><strong>{answers}.</strong> {grade}.</p>{steps}"


def puzzle_page(puzzle: Puzzle) -> str:
    """Return one sheet to print: the puzzle, and on the back the solution."""
    page = Template((files("deduce.steps") / "puzzle.html").read_text("utf-8"))
    return page.substitute(
        title=text_html(puzzle_title(puzzle)),
        puzzle=puzzle_html(puzzle),
        rules=_rules(puzzle.knowledge),
        solution=solution_html(puzzle),
    )


def _rules(knowledge: Knowledge) -> str:
    """Return the rules of an installed game in small print, if events are lines of its notation."""
    worded = {piece.event for piece in knowledge.problem.evidence if piece.sentence}
    lines = set(range(1, len(knowledge.log) + 1)) - worded
    with suppress(DeduceError):
        if lines or isinstance(knowledge.game, LineGame):
            rules = rules_text(find(hook(knowledge.game, Written.name, ""))).replace("``", "")
            return f'<div class="rules"><h2>Rules</h2><pre>{text_html(rules)}</pre></div>'
    return ""


def answers_json(puzzle: Puzzle) -> list[str]:
    """Return the answers as claims."""
    return [format_claim(puzzle.knowledge.problem, answer) for answer in puzzle.answers]
