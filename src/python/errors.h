// Errors of the library as exceptions of the package (heed/errors.py).
#pragma once

namespace heed::python {

void add_errors();

}  // namespace heed::python
