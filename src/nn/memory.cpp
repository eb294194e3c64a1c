#include "nn/memory.h"

#include <c10/util/Exception.h>

#include <new>
#include <string_view>

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

}  // namespace heed
