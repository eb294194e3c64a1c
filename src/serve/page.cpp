#include "serve/page.h"

#include <algorithm>
#include <array>

#include "serve/page_files.h"

namespace heed {

const PageFile* find_page(std::string_view path) {
  static const std::array files{
      PageFile{"/", "text/html; charset=utf-8", kIndexHtml},
      PageFile{"/page.css", "text/css; charset=utf-8", kPageCss},
      PageFile{"/page.js", "text/javascript; charset=utf-8", kPageJs},
  };
  const auto found = std::ranges::find(files, path, &PageFile::path);
  return found == files.end() ? nullptr : &*found;
}

const std::map<std::string, std::string>& page_headers() {
  static const std::map<std::string, std::string> headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
       "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-cache"},
  };
  return headers;
}

}  // namespace heed
