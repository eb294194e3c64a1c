#include "python/errors.h"

#include <nanobind/nanobind.h>

#include "heed/translator.h"

namespace nb = nanobind;

namespace heed::python {

namespace {

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "UsageError";
    case ErrorKind::kData:
      return "DataError";
    case ErrorKind::kModel:
      return "ModelError";
    case ErrorKind::kIo:
      return "FileError";
    case ErrorKind::kFailure:
      break;
  }
  return "Error";
}

void translate_error(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("heed.errors").attr(name_of(error.kind()));
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

void add_errors() { nb::register_exception_translator(translate_error); }

}  // namespace heed::python
