// Well-formedness of a line of XML. Own code, since it also runs in the module for browsers, which has no
// Expat; the tests compare it with Expat.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

struct XmlFault {
  size_t byte;          // where it begins, from 0
  std::string message;  // what was found, and what was expected
};

// The first fault of a line, as the content of an element (XML 1.0, production 43); a declaration or a
// document type may begin it. Knows the five references of XML and those by number. line: well-formed
// UTF-8.
std::optional<XmlFault> find_xml_fault(std::string_view line);

}  // namespace heed
