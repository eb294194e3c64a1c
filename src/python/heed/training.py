"""Training of models."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Callable, NamedTuple, Union

from . import _library
from ._calls import Options, check, encoded_path, run
from .errors import UsageError

#: Receives the level ("info", "warn" or "error") and the text of each line of the log.
Log = Callable[[str, str], None]


class Run(NamedTuple):
    """A trained run."""

    folder: Path  #: for heed.load()
    finished: bool  #: False: stopped before its end; start="resume" goes on
    updates: int  #: of all trainings of this run

    @property
    def metrics(self) -> list[dict[str, Any]]:
        """The lines of metrics.jsonl: updates, validations, test scores."""
        with open(self.folder / "metrics.jsonl", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def train(
    config: Union[str, "os.PathLike[str]"],
    *,
    set: Mapping[str, object] = {},
    run_folder: Union[str, "os.PathLike[str]", None] = None,
    device: str = "",
    start: str = "new",
    data_changed: bool = False,
    log: Union[Log, None] = None,
) -> Run:
    """Trains the run of a config, as `heed train` does. It needs libtorch.

    config: path of the YAML file. set: keys of the config with their values: {"train.max_updates": 1000}.
    run_folder: folder of the run, instead of `run` in the config. device: instead of `device` in the config.
    start: "new" refuses a folder that has a run, "resume" goes on from its newest checkpoint, "resume_or_new" resumes
    the run if there is one, and "overwrite" replaces it.
    data_changed: a resumed run may go on with other data.
    log: receives each line of the log; without it, the lines go to sys.stderr.
    Ctrl-C saves a checkpoint and raises KeyboardInterrupt.
    """
    values = {f"set.{key}": _value_of(value) for key, value in set.items()}
    values |= {"start": start, "data_changed": _value_of(data_changed)}
    if run_folder is not None:
        values["run"] = os.fspath(run_folder)
    if device:
        values["device"] = device
    options = Options(values, log=log or _print)
    handle = ctypes.c_void_p()
    path = encoded_path(config)
    run(lambda: check(_library.train(path, options.handle, handle)), options.stopped)
    try:
        folder = Path(os.fsdecode(_library.run_folder(handle)))
        return Run(folder, bool(_library.run_finished(handle)), _library.run_updates(handle))
    finally:
        _library.run_free(handle)


def _print(level: str, message: str) -> None:
    print(message if level == "info" else f"{level}: {message}", file=sys.stderr, flush=True)


def _value_of(value: object) -> str:
    """The value as YAML: JSON is YAML."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except TypeError:
        raise UsageError(f"set: found {type(value).__name__}, expected a value of YAML: text, number, list, dict") from None
