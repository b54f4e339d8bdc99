"""The sandbox's own start: preloads what a request may need, closes Python's doors, and answers.

It runs once, while the start-up snapshot is made (or at a cold start), and never outside WebAssembly. The wall of the
sandbox is the bare realm and the read-only mount; the doors closed here are a second layer that makes an accident
loud and early, and the check after each request finds what a request left behind in Python's own modules.
"""

from __future__ import annotations

import _suggestions  # noqa: F401  what wording an exception imports, so that it is no leftover of a request
import operator
import os
import sys
import traceback  # noqa: F401

from wiki import bridge

CLOSED_MODULES = frozenset(
    "js pyodide_js pyodide _pyodide _pyodide_core ctypes _ctypes _ctypes_test socket _socket ssl _ssl subprocess"
    " _posixsubprocess multiprocessing _multiprocessing pty asyncio webbrowser antigravity _testcapi"
    " _testinternalcapi _xxsubinterpreters _interpreters".split()
)
CLOSED_PACKAGES = ("pyodide.", "_pyodide.", "ctypes.", "asyncio.", "multiprocessing.")
CLOSED_CALLS = (
    "system fork forkpty execv execve posix_spawn posix_spawnp popen kill killpg abort _exit spawnv spawnve".split()
)
CLOSED_EVENTS = frozenset(
    "ctypes.dlopen ctypes.dlsym ctypes.addressof ctypes.cdata ctypes.cdata/buffer ctypes.string_at"
    " ctypes.call_function os.system os.exec os.fork os.posix_spawn subprocess.Popen socket.__new__ socket.connect"
    " socket.bind socket.getaddrinfo os.kill signal.pthread_kill urllib.Request webbrowser.open sys._getframe"
    " gc.get_objects gc.get_referrers gc.get_referents code.__new__ marshal.load marshal.loads"
    " pickle.find_class".split()
)
UNIMPORTABLE = frozenset(
    "js pyodide_js pyodide _pyodide _pyodide_core ctypes _ctypes _socket _ssl _posixsubprocess _testcapi".split()
)


def close_doors() -> None:
    for name in list(sys.modules):
        if name in CLOSED_MODULES or name.startswith(CLOSED_PACKAGES):
            _forget_proxies(name, sys.modules.pop(name))
    for name in CLOSED_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails at once
    for finder in sys.meta_path:
        proxies = getattr(finder, "jsproxies", None)
        if isinstance(proxies, dict):
            proxies.clear()
    foreign = ("JsFinder", "UnvendoredStdlibFinder", "WindowsFinder")
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if type(finder).__name__ not in foreign and "pyodide" not in type(finder).__module__
    ]
    # Modules come from the standard library's archive alone: no extension module can be loaded from a file.
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if "zipimporter" in repr(hook)]
    sys.path_importer_cache.clear()
    sys.path[:] = [path for path in sys.path if path.endswith(".zip")]
    for module in (os, sys.modules.get("posix")):
        for name in CLOSED_CALLS:
            if hasattr(module, name):
                delattr(module, name)


def _forget_proxies(name: str, module: object) -> None:
    if not name.startswith(("pyodide", "js", "webbrowser")) or not hasattr(module, "__dict__"):
        return
    for key, value in list(vars(module).items()):
        if any(base.__name__ == "JsProxy" for base in type(value).__mro__):
            vars(module)[key] = None


def make_audit_hook():
    """Built in a closure, so that no later code can reach its tables by name."""

    def hook(
        event, args, closed=CLOSED_EVENTS, unimportable=UNIMPORTABLE, error=RuntimeError
    ):  # every global it needs is bound here
        if event in closed:
            raise error("denied: " + event)
        if event == "import" and args[0] in unimportable:
            raise error("denied: import of this module")

    return hook


class Integrity:
    """What Python's own modules looked like before the first request, compared by identity after each."""

    def __init__(self) -> None:
        watched = [module for name, module in sorted(sys.modules.items()) if module is not None and _is_watched(name)]
        spaces = [vars(module) for module in watched]
        for module in watched:
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == module.__name__:
                    spaces.append(vars(value))
        self._spaces = [(space, tuple(space.values())) for space in spaces]
        self._modules = len(sys.modules)
        self._path = tuple(sys.path)
        self._finders = tuple(sys.meta_path)

    def holds(self) -> bool:
        same = operator.is_
        if len(sys.modules) != self._modules or tuple(sys.path) != self._path or tuple(sys.meta_path) != self._finders:
            return False
        return all(
            len(space) == len(values) and all(map(same, space.values(), values)) for space, values in self._spaces
        )


def _is_watched(name: str) -> bool:
    return name in WATCHED or name == "wiki" or name.startswith("wiki.")


WATCHED = frozenset(
    "builtins os posix posixpath ntpath stat io _io codecs re re._parser re._compiler re._constants json json.decoder"
    " json.encoder json.scanner hashlib zlib struct array math base64 collections collections.abc dataclasses"
    " functools itertools operator unicodedata heapq bisect difflib datetime time typing contextlib string"
    " fnmatch enum errno binascii".split()
)


def seal() -> None:
    """Close the doors and note what Python looks like now.

    It runs when a sandbox has started, not in the snapshot: dropping a proxy renumbers what the snapshot refers to.
    """
    global _integrity
    close_doors()
    sys.addaudithook(make_audit_hook())
    _integrity = Integrity()


def serve() -> int:
    """Answer the request that waits at the device; 0, or 1 when it left something behind."""
    try:
        bridge.serve()
    except KeyboardInterrupt:
        pass  # the host ended the call: nobody waits for an answer, and what was learnt so far is kept
    return 0 if _integrity.holds() else 1


_integrity: Integrity
