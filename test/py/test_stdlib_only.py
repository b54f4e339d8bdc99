"""What the program imports: the standard library, at the top of each file, and nothing that leads out of the
sandbox.

In the sandbox itself there are no sources, only what was loaded at its start; there that is what is looked
at.
"""

from __future__ import annotations

import ast
import importlib.util
import pkgutil
import sys
import unittest

import wiki

FORBIDDEN = frozenset(
    "js pyodide pyodide_js _pyodide ctypes socket ssl subprocess threading multiprocessing asyncio concurrent"
    " signal webbrowser http urllib ftplib smtplib pickle shelve marshal".split()
)
# What only ``python3 -m wiki`` uses: never imported in the sandbox.
NATIVE = frozenset("native cli __main__ yamltext publication wording".split())
MAY_BE_MISSING = {"yamltext": frozenset({"yaml"})}  # PyYAML, where it is installed


def sources() -> dict[str, ast.Module]:
    found = {}
    for module in pkgutil.iter_modules(wiki.__path__):
        spec = importlib.util.find_spec(f"wiki.{module.name}")
        found[module.name] = ast.parse(spec.loader.get_source(f"wiki.{module.name}"))
    return found


def loaded() -> set[str]:
    return {name.removeprefix("wiki.") for name in sys.modules if name.startswith("wiki.")}


def imported(node: ast.AST) -> list[tuple[int, str]]:
    """Level and module of what one statement imports."""
    if isinstance(node, ast.Import):
        return [(0, alias.name) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level and node.module is None:
            return [(node.level, alias.name) for alias in node.names]
        return [(node.level, node.module or "")]
    return []


class Imports(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.sources = sources()

    def test_there_is_something_to_look_at(self) -> None:
        self.assertGreater(len(self.sources) or len(loaded()), 25)

    def test_nothing_native_is_loaded_where_there_are_no_sources(self) -> None:
        self.assertFalse(not self.sources and loaded() & NATIVE)

    def test_only_the_standard_library_is_imported(self) -> None:
        for name, tree in self.sources.items():
            for node in ast.walk(tree):
                for level, module in imported(node):
                    top = module.partition(".")[0]
                    if level or top in MAY_BE_MISSING.get(name, ()):
                        continue
                    self.assertIn(top, sys.stdlib_module_names, f"{name} imports {module}")
                    self.assertNotIn(top, FORBIDDEN, f"{name} imports {module}")

    def test_every_import_stands_at_the_top_of_its_file(self) -> None:
        for name, tree in self.sources.items():
            for outer in ast.walk(tree):
                if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    for node in ast.walk(outer):
                        self.assertFalse(imported(node), f"{name}, line {getattr(node, 'lineno', 0)}")

    def test_nothing_is_imported_by_name_at_run_time(self) -> None:
        for name, tree in self.sources.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.Name):
                    self.assertNotIn(node.id, ("__import__", "eval", "exec", "compile"), name)

    def test_what_the_sandbox_uses_imports_nothing_native(self) -> None:
        for name, tree in self.sources.items():
            if name in NATIVE:
                continue
            for node in ast.walk(tree):
                for level, module in imported(node):
                    self.assertFalse(level and module in NATIVE, f"{name} imports {module}")


if __name__ == "__main__":
    unittest.main()
