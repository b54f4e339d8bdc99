"""The sandbox's own start: preloads what a request may need, closes Python's doors, and answers.

It runs once, while the start-up snapshot is made (or at a cold start), and never outside WebAssembly. The wall of the
sandbox is the bare realm and the read-only mount; the doors closed here are a second layer that makes an accident
loud and early: after the start no module is loaded and no code runs that was not there. The check after each request
finds what a request left behind in Python's own modules, so that the sandbox is replaced.
"""

from __future__ import annotations

import _locale
import _signal
import _suggestions  # noqa: F401  what wording an exception imports, so that it is no leftover of a request
import abc
import atexit
import contextvars
import gc
import linecache
import operator
import os
import re
import sys
import traceback  # noqa: F401
from itertools import chain, compress, repeat
from types import ModuleType

from wiki import bridge

CLOSED_MODULES = frozenset(
    "js pyodide_js pyodide _pyodide _pyodide_core ctypes _ctypes _ctypes_test socket _socket ssl _ssl subprocess"
    " _posixsubprocess multiprocessing _multiprocessing pty asyncio webbrowser antigravity _testcapi"
    " _testinternalcapi _xxsubinterpreters _interpreters".split()
)
CLOSED_PACKAGES = ("pyodide.", "_pyodide.", "pyodide_js.", "ctypes.", "asyncio.", "multiprocessing.")
# What a process is asked for or changed by, none of which reading a wiki needs.
CLOSED_CALLS = {
    "os": (
        "system fork forkpty execv execve posix_spawn posix_spawnp popen kill killpg abort _exit spawnv spawnve"
        " chdir fchdir chroot umask putenv unsetenv reload_environ dup2 pipe pipe2 mkfifo mknod nice setpriority"
        " register_at_fork"
    ).split(),
    "codecs": "register unregister register_error".split(),
    "_imp": "create_builtin create_dynamic exec_dynamic init_frozen get_frozen_object".split(),
}
SAME_CALLS = {"os": "posix", "codecs": "_codecs"}  # the modules that hold the same functions once more
CLOSED_EVENTS = frozenset(
    "ctypes.dlopen ctypes.dlsym ctypes.addressof ctypes.cdata ctypes.cdata/buffer ctypes.string_at"
    " ctypes.call_function os.system os.exec os.fork os.posix_spawn subprocess.Popen socket.__new__ socket.connect"
    " socket.bind socket.getaddrinfo os.kill signal.pthread_kill urllib.Request webbrowser.open sys._getframe"
    " sys._current_frames sys._current_exceptions sys.settrace sys.setprofile sys.addaudithook"
    " sys.monitoring.register_callback sys.remote_exec sys.set_asyncgen_hooks_firstiter"
    " sys.set_asyncgen_hooks_finalizer gc.get_objects gc.get_referrers gc.get_referents marshal.load marshal.loads"
    " pickle.find_class exec code.__new__ function.__new__".split()
)
FIXED_ATTRIBUTES = frozenset("__code__ __defaults__ __kwdefaults__ __bases__ __class__".split())

# What the program has learnt from pages stays from call to call; of module-level names and containers, only this may.
LEARNT = {
    "wiki.chunksjson": ("_kept",),
    "wiki.semantic": ("_failures",),
    "wiki.stems": ("_known",),
    "wiki.tokens": ("_words_met", "_others_met"),
}


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
    # What is not loaded by now is not there: an import of it says so, and no extension module can be loaded.
    sys.meta_path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.path.clear()
    for where, names in CLOSED_CALLS.items():
        for module in (sys.modules[where], sys.modules.get(SAME_CALLS.get(where, ""))):
            for name in names:
                if hasattr(module, name):
                    delattr(module, name)


def _forget_proxies(name: str, module: object) -> None:
    if not name.startswith(("pyodide", "js", "webbrowser")) or not isinstance(module, ModuleType):
        return
    for key, value in list(vars(module).items()):
        if any(base.__name__ == "JsProxy" for base in type(value).__mro__):
            vars(module)[key] = None


def make_audit_hook():
    """Built in a closure, so that no later code can reach its tables by name."""

    def hook(
        event, args, closed=CLOSED_EVENTS, fixed=FIXED_ATTRIBUTES, error=RuntimeError
    ):  # every global it needs is bound here
        if event in closed:
            raise error("denied: " + event)
        if event == "object.__setattr__" and args[1] in fixed:
            raise error("denied: setting " + args[1])

    return hook


def make_check():
    """``check() -> int``: 0 while Python is as it is now, 1 when a request has left something in it.

    It compares by identity every value of every module, of every class that can be changed, and of the objects and
    containers that modules hold; looks for classes that are new; and compares the interpreter's settings. The host
    alone holds it, and what it uses is bound here, so that patched built-ins do not deceive it.
    """
    gc.collect()  # classes that the start used up are gone for good
    known = _all_classes()
    modules = [vars(module) for module in sys.modules.values() if isinstance(module, ModuleType)]
    dicts, lists = _spaces(modules, known)
    changing = {id(vars(sys.modules[name])): keys for name, keys in LEARNT.items()}
    learnt = [id(vars(sys.modules[name])[key]) for name, keys in LEARNT.items() for key in keys]
    dicts = [space for space in dicts if id(space) not in learnt]
    unchanging = [
        [key not in changing[id(space)] for key in space] if id(space) in changing else repeat(True, len(space))
        for space in dicts
    ]
    mask = list(chain.from_iterable(unchanging))

    def everything(chained=chain.from_iterable, compress=compress):
        return compress(chained([space.values() for space in dicts]), mask)

    values = tuple(everything())
    items = tuple(chain.from_iterable(lists))
    sizes = [*map(len, dicts), *map(len, lists)]
    ids = frozenset(map(id, known))
    before = _settings()
    flushes = (sys.stdout.flush, sys.stderr.flush)

    def check(
        all=all, map=map, len=len, id=id, same=operator.is_, chained=chain.from_iterable, subclasses=type.__subclasses__
    ):
        for flush in flushes:
            flush()
        forget_patterns()
        forget_lines()
        if not ids.issuperset(map(id, chained(map(subclasses, known)))):
            return 1
        if [*map(len, dicts), *map(len, lists)] != sizes:
            return 1
        if not all(map(same, everything(), values)) or not all(map(same, chained(lists), items)):
            return 1
        return 0 if settings() == before else 1

    settings, forget_patterns, forget_lines = _settings, re.purge, linecache.clearcache
    return check


def _all_classes() -> list[type]:
    """All there are; known by identity, since a class of classes can say that one equals another."""
    found: dict[int, type] = {id(object): object}
    todo: list[type] = [object]
    while todo:
        for kind in type.__subclasses__(todo.pop()):
            if id(kind) not in found:
                found[id(kind)] = kind
                todo.append(kind)
    return list(found.values())


def _spaces(modules, classes):
    """What is compared: dictionaries (also those of classes and objects) by their values, lists and sets by items."""
    immutable = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
    dicts = {id(space): space for space in modules}
    lists = {}
    for kind in classes:
        if not kind.__flags__ & immutable:
            dicts[id(kind)] = vars(kind)
    contents = {dict: dicts, list: lists, set: lists}
    holding: dict[type, bool] = {}  # kind of object -> whether such objects have attributes of their own
    for space in list(dicts.values()):
        for value in list(space.values()):
            kind = type(value)
            if kind in contents:
                contents[kind][id(value)] = value
                continue
            holds = holding.get(kind)
            if holds is None:
                holds = holding[kind] = not issubclass(kind, type | ModuleType) and hasattr(value, "__dict__")
            if holds and type(own := value.__dict__) is dict and own:
                dicts[id(own)] = own
    for space in list(dicts.values()):  # what the objects of modules hold: the environment, a decoder's tables
        for value in list(space.values()):
            if type(value) in contents:
                contents[type(value)][id(value)] = value
    for volatile in (re._cache, re._cache2, linecache.cache):  # emptied after each request
        dicts.pop(id(volatile), None)
    return list(dicts.values()), list(lists.values())


def _settings():
    return (
        sys.getrecursionlimit(),
        sys.getswitchinterval(),
        sys.get_int_max_str_digits(),
        sys.gettrace(),
        sys.getprofile(),
        sys.get_asyncgen_hooks(),
        sys.get_coroutine_origin_tracking_depth(),
        [sys.monitoring.get_tool(tool) for tool in range(6)],
        gc.isenabled(),
        gc.get_threshold(),
        gc.get_debug(),
        [_signal.getsignal(number) for number in range(1, _signal.NSIG)],
        _locale.setlocale(_locale.LC_ALL),
        abc.get_cache_token(),
        len(contextvars.copy_context()),
        atexit._ncallbacks(),
    )


def seal():
    """Close the doors and note what Python looks like now; the check that tells later is the host's to keep.

    It runs when a sandbox has started, not in the snapshot: dropping a proxy renumbers what the snapshot refers to.
    """
    close_doors()
    check = make_check()
    sys.addaudithook(make_audit_hook())
    return check


def serve() -> None:
    """Answer the request that waits at the device. What it printed goes out with its answer, not with the next one."""
    try:
        bridge.serve()
    except KeyboardInterrupt:
        pass  # the host ended the call: nobody waits for an answer, and what was learnt so far is kept
    finally:
        for stream in (sys.__stdout__, sys.__stderr__):
            stream.flush()


# All that is loaded by now stays: the collector, which runs when a sandbox starts and while pages are indexed, need not
# look at it again. In the snapshot this is done once and for all.
gc.collect()
gc.freeze()
