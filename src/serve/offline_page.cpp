#include "serve/offline_page.h"

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "report/markup.h"
#include "serve/page_files.h"

namespace heed {

namespace {

// Base64 (RFC 4648, 4). No library of the project writes it.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t k) -> uint32_t {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
    };
    const uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string element(const char* start, std::string_view content, const char* end) {
  HEED_CHECK(content.find(end) == std::string_view::npos, "{}", end);
  return fmt::format("{}{}{}\n", start, content, end);
}

std::string script(std::string_view code) { return element("<script>", code, "</script>"); }
// A script of a type that no browser runs keeps its text as it is.
std::string data(const char* id, std::string_view text) {
  return element(fmt::format("<script type=\"text/plain\" id=\"{}\">", id).c_str(), text,
                 "</script>");
}

void replace(std::string& page, std::string_view part, std::string_view by) {
  const size_t at = page.find(part);
  HEED_CHECK(at != std::string::npos, "{}", part);
  page.replace(at, part.size(), by);
}

// The page may run what it holds, and may load nothing.
constexpr const char* kRules =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">";

}  // namespace

std::string offline_page(const BrowserModule& module, const std::string& name,
                         std::string_view model) {
  std::string page(kIndexHtml);
  replace(page, "<title>heed</title>", fmt::format("<title>{}</title>", escape_markup(name)));
  replace(page, "<link rel=\"stylesheet\" href=\"page.css\">",
          fmt::format("{}\n<style>{}</style>", kRules, kPageCss));
  replace(page, "<script src=\"page.js\" defer></script>\n", "");
  replace(page, "; the API is described in docs/serving.md", "");
  replace(page, "</body>",
          data("heed-wasm", base64(module.wasm)) + data("heed-wasm-plain", base64(module.plain)) +
              data("heed-worker", module.worker) + data("model-bytes", base64(model)) +
              script(module.interface) + script(kOfflineJs) + script(kPageJs) + "</body>");
  return page;
}

}  // namespace heed
