#include "report/markup.h"

#include "base/error.h"

namespace heed {

std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& script) {
  const std::string name = escape_markup(title.empty() ? "heed" : title);
  const std::string heading = title.empty() ? "" : "<h1>" + name + "</h1>\n";
  return fmt::format(
      "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "{2}{3}<script>{4}</script>\n</body>\n</html>\n",
      name, style, heading, body, script);
}

}  // namespace heed
