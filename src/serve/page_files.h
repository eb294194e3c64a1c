// The files in page/, which the build writes into a generated source file.
#pragma once

#include <string_view>

namespace heed {

extern const std::string_view kIndexHtml, kPageCss, kPageJs, kOfflineJs;

}  // namespace heed
