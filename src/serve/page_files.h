// The files in page/, which the build writes into a source of its own.
#pragma once

#include <string_view>

namespace heed {

extern const std::string_view kIndexHtml, kPageCss, kPageJs;

}  // namespace heed
