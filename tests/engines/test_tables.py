"""Tables that are looked up by value, against looking at each row."""

from __future__ import annotations

from random import Random

from deduce import Budget, Knowledge, Problem
from deduce.engines import table
from deduce.engines.table import Table


def test_rows_by_value_are_those_found_one_by_one() -> None:
    random = Random(5)
    fields = [0b11111, 0b111 << 6, 0b1111111 << 10]
    values = [[1 << place for place in range(20) if field >> place & 1] for field in fields]
    rows = [sum(map(random.choice, values)) for _ in range(table.FEW + 20)]
    rows = list(dict.fromkeys(rows))
    while len(rows) <= table.FEW:
        rows = list(dict.fromkeys([*rows, sum(map(random.choice, values))]))
    made = Table(rows, fields)
    assert made.columns
    assert made.cost < len(rows)
    for _ in range(300):
        state = random.getrandbits(20) | random.getrandbits(20)
        within = [row for row in rows if row & ~state == 0]
        union = 0
        for row in within:
            union |= row
        assert made.within(state) == (union, len(within))
        assert made._within(state) == (union, len(within))


def test_tables_with_too_many_bits_are_not_indexed() -> None:
    rows = range(1, table.FEW + 5)
    assert not Table(rows, [(1 << table.MAX_BITS) - 1]).columns


def test_many_values_are_decided_within_the_budget() -> None:
    problem = Problem(dict.fromkeys(range(4), range(5000)), [], [])
    assert Knowledge(problem, budget=Budget(steps=100_000)).is_consistent()
