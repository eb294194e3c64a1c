"""libheed and the functions of its interface for C, which heed/translator_c.h describes.

The library lies beside this file; HEED_LIBRARY names another one.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any

_library = ctypes.CDLL(os.environ.get("HEED_LIBRARY") or str(Path(__file__).with_name("libheed.so")))

TEXTS = POINTER(c_char_p)
OUT = POINTER(c_void_p)  # where a new object is written to
COUNT = POINTER(c_size_t)
ON_WARNING = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)
STOP_IF = ctypes.CFUNCTYPE(c_int, c_void_p)


def _function(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(_library, name)
    function.restype, function.argtypes = result, arguments
    return function


version = _function("heed_version", c_char_p)
last_error = _function("heed_last_error", c_char_p)

options_new = _function("heed_options_new", c_void_p)
options_set = _function("heed_options_set", c_int, c_void_p, c_char_p, c_char_p)
options_on_warning = _function("heed_options_on_warning", c_int, c_void_p, ON_WARNING, c_void_p)
options_stop_if = _function("heed_options_stop_if", c_int, c_void_p, STOP_IF, c_void_p)
options_free = _function("heed_options_free", None, c_void_p)

open_ensemble = _function("heed_open_ensemble", c_int, TEXTS, c_size_t, c_void_p, OUT)
close = _function("heed_close", None, c_void_p)
input_count = _function("heed_input_count", c_size_t, c_void_p)
input_name = _function("heed_input_name", c_char_p, c_void_p, c_size_t)
tag_count = _function("heed_tag_count", c_size_t, c_void_p)
tag_name = _function("heed_tag_name", c_char_p, c_void_p, c_size_t)

translate = _function("heed_translate", c_int, c_void_p, TEXTS, c_size_t, c_void_p, OUT)
score_tokens = _function("heed_score_tokens", c_int, c_void_p, TEXTS, TEXTS, c_size_t, c_void_p, OUT)
translations_free = _function("heed_translations_free", None, c_void_p)

nbest = _function("heed_nbest", c_size_t, c_void_p, c_size_t)
source_token_count = _function("heed_source_token_count", c_size_t, c_void_p, c_size_t)
source_token = _function("heed_source_token", c_char_p, c_void_p, c_size_t, c_size_t)
warning_count = _function("heed_warning_count", c_size_t, c_void_p, c_size_t)
warning_kind = _function("heed_warning_kind", c_char_p, c_void_p, c_size_t, c_size_t)
warning_message = _function("heed_warning_message", c_char_p, c_void_p, c_size_t, c_size_t)

_ONE = (c_void_p, c_size_t, c_size_t)  # translation k of text i
ON_LOG = ctypes.CFUNCTYPE(None, c_char_p, c_char_p, c_void_p)  # level, message
options_on_log = _function("heed_options_on_log", c_int, c_void_p, ON_LOG, c_void_p)
train = _function("heed_train", c_int, c_char_p, c_void_p, OUT)
run_folder = _function("heed_run_folder", c_char_p, c_void_p)
run_finished = _function("heed_run_finished", c_int, c_void_p)
run_updates = _function("heed_run_updates", c_int64, c_void_p)
run_free = _function("heed_run_free", None, c_void_p)

text = _function("heed_text", c_char_p, *_ONE)
score_of = _function("heed_score_of", c_double, *_ONE)
log_probability = _function("heed_log_probability", c_double, *_ONE)
finished = _function("heed_finished", c_int, *_ONE)
token_count = _function("heed_token_count", c_size_t, *_ONE)
token = _function("heed_token", c_char_p, *_ONE, c_size_t)
token_log_probabilities = _function("heed_token_log_probabilities", POINTER(c_double), *_ONE, COUNT)
alignment = _function("heed_alignment", POINTER(c_int64), *_ONE, COUNT)
attention = _function("heed_attention", POINTER(c_float), *_ONE, COUNT, COUNT)
