"""Exceptions of heed; their messages are those of the program."""


class Error(Exception):
    """Anything that goes wrong in heed: a failure that is none of the kinds below."""


class UsageError(Error, ValueError):
    """An option, or texts that do not fit the model's inputs."""


class DataError(Error, ValueError):
    """A text that cannot be used."""


class ModelError(Error):
    """A model that is missing, damaged or of another kind."""


class FileError(Error):
    """A file that cannot be opened, or libtorch that is missing."""


class DivergedError(Error):
    """A training that gave values that are not numbers."""
