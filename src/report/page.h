// A page of HTML that refers to no other files.
#pragma once

#include <string>

namespace heed {

// title: plain text, also the heading; "": a page without a heading. Style, body and script as they
// stand.
std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& script);

}  // namespace heed
