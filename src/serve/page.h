// The web page of the server: files in page/, which are compiled into the program.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace heed {

struct PageFile {
  const char *path, *type;
  std::string_view content;
};

// Null if there is none of this path.
const PageFile* find_page(std::string_view path);

// Headers of security for everything that a browser shows: no content of other hosts, no frames.
const std::map<std::string, std::string>& page_headers();

}  // namespace heed
