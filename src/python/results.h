// Results of the library as objects of Python, with numpy arrays.
#pragma once

#include <nanobind/nanobind.h>

namespace heed::python {

void add_results(nanobind::module_& module);

}  // namespace heed::python
