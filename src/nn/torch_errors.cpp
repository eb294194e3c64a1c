#include "nn/torch_errors.h"

#include <c10/util/Exception.h>

#include <new>
#include <string>
#include <string_view>

#include "base/error.h"

namespace heed {

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  if (torch_error == nullptr) return false;
  const std::string_view message = torch_error->what_without_backtrace();
  return message.find("not enough memory") != std::string_view::npos ||
         message.find("can't allocate memory") != std::string_view::npos ||
         message.find("out of memory") != std::string_view::npos;
}

void rethrow_known() {
  try {
    throw;
  } catch (const c10::Error& error) {
    if (is_out_of_memory(error)) throw std::bad_alloc();
    throw InternalError(first_line(error.what_without_backtrace()));  // they go on for pages
  }
}

}  // namespace heed
