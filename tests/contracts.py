"""Import contracts of this project that import-linter does not bring."""

from __future__ import annotations

import networkx as nx
from grimp import ImportGraph, build_graph
from importlinter import Contract, ContractCheck, output

__all__ = ["NoCircles"]


class NoCircles(Contract):
    """No module imports itself through others, by lazy and type-only imports neither."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Return whether the import graph has no circle, with one edge list per circle."""
        with_types = build_graph(*self.session_options["root_packages"])
        imports = nx.DiGraph(
            (module, imported)
            for module in with_types.modules
            for imported in with_types.find_modules_directly_imported_by(module)
        )
        circles = [
            sorted(component)
            for component in nx.strongly_connected_components(imports)
            if len(component) > 1
        ]
        edges = [[edge for edge in imports.edges if set(edge) <= set(circle)] for circle in circles]
        return ContractCheck(kept=not circles, metadata={"circles": edges})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports of each circle."""
        for circle in check.metadata["circles"]:
            modules = sorted({module for edge in circle for module in edge})
            output.print_error(f"A circle of {len(modules)} modules:")
            for importer, imported in sorted(circle):
                output.print_error(f"  {importer} -> {imported}")
