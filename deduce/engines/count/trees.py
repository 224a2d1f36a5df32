"""Trees of tables of two variables, such as the steps of a path: sweeps along them and back.

Where all open constraints of some variables are tables (or likelihoods) of two of them, and these
connect the variables to a tree, nothing has to be kept open: the weight of all that is on one side
of a table is a vector with an entry for each value of the variable on the other side. One sweep
towards a root counts; one back gives all marginals. This is the sum-product algorithm (Pearl,
*Reverend Bayes on inference engines*, 1982); on a path it is the forward-backward algorithm, and
with the greatest weight in place of the sum it is that of Viterbi. All numbers are exact.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, product, repeat
from operator import add, mul
from typing import Any

from attrs import field, frozen

from deduce.budget import Meter
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.masks import positions, root
from deduce.engines.core.model import (
    CompiledCount,
    CompiledWeigh,
    CompiledWhere,
    Levels,
)
from deduce.engines.core.residue import Effect, Group, Literal
from deduce.engines.core.table import Neighbours
from deduce.engines.count.sweep.draws import Below, Taken

__all__ = ["Best", "Tree", "trees_of"]

PRICE = 8
"""Pairs of values that cost a step to sum over."""

MAX_PAIRS = 1_000_000
"""More pairs of values that only a likelihood is about are not listed."""

Vector = list[int]
"""A weight for each value of a variable's domain, by rank; 0 for those that are not possible."""

Key = tuple[tuple[int, int], ...]
"""Some questions with their answers; see `Tree.answers`."""


@frozen(eq=False)
class Side:
    """For each value of a variable, by rank, those of another that go with it."""

    others: Neighbours
    factors: Neighbours | None
    """The weights of the pairs; ``None``: all are 1."""

    def sums(self, vector: Vector, meter: Meter) -> Vector:
        """Return for each value the weight of all that go with it."""
        meter.spend(self._price)
        get = vector.__getitem__
        if self.factors is None:
            return [sum(map(get, others)) for others in self.others]
        rows = zip(self.others, self.factors, strict=True)
        return [sum(map(mul, map(get, others), factors)) for others, factors in rows]

    def beside(self, rank: int) -> Iterator[tuple[int, int]]:
        """Return the values that go with one, and the weights of the pairs."""
        factors = repeat(1) if self.factors is None else self.factors[rank]
        return zip(self.others[rank], factors, strict=False)

    @cached_property
    def _price(self) -> int:
        return 1 + (len(self.others) + sum(map(len, self.others))) // PRICE


@frozen(eq=False)
class Tree:
    """Variables that tables of two of them connect to a tree.

    Parameters
    ----------
    sides
        For each variable but the root its table as its parent sees it, and as it does itself.
    vectors
        For each variable, which come after their parents, the weights of its values.
    parents
        For each variable but the root the next one on the way there.
    places
        For each variable the positions of its values, by rank.
    labels
        For each variable that questions are about: ``(question, answer, mask of values)``.
    meter
        Pays for what is computed.
    """

    sides: Mapping[int, tuple[Side, Side]]
    vectors: dict[int, Vector]
    parents: Mapping[int, int]
    places: Mapping[int, Sequence[int]]
    labels: Mapping[int, Sequence[tuple[int, int, int]]]
    meter: Meter = field(repr=False)

    @cached_property
    def children(self) -> Mapping[int, Sequence[int]]:
        """For each variable those of which it is the parent."""
        of: dict[int, list[int]] = {i: [] for i in self.vectors}
        for i, parent in self.parents.items():
            of[parent].append(i)
        return of

    @property
    def root(self) -> int:
        """The variable without a parent, which comes first."""
        return next(iter(self.vectors))

    @cached_property
    def _up(self) -> tuple[Mapping[int, Vector], Mapping[int, Vector]]:
        """For each variable the weights of all beyond it, by its values and by its parent's."""
        beyond: dict[int, Vector] = {}
        sent: dict[int, Vector] = {}
        for i, vector in reversed(self.vectors.items()):
            for child in self.children[i]:
                vector = list(map(mul, vector, sent[child]))
            beyond[i] = vector
            if i in self.parents:
                sent[i] = self.sides[i][0].sums(vector, self.meter)
        return beyond, sent

    @property
    def total(self) -> int:
        """The weight of all ways to give the variables values."""
        return sum(self._up[0][self.root])

    def flows(self) -> Iterator[tuple[int, Vector]]:
        """Yield each variable with the weight of all ways in which it has each value."""
        beyond, sent = self._up
        down = {self.root: [1] * len(self.vectors[self.root])}
        for i in self.vectors:
            flow = list(map(mul, down.pop(i), beyond[i]))
            yield i, flow
            for child in self.children[i]:
                rest = [
                    whole // part if part else 0
                    for whole, part in zip(flow, sent[child], strict=True)
                ]
                down[child] = self.sides[child][1].sums(rest, self.meter)

    def answers(self, _: int) -> Mapping[Key, int]:
        """Return the weight of each combination of ``(question, answer)``.

        The answer with the label ``n`` is ``-1 - n``: other parts number theirs from 0 on.
        """
        waiting: dict[int, list[dict[Key, Vector]]] = {i: [] for i in self.vectors}
        keyed: dict[Key, Vector] = {}
        for i in reversed(self.vectors):
            keyed = self._labelled(i)
            for sent in waiting.pop(i):
                keyed = self._joined(keyed, sent)
            if i in self.parents:
                side = self.sides[i][0]
                sent = {key: side.sums(v, self.meter) for key, v in keyed.items() if any(v)}
                waiting[self.parents[i]].append(sent)
        return {key: sum(vector) for key, vector in keyed.items()}

    def _joined(
        self, keyed: Mapping[Key, Vector], others: Mapping[Key, Vector]
    ) -> dict[Key, Vector]:
        """Return the products of weights by the answers of both; no world answers twice."""
        joined: dict[Key, Vector] = {}
        for (mine, vector), (theirs, other) in product(keyed.items(), others.items()):
            self.meter.spend(1 + len(vector) // PRICE)
            both = dict((*mine, *theirs))
            if len(both) == len(mine) + len(theirs):
                key = tuple(sorted(both.items()))
                known = joined.get(key) or repeat(0)
                joined[key] = list(map(add, map(mul, vector, other), known))
        return joined

    def _labelled(self, i: int) -> dict[Key, Vector]:
        """Return the weights of a variable's values by the answers that they give."""
        keyed: dict[Key, Vector] = {}
        for rank, weight in enumerate(self.vectors[i]):
            if weight:
                labels, at = self.labels.get(i, ()), self.places[i][rank]
                self.meter.spend(1 + len(labels) // PRICE)
                key = tuple(sorted((q, -1 - n) for q, n, mask in labels if mask >> at & 1))
                if key not in keyed:
                    self.meter.spend(1 + len(self.vectors[i]) // PRICE)
                    keyed[key] = [0] * len(self.vectors[i])
                keyed[key][rank] = weight
        return keyed

    def draws(self, count: int, draw: Below) -> Iterator[list[Taken]]:
        """Yield ways drawn by their weight; ``draw(n)`` gives a random int below ``n``."""
        beyond = self._up[0]
        known: dict[tuple[int, int], tuple[list[tuple[int, Taken]], list[int]]] = {}
        at = {-1: -1}
        for _ in range(count):
            way = []
            for i in self.vectors:
                before = at[self.parents.get(i, -1)]
                if (i, before) not in known:
                    options = list(self.options(i, before, beyond[i]))
                    ends = list(accumulate(weight for _, weight in options))
                    known[i, before] = [(rank, self.taken(i, rank)) for rank, _ in options], ends
                items, ends = known[i, before]
                at[i], item = items[bisect_right(ends, draw(ends[-1]))]
                way.append(item)
            yield way

    def options(self, i: int, before: int, weights: Vector) -> Iterator[tuple[int, int]]:
        """Yield the values that go with one of the parent, with their weights times the pair's."""
        self.meter.spend(1 + len(weights) // PRICE)
        beside = enumerate(repeat(1, len(weights)))
        for rank, factor in self.sides[i][0].beside(before) if i in self.parents else beside:
            if weights[rank]:
                yield rank, weights[rank] * factor

    def taken(self, i: int, rank: int) -> Taken:
        """Return that a variable takes a value, in the form that other sweeps have."""
        return Group((i,), (Effect(1 << self.places[i][rank], ()),)), 0, 1


class Best:
    """The greatest weight of a completion of each partial world of a tree.

    A state has the values of those variables whose children are not all chosen yet.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.length = len(tree.vectors)
        self.start: Any = ()
        self._variables = list(tree.vectors)
        self._index = {i: index for index, i in enumerate(self._variables)}
        left = {i: len(children) for i, children in tree.children.items()}
        self._open: list[list[int]] = [[]]
        """For each index the variables that a state has."""
        for i in self._variables:
            if i in tree.parents:
                left[tree.parents[i]] -= 1
            tree.meter.spend(1 + len(self._open[-1]) // PRICE)
            self._open.append([j for j in (*self._open[-1], i) if left[j]])
        self._sent: dict[int, Vector] = {}
        for i, vector in reversed(tree.vectors.items()):
            for child in tree.children[i]:
                vector = list(map(mul, vector, self._sent[child]))
            if i in tree.parents:
                tree.meter.spend(len(vector))
                side = tree.sides[i][0]
                self._sent[i] = [
                    max((vector[q] * factor for q, factor in side.beside(p)), default=0)
                    for p in range(len(side.others))
                ]
        self.top = max(vector)

    def beyond(self, index: int, state: Any) -> int:
        """Return the greatest weight of what is still to be chosen."""
        weight = 1
        for i, rank in zip(self._open[index], state, strict=True):
            for child in self.tree.children[i]:
                if self._index[child] >= index:
                    weight *= self._sent[child][rank]
        return weight

    def moves(self, index: int, state: Any) -> Iterator[tuple[Any, int, Taken]]:
        """Yield each next state with the factor of a world's weight and what was taken."""
        i = self._variables[index]
        at = dict(zip(self._open[index], state, strict=True))
        before = at.get(self.tree.parents.get(i, -1), -1)
        for rank, weight in self.tree.options(i, before, self.tree.vectors[i]):
            at[i] = rank
            yield tuple(at[j] for j in self._open[index + 1]), weight, self.tree.taken(i, rank)


def trees_of(
    bounds: Bounds,
    state: int,
    weighs: Sequence[CompiledWeigh] = (),
    questions: Sequence[Sequence[Literal]] = (),
) -> list[Tree]:
    """Return the trees of what is open in a propagated state; other constraints are not about them.

    Parameters
    ----------
    bounds, state, weighs, questions
        As for `deduce.engines.core.residue.residue`.
    """
    finder = _Finder(bounds, state)
    for where in bounds.wheres:
        finder.add(where, where.variables)
    if not finder.links:
        return []
    for count in bounds.counts:
        finder.entangle(finder.open_terms(count))
    for form in bounds.sums:
        finder.entangle(i for i, _ in finder.levels(form.terms))
    for weigh in weighs:
        finder.add(weigh, [i for i, _ in finder.levels(weigh.terms)])
    return finder.trees(questions)


class _Finder:
    def __init__(self, bounds: Bounds, state: int) -> None:
        self.model, self.meter = bounds.model, bounds.meter
        variables = range(len(self.model.variables))
        self.domains = [self.model.domain(state, i) for i in variables]
        self.links: dict[tuple[int, int], list[CompiledWhere | CompiledWeigh]] = {}
        self.alone: dict[int, list[CompiledWeigh]] = {}
        self.parent = list(variables)
        self.entangled: set[int] = set()
        self.ranks: dict[int, Mapping[int, int]] = {}

    def is_open(self, i: int) -> bool:
        return self.domains[i] & self.domains[i] - 1 > 0

    def add(self, form: CompiledWhere | CompiledWeigh, variables: Sequence[int]) -> None:
        """Add a constraint about some variables, of which those that are settled do not matter."""
        some = [i for i in variables if self.is_open(i)]
        if len(some) == 2:
            a, b = sorted(some)
            self.links.setdefault((a, b), []).append(form)
            self.parent[root(self.parent, a)] = root(self.parent, b)
        elif len(some) > 2:
            self.entangle(some)
        elif some and isinstance(form, CompiledWeigh):
            self.alone.setdefault(some[0], []).append(form)

    def entangle(self, variables: Iterable[int]) -> None:
        """Note a constraint that is not about two variables."""
        self.entangled.update(variables)

    def open_terms(self, count: CompiledCount) -> list[int]:
        """Return the variables of a Count, if it still excludes something."""
        self.meter.spend(1 + len(count.terms) // PRICE)
        masks = [(i, self.domains[i], mask) for i, mask in count.terms]
        hold = sum(not domain & ~mask for _, domain, mask in masks)
        some = [i for i, domain, mask in masks if domain & mask and domain & ~mask]
        return some if count.low > hold or count.high < hold + len(some) else []

    def levels(self, terms: Sequence[tuple[int, Levels]]) -> Iterator[tuple[int, Levels]]:
        """Yield the variables of which values that add different amounts are possible."""
        for i, levels in terms:
            self.meter.spend(1 + len(levels) // PRICE)
            some = tuple(
                (a, mask & self.domains[i]) for a, mask in levels if mask & self.domains[i]
            )
            if len(some) > 1:
                yield i, some

    def trees(self, questions: Sequence[Sequence[Literal]]) -> list[Tree]:
        """Return the trees, in the order of their first variables."""
        for (a, b), forms in self.links.items():
            size = self.domains[a].bit_count() * self.domains[b].bit_count()
            if size > MAX_PAIRS and not any(isinstance(form, CompiledWhere) for form in forms):
                self.entangle([a])
        knots = {root(self.parent, i) for i in self.entangled}
        edges: dict[int, dict[int, list[int]]] = {}
        for a, b in self.links:
            near = edges.setdefault(root(self.parent, a), {})
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
        labels: dict[int, list[tuple[int, int, int]]] = {}
        for question, literals in enumerate(questions):
            for i, mask, label in literals:
                labels.setdefault(i, []).append((question, label, mask))
        return [
            self._tree(near, labels)
            for top, near in edges.items()
            if top not in knots and sum(map(len, near.values())) == 2 * (len(near) - 1)
        ]

    def _tree(
        self, near: Mapping[int, Sequence[int]], labels: Mapping[int, list[tuple[int, int, int]]]
    ) -> Tree:
        """Return the tree of some variables; its root is one that many answers are about."""
        stack = [max(near, key=lambda i: (len(labels.get(i, ())), -i))]
        parents: dict[int, int] = {}
        sides: dict[int, tuple[Side, Side]] = {}
        vectors: dict[int, Vector] = {}
        while stack:
            i = stack.pop()
            vectors[i] = self._vector(i)
            if i in parents:
                sides[i] = self._sides(parents[i], i)
            for j in near[i]:
                if parents.get(i) != j:
                    parents[j] = i
                    stack.append(j)
        places = {i: self._ranks(i) for i in vectors}
        return Tree(
            sides, vectors, parents, {i: [*of] for i, of in places.items()}, labels, self.meter
        )

    def _ranks(self, i: int) -> Mapping[int, int]:
        """Return the ranks of a variable's values by their positions; equal domains share them."""
        mask = self.model.domains[i]
        if mask not in self.ranks:
            self.ranks[mask] = {place: rank for rank, place in enumerate(positions(mask))}
        return self.ranks[mask]

    def _vector(self, i: int) -> Vector:
        ranks, domain = self._ranks(i), self.domains[i]
        vector = [domain >> place & 1 for place in ranks]
        self.meter.spend(1 + len(vector) // PRICE)
        for weigh in self.alone.get(i, ()):
            base, amounts = self._amounts(weigh, (i,))
            for place, amount in amounts[i].items():
                vector[ranks[place]] *= weigh.weights[base + amount]
        return vector

    def _amounts(
        self, weigh: CompiledWeigh, variables: Sequence[int]
    ) -> tuple[int, Mapping[int, Mapping[int, int]]]:
        """Return what all others add to a likelihood's number, and what each value adds."""
        base = 0
        amounts: dict[int, dict[int, int]] = {}
        for i, levels in weigh.terms:
            if i in variables:
                amounts[i] = {place: a for a, mask in levels for place in positions(mask)}
            else:
                base += next(amount for amount, mask in levels if mask & self.domains[i])
        return base, amounts

    def _sides(self, parent: int, child: int) -> tuple[Side, Side]:
        """Return a table as the parent sees it, and as the child does."""
        forms = self.links[min(parent, child), max(parent, child)]
        first = forms[0]
        if len(forms) == 1 and isinstance(first, CompiledWhere) and len(first.variables) == 2:
            views = first.relation.neighbours
            turned = first.variables[0] == child
            return Side(views[turned], None), Side(views[not turned], None)
        domains = [list(positions(self.domains[i])) for i in (parent, child)]
        tables = [self._rows(f, parent, child) for f in forms if isinstance(f, CompiledWhere)]
        some = tables[0].intersection(*tables) if tables else product(*domains)
        pairs = dict.fromkeys(some, 1)
        for form in forms:
            if isinstance(form, CompiledWeigh):
                self.meter.spend(len(pairs) // PRICE)
                base, of = self._amounts(form, (parent, child))
                for p, q in pairs:
                    pairs[p, q] *= form.weights[base + of[parent][p] + of[child][q]]
        a, b = self._ranks(parent), self._ranks(child)
        ranked = [(a[p], b[q], weight) for (p, q), weight in pairs.items()]
        return _side(ranked, len(a)), _side([(q, p, weight) for p, q, weight in ranked], len(b))

    def _rows(self, where: CompiledWhere, parent: int, child: int) -> set[tuple[int, int]]:
        """Return the pairs of values that a table allows, whose other variables are settled."""
        self.meter.spend(len(where.relation.rows))
        a, b = map(where.variables.index, (parent, child))
        masks = [self.domains[i] for i in where.variables]
        return {
            (row[a], row[b])
            for row in where.relation.rows
            if all(mask >> place & 1 for mask, place in zip(masks, row, strict=True))
        }


def _side(pairs: Sequence[tuple[int, int, int]], size: int) -> Side:
    """Return a table of pairs with weights as the variable of the first values sees it."""
    others: list[list[int]] = [[] for _ in range(size)]
    factors: list[list[int]] = [[] for _ in range(size)]
    for p, q, weight in pairs:
        others[p].append(q)
        factors[p].append(weight)
    return Side(others, None if all(weight == 1 for _, _, weight in pairs) else factors)
