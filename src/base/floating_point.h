// Numbers with a fraction as text.
#pragma once

#include <charconv>

namespace heed {

// std::from_chars() for them, which the library of the compiler may lack (libc++ before version 20).
template <class Number>
std::from_chars_result floating_point_from(const char* first, const char* last, Number& value);

}  // namespace heed
