#include "text/unknown_runs.h"

#include <iterator>
#include <unordered_set>

#include "base/utf8.h"
#include "text/line.h"

namespace heed {

namespace {

using Pieces = std::vector<std::string>;
using CharacterSet = std::unordered_set<std::string>;

constexpr size_t kShortText = 128 * 1024;  // bytes; the time does not matter yet
constexpr size_t kLongestRun = 16 * 1024;
constexpr size_t kWindow = 256;  // bytes before a cut, and behind it, that show whether it is one

// A run that normalization makes known characters of is none, which the test of a cut shows.
CharacterSet known_characters(const SubwordModelView& model) {
  CharacterSet known = {" ", "\t"};
  for (const std::string& piece : model.pieces()) {
    for (const std::string_view character : code_points(piece)) known.emplace(character);
  }
  return known;
}

// Takes the space that SentencePiece adds to a text off the end, or off the beginning, of a part.
void drop_last_space(Pieces& pieces) {
  if (pieces.empty() || !pieces.back().ends_with(kSpaceSign)) return;
  pieces.back().resize(pieces.back().size() - kSpaceSign.size());
  if (pieces.back().empty()) pieces.pop_back();
}
void drop_first_space(Pieces& pieces) {
  if (pieces.empty() || !pieces.front().starts_with(kSpaceSign)) return;
  pieces.front().erase(0, kSpaceSign.size());
  if (pieces.front().empty()) pieces.erase(pieces.begin());
}

// Appends the pieces of the next part, which begins with a character that the model lacks, to those
// of a part that ends with one.
void join(Pieces& pieces, Pieces more) {
  drop_last_space(pieces);
  drop_first_space(more);
  if (pieces.empty() || more.empty()) return;
  pieces.back() += more.front();
  pieces.insert(pieces.end(), std::make_move_iterator(more.begin() + 1),
                std::make_move_iterator(more.end()));
}

// No piece reaches beyond unknown characters, so what stands near a cut decides.
// at: kWindow or more from both ends.
bool is_cut(std::string_view text, size_t at, const SubwordModelView& model) {
  size_t begin = at - kWindow, end = at + kWindow;
  const auto continues = [&](size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  while (continues(begin)) ++begin;
  while (continues(end)) --end;
  Pieces before = model.encode(text.substr(begin, at - begin));
  Pieces behind = model.encode(text.substr(at, end - at));
  Pieces joined = before;
  join(joined, behind);
  drop_last_space(before);
  drop_first_space(behind);
  return !before.empty() && !behind.empty() && model.is_unknown(before.back()) &&
         model.is_unknown(behind.front()) &&
         joined == model.encode(text.substr(begin, end - begin));
}

std::vector<size_t> find_cuts(std::string_view text, const SubwordModelView& model) {
  const CharacterSet known = known_characters(model);
  std::vector<size_t> cuts;
  size_t at = 0, run = 0;
  for (const std::string_view character : code_points(text)) {
    const bool is_known = known.contains(std::string(character));
    if (run >= kLongestRun && !is_known && text.size() - at > kWindow) {
      if (is_cut(text, at, model)) cuts.push_back(at);
      run = 0;
    }
    run = is_known ? 0 : run + character.size();
    at += character.size();
  }
  return cuts;
}

}  // namespace

std::vector<std::string> encode_unknown_runs(std::string_view text, const SubwordModelView& model) {
  if (text.size() <= kShortText) return model.encode(text);
  std::vector<size_t> ends = find_cuts(text, model);
  ends.push_back(text.size());
  Pieces pieces = model.encode(text.substr(0, ends.front()));
  for (size_t part = 1; part < ends.size(); ++part)
    join(pieces, model.encode(text.substr(ends[part - 1], ends[part] - ends[part - 1])));
  return pieces;
}

}  // namespace heed
