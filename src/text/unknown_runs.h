// SentencePiece makes one piece of a run of characters that its model lacks, and copies that piece for
// each of them: a run of 1 MiB takes 9 seconds, one of 16 MiB would take 40 minutes. Longer runs are
// therefore encoded in parts, cut where the parts give what the whole gives.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct SubwordModelView {
  std::function<std::vector<std::string>(std::string_view)> encode;
  std::function<bool(const std::string& piece)> is_unknown;
  std::function<std::vector<std::string>()> pieces;  // all that it has
};

// encode(text). A text without such a run is encoded as a whole.
std::vector<std::string> encode_unknown_runs(std::string_view text, const SubwordModelView& model);

}  // namespace heed
