#include "python/calls.h"

namespace heed::python {

void warn(const std::vector<std::string>& messages) {
  constexpr int kCallerOfThePackage = 2;
  for (const std::string& message : messages) {
    if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), kCallerOfThePackage) != 0)
      throw nanobind::python_error();
  }
}

}  // namespace heed::python
