"""Problems as JSON: nothing is lost, what is wrong is named with its place, cases are replayed."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from deduce.errors import BadInput, Unsupported
from deduce.logic import disjoint
from deduce.logs.json_values import parse_json
from deduce.logs.problem_json import read_problem, read_value, write_problem, write_value
from deduce.logs.problem_text import parse_problem, write_text
from deduce.problem import Problem
from deduce.testing.cases import Report
from deduce.testing.problemcases import problem_case
from deduce.testing.problems import SHAPES, generated


@pytest.mark.parametrize("shape", SHAPES)
def test_a_generated_problem_comes_back_as_it_was(shape: str) -> None:
    for seed in range(3):
        problem = generated(Random(seed), shape)
        again = read_problem(parse_json(json.dumps(write_problem(problem))))
        assert repr(again.domains) == repr(problem.domains)
        assert len(list(again.constraints())) == len(list(problem.constraints()))
        assert write_problem(again) == write_problem(problem)


@pytest.mark.parametrize(
    "value",
    ["x", 1, True, None, 1.0, -0.5, Fraction(1, 3), (), (1, (True, "x")), frozenset({1, "a"})],
    ids=lambda value: type(value).__name__,
)
def test_a_value_keeps_its_type(value: Any) -> None:
    again = read_value(parse_json(json.dumps(write_value(value))))
    assert (type(again), again) == (type(value), value)
    assert isinstance(value, frozenset) or repr(again) == repr(value)


def test_equal_domains_of_two_types_stay_apart_in_text() -> None:
    problem = Problem({"a": (0, 1), "b": (False, True), "c": (0, 1)})
    assert repr(parse_problem(write_text(problem))) == repr(problem)


def test_a_value_without_a_form_is_refused() -> None:
    with pytest.raises(Unsupported, match="type complex"):
        write_value(1j)


def test_a_disjoint_that_tells_equal_values_apart_has_no_form() -> None:
    apart = disjoint(["a", "b"], lambda value: [type(value) if value else None])
    with pytest.raises(Unsupported, match="True"):
        write_problem(Problem({"a": (0, 1), "b": (False, True)}, [apart]))


def fact(variable: Any = "a", *values: Any) -> dict[str, Any]:
    return {"variable": variable, "values": list(values or (1,))}


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"kind": "fact", **fact("b")}, r"rules\[0\].constraint: there is no variable 'b'"),
        ({"kind": "fact", **fact("a", 3)}, r"rules\[0\].constraint: 'a' can never be 3"),
        (
            {"kind": "fact", **fact("a", 1.5)},
            r"constraint.values\[0\]: expected .*, not 1.5",
        ),
        ({"kind": "count", "facts": [fact()], "low": "1"}, r'low: expected .*, not "1"'),
        ({"kind": "count", "facts": [fact()], "low": 2, "high": 1}, "a Count from 2 to 1"),
        (
            {"kind": "sum", "terms": [[fact(), "x"]]},
            r'terms\[0\]\[1\]: expected .*, not "x"',
        ),
        ({"kind": "weigh", "facts": [fact()], "weights": ["1"]}, "1 facts need 2 weights"),
        ({"kind": "weigh", "facts": [], "weights": ["1/0"]}, 'like "1/3"'),
        ({"kind": "where", "variables": ["c"], "rows": []}, "there is no variable 'c'"),
        ({"kind": "never"}, 'constraint.kind: expected .*, not "never"'),
        ({"kind": "fact", **fact({"tuple": 3})}, r"constraint.variable.tuple: expected .*, not 3"),
        ({"kind": "fact", **fact({"float": "x"})}, "float: 'x' is not a float"),
        ({"kind": "fact", **fact({"list": []})}, "variable: an object with one of the fields"),
        ({"kind": "fact", **fact(), "nagated": True}, "unknown field 'nagated'; did you mean"),
        ({"kind": "where", "variables": ["a"], "rows": [[3]]}, r"rows\[0\]\[0\]: 3 is not a value"),
        ({"kind": "where", "variables": ["a"], "rows": [[1, 2]]}, r"1 values, not \(1, 2\)"),
        (
            {"kind": "fact", **fact({"fraction": "1e999999999"})},
            'fraction: expected .*, not "1e999999999"',
        ),
        ({"kind": "fact", **fact({"tuple": [{"set": [{"float": "x"}]}]})}, r"set\[0\].float: 'x'"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(rule: Any, message: str) -> None:
    document = {"variables": [["a", [1, 2]]], "rules": [{"constraint": rule}]}
    with pytest.raises(BadInput, match=message):
        read_problem(document)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "an object with the fields variables"),
        ({"variables": [["a", [1]]], "rule": []}, "unknown field 'rule'; did you mean 'rules'"),
        ({"variables": [["a", [{"float": "nan"}]]]}, "NaN is not equal to itself"),
        ({"variables": []}, "variables: a problem needs at least one variable"),
        ({"variables": [["a", [1, 1]]]}, r"variables\[0\]: the domain of 'a' names a value twice"),
        ({"variables": [["a", [1]], ["a", [2]]]}, r"variables\[1\]\[0\]: .* is given twice"),
        (
            {"variables": [["a", [1]]], "evidence": [{"constraint": {"kind": "fact", **fact()}}]},
            "has no field 'event'",
        ),
        (
            {
                "variables": [["a", [1]]],
                "evidence": [
                    {"constraint": {"kind": "fact", **fact()}, "event": 1, "doubt": "3/2"}
                ],
            },
            r"evidence\[0\]: a probability is a number from 0 to 1",
        ),
    ],
)
def test_a_document_that_is_no_problem_is_refused(document: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_problem(document, "")


def replayed(path: Path, case: Any) -> list[str]:
    path.write_text(json.dumps({"format": "problem/exact", "cases": [case]}))
    return list(Report().replay(path))


def test_a_value_nested_too_deeply_is_refused() -> None:
    value: Any = 1
    for _ in range(90):
        value = {"tuple": [value]}
    with pytest.raises(BadInput, match="nested too deeply"):
        read_value(value)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"law": "gravity"}, "law: "),
        ({"path": "by hand"}, "path: "),
        ({"expected": {"count": "2"}}, "expected.count"),
        ({"problem": {"variables": [["a", []]]}}, r"problem.variables[0]"),
    ],
)
def test_a_broken_case_fails_with_the_place(changed: Any, message: str, tmp_path: Path) -> None:
    case = {**problem_case(Problem({"coin": ("heads", "tails")})), **changed}
    (line,) = replayed(tmp_path / "case.json", case)
    assert message in line
