"""The command line of the native program: the operations, arguments and payloads of the packaged tools."""

from __future__ import annotations

import argparse
import os
import platform
import stat
import sys
from typing import Any, Final

from . import jsontext
from .config import FILE_MAX_BYTES, Selection, configuration_path, read_configuration, select
from .context import Context, Vault
from .envelope import Envelope, answer, failure
from .errors import WikiError
from .limits import OUTLINE_MAX, READ_MAX_CHARS, RESULTS_MAX
from .locations import Place, absolute
from .native import NativeSurroundings
from .publication import Publication
from .wording import worded

_SECONDS: Final = {"index": 600.0}  # a first index of a very large vault
_SECONDS_DEFAULT: Final = 30.0
_SECONDS_RANGE: Final = (1.0, 600.0)
_NOT_ARGUMENTS: Final = frozenset({"operation", "vault", "config", "wiki_path", "timeout", "json"})


def main(argv: list[str]) -> int:
    """Run one command. 0 when it succeeded, 1 when it failed, 2 for wrong usage, 130 when interrupted."""
    options = _parser().parse_args(argv)
    try:
        envelope = _called(options)
    except KeyboardInterrupt:
        return 130
    text = jsontext.dumps(envelope) if options.json else worded(envelope)
    _print(text, sys.stdout if envelope["ok"] or options.json else sys.stderr)
    return 0 if envelope["ok"] else 1


def _called(options: argparse.Namespace) -> Envelope:
    operation = options.operation
    place = Place("nt" if os.name == "nt" else "posix", os.getcwd(), os.path.expanduser("~"))
    try:
        seconds = _seconds(options)
        selection = _selected(options, place)
        host = _doctor_facts(options, place) if operation == "doctor" else _search_facts(options, place)
    except WikiError as error:
        if operation != "doctor":
            return failure(operation, error)
        seconds, selection = _SECONDS_DEFAULT, Selection("", "input", "wiki")
        host = _doctor_facts(options, place) | {"selectionError": error.message}
    # Without a vault the root is a place that has nothing below it.
    root = os.path.realpath(selection.vault) if selection.vault else os.devnull
    vault = Vault(root, selection.vault, selection.wiki)
    publication = Publication(vault) if operation == "index" else None
    surroundings = NativeSurroundings(vault, seconds=seconds, taker=publication)
    try:
        envelope = answer(operation, _arguments(options), Context(vault, surroundings, host))
        if publication is not None and envelope["ok"]:
            envelope["payload"]["published"] = publication.finish()
        return envelope
    except (OSError, WikiError) as error:
        reason = (
            error.message
            if isinstance(error, WikiError)
            else f"The index could not be written: {error.strerror}."
        )
        return failure(operation, WikiError("invalid-input", reason))
    finally:
        surroundings.clear_progress()
        if publication is not None:
            publication.discard()


def _selected(options: argparse.Namespace, place: Place) -> Selection:
    vault = options.vault
    if vault is not None and vault.strip():
        try:
            vault = absolute(vault, place)
        except ValueError as error:
            raise WikiError("invalid-input", f"--vault {error}.") from None
    return select(place, os.environ, _read, vault=vault, config=options.config, wiki=options.wiki_path)


def _read(path: str) -> bytes | None:
    """A configuration file's bytes; ``None`` when there is none."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "not a regular file")
        with open(path, "rb") as file:
            return file.read(FILE_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _search_facts(options: argparse.Namespace, place: Place) -> dict[str, Any]:
    """Words that stand for each other, from the configuration; outline and read look at none."""
    if options.operation != "search":
        return {}
    path = configuration_path(place, os.environ, config=options.config)
    return {"synonyms": read_configuration(path, _read, place).synonyms}


def _doctor_facts(options: argparse.Namespace, place: Place) -> dict[str, Any]:
    try:
        path = configuration_path(place, os.environ, config=options.config)
        config = read_configuration(path, _read, place).report()
    except WikiError as error:
        config = {"path": None, "exists": False, "valid": False, "error": error.message}
    return {
        "config": config,
        "cacheExclusions": {"error": "Git is asked by pi-wiki only, not by python3 -m wiki."},
        "sandbox": {
            "runtime": "native Python, no sandbox",
            "versions": {"python": platform.python_version()},
            "platform": f"{sys.platform}-{platform.machine()}",
            "mount": None,
            "network": "none",
        },
    }


def _arguments(options: argparse.Namespace) -> dict[str, Any]:
    """The operation's arguments: every option that was given, under the contract's name."""
    given = {
        name: value
        for name, value in vars(options).items()
        if name not in _NOT_ARGUMENTS and value is not None
    }
    if os.sep == "\\" and "page" in given:
        given["page"] = given["page"].replace("\\", "/")
    return given


def _seconds(options: argparse.Namespace) -> float:
    seconds = options.timeout
    named = os.environ.get("PI_WIKI_TIMEOUT_MS", "").strip()
    if seconds is None and named:
        try:
            seconds = int(named) / 1000
        except ValueError:
            raise WikiError(
                "invalid-input", "PI_WIKI_TIMEOUT_MS must be a whole number of milliseconds."
            ) from None
    if seconds is None:
        return _SECONDS.get(options.operation, _SECONDS_DEFAULT)
    if not _SECONDS_RANGE[0] <= seconds <= _SECONDS_RANGE[1]:
        raise WikiError("invalid-input", "The time for a call must be from 1 to 600 seconds.")
    return seconds


def _print(text: str, stream: Any) -> None:
    """UTF-8 always, whatever the console's code page is."""
    data = (text + "\n").encode("utf-8", "replace")
    try:
        stream.buffer.write(data)
        stream.flush()
    except BrokenPipeError:
        # Nobody reads on; without this Python complains once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m wiki", description="Search and read a wiki of Markdown pages."
    )
    commands = parser.add_subparsers(dest="operation", required=True, metavar="COMMAND")

    search = commands.add_parser("search", help="find pages")
    search.add_argument("query", metavar="QUERY")
    search.add_argument("--limit", type=int, metavar="N", help=f"most results, 1 to {RESULTS_MAX}")
    search.add_argument("--hybrid", action="store_true", default=None, help="also rank by embeddings")
    search.add_argument("--type", metavar="T", help="keep pages of this frontmatter type")
    search.add_argument(
        "--tag", action="append", dest="tags", metavar="T", help="keep pages with this tag; repeatable"
    )
    search.add_argument(
        "--include-content", action="store_true", default=None, help="put the matched section in"
    )
    search.add_argument("--inline-budget", type=int, metavar="N", help="most characters of content in all")
    search.add_argument(
        "--read-top", type=int, dest="read_top_n", metavar="N", help="also read the best N pages"
    )
    search.add_argument("--section", metavar="HEADING", help="heading to read in those pages")
    search.add_argument("--per-page-limit", type=int, metavar="N", help="most lines of a page")
    search.add_argument(
        "--include-toc", action="store_true", default=None, help="headings of the pages that were cut"
    )

    outline = commands.add_parser("outline", help="list the sections of a page")
    outline.add_argument("page", metavar="PAGE")
    outline.add_argument("--limit", type=int, metavar="N", help=f"most sections, 1 to {OUTLINE_MAX}")
    outline.add_argument("--offset", type=int, metavar="N", help="sections to leave out first")
    outline.add_argument("--hash", dest="expectedHash", metavar="HASH", help="the page's hash, with --offset")

    read = commands.add_parser("read", help="read a section or a span of a page")
    read.add_argument("page", metavar="PAGE")
    read.add_argument("--hash", dest="expectedHash", required=True, metavar="HASH")
    which = read.add_mutually_exclusive_group()
    which.add_argument("--section", metavar="S", help="a selector, heading or breadcrumb from the outline")
    which.add_argument("--start", type=int, metavar="N", help="with --end: a span of characters")
    which.add_argument("--cursor", metavar="C", help="where the last answer left off")
    read.add_argument("--end", type=int, metavar="N")
    read.add_argument("--view", choices=("raw", "current"))
    read.add_argument("--max-chars", type=int, dest="maxChars", metavar="N", help=f"1 to {READ_MAX_CHARS}")

    commands.add_parser("doctor", help="say what is there and what is wrong")

    index = commands.add_parser("index", help="write the index file into the vault")
    index.add_argument("--compat", action="store_true", default=None, help="also for the Python package")
    index.add_argument("--semantic", action="store_true", default=None, help="also embeddings")

    for name, command in commands.choices.items():
        explicit = name in ("outline", "read")
        command.add_argument("--vault", required=explicit, metavar="DIR", help="the vault; may be relative")
        command.add_argument("--config", metavar="FILE", help="the configuration to use")
        command.add_argument(
            "--wiki-path", metavar="DIR", help="the folder of the pages within the vault; . for all"
        )
        command.add_argument(
            "--timeout", type=float, metavar="SECONDS", help="most time for the call, 1 to 600"
        )
        command.add_argument("--json", action="store_true", help="print the envelope and nothing else")
    return parser
