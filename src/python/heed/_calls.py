"""Calls of the library: options, texts, errors as exceptions, and signals such as Ctrl-C while a call computes."""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Callable, TypeVar, Union

from . import _library
from .errors import DataError, DivergedError, Error, FileError, ModelError, UsageError

Result = TypeVar("Result")
_EXCEPTIONS = {2: UsageError, 3: DataError, 4: ModelError, 5: FileError, 6: DivergedError}  # heed_status


def check(status: int) -> None:
    if status:
        raise _EXCEPTIONS.get(status, Error)(_library.last_error().decode("utf-8", "replace"))


def array_of(texts: Iterable[bytes]) -> Any:
    """As C reads them."""
    kept = list(texts)
    return (ctypes.c_char_p * len(kept))(*kept)


def encoded_path(path: Any) -> bytes:
    encoded_to = os.fsencode(path)
    if b"\0" in encoded_to:
        raise ModelError(f"{path!r}: holds a zero byte, which no path has")
    return encoded_to


def encoded(text: str, number: int) -> bytes:
    """Text `number`, counted from 1, for C, where a text ends at its zero byte."""
    if not isinstance(text, str):
        raise UsageError(f"text {number}: found {type(text).__name__}, expected str")
    if "\0" in text:
        raise DataError(f"text {number}: holds a zero byte (U+0000); remove it")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        character = f"U+{ord(text[error.start]):04X}"
        raise DataError(f"text {number}: holds half of a surrogate pair ({character}), which is no UTF-8") from None


class Options:
    """Options of a call by name. Collects its warnings; set `stopped` to end a translation."""

    def __init__(self, values: Mapping[str, object], log: Union[Callable[[str, str], None], None] = None) -> None:
        self.warnings: list[str] = []
        self.stopped = threading.Event()
        # C calls these as long as this object lives.
        self._on_warning = _library.ON_WARNING(lambda message, _: self.warnings.append(message.decode("utf-8", "replace")))
        self._stop_if = _library.STOP_IF(lambda _: self.stopped.is_set())
        self.handle = ctypes.c_void_p(_library.options_new())
        for name, value in values.items():
            if "\0" in str(value):
                raise UsageError(f"{name}: holds a zero byte (U+0000); remove it")
            check(_library.options_set(self.handle, name.encode(), str(value).encode("utf-8", "surrogateescape")))
        check(_library.options_on_warning(self.handle, self._on_warning, None))
        check(_library.options_stop_if(self.handle, self._stop_if, None))
        if log is not None:
            self._on_log = _library.ON_LOG(lambda level, message, _: log(level.decode(), message.decode("utf-8", "replace")))
            check(_library.options_on_log(self.handle, self._on_log, None))

    def __del__(self, free: Any = _library.options_free) -> None:
        if hasattr(self, "handle"):
            free(self.handle)


class _Running:
    """The calls that compute. A thread that returned to an interpreter that has ended would end the process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stops: list[threading.Event] = []
        self._ended = False
        atexit.register(self.end)

    def add(self, stopped: threading.Event) -> None:
        with self._changed:
            if self._ended:
                raise Error("the interpreter ends")
            self._stops.append(stopped)

    def remove(self, stopped: threading.Event) -> None:
        with self._changed:
            self._stops.remove(stopped)
            self._changed.notify_all()

    def end(self) -> None:
        """Stops all calls, waits until they have returned, and refuses new ones."""
        with self._changed:
            self._ended = True
            for stopped in self._stops:
                stopped.set()
            self._changed.wait_for(lambda: not self._stops)


_running = _Running()


def run(work: Callable[[], Result], stopped: threading.Event) -> Result:
    """work(), in a thread where this is the main one, which alone notices signals. The exception of a signal sets `stopped`
    and is raised when work() has returned."""

    def counted() -> Result:
        _running.add(stopped)
        try:
            return work()
        finally:
            _running.remove(stopped)

    if threading.current_thread() is not threading.main_thread():
        return counted()
    results: list[Result] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run_work() -> None:
        try:
            results.append(counted())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run_work, name="heed", daemon=True).start()
    try:
        done.wait()
    except BaseException:
        stopped.set()
        done.wait()
        raise
    if errors:
        raise errors[0]
    return results[0]
