#include "text/piece_words.h"

#include <algorithm>

#include "base/unspaced.h"

namespace heed {

namespace {

// Texts behind each other without what separates words, and which of them each byte is of.
struct Characters {
  std::string bytes;
  std::vector<int64_t> owners;
};

// The length of what separates words and stands here; 0: none does.
size_t separator_at(std::string_view text, WordUnit unit) {
  const auto& separators = kCharacterSeparators;
  // Spaces and tabs are the first two.
  const auto end = unit == WordUnit::kCharacters ? separators.end() : separators.begin() + 2;
  const auto found = std::find_if(separators.begin(), end,
                                  [text](std::string_view one) { return text.starts_with(one); });
  return found == end ? 0 : found->size();
}

Characters characters_of(const std::vector<std::string>& texts, WordUnit unit) {
  Characters all;
  for (size_t i = 0; i < texts.size(); ++i) {
    all.bytes += texts[i];
    all.owners.insert(all.owners.end(), texts[i].size(), static_cast<int64_t>(i));
  }
  Characters kept;
  for (size_t at = 0; at < all.bytes.size();) {
    const size_t length = separator_at(std::string_view(all.bytes).substr(at), unit);
    if (length == 0) {
      kept.bytes += all.bytes[at];
      kept.owners.push_back(all.owners[at]);
    }
    at += std::max<size_t>(length, 1);
  }
  return kept;
}

// The words of each byte of `pieces`.
PieceWords words_of_bytes(const std::string& pieces, const Characters& words) {
  const size_t size = pieces.size(), all = words.bytes.size();
  const auto differs = std::ranges::mismatch(pieces, words.bytes);
  const auto same = static_cast<size_t>(differs.in1 - pieces.begin());
  size_t same_end = 0;
  const size_t most = std::min(size, all) - same;
  while (same_end < most && pieces[size - 1 - same_end] == words.bytes[all - 1 - same_end])
    ++same_end;
  const auto owner = [&](size_t byte) { return words.owners[std::min(byte, all - 1)]; };
  // The words of the part that differs.
  const int64_t first = owner(same), last = owner(std::max(all - same_end, same + 1) - 1);
  PieceWords result;
  for (size_t i = 0; i < size; ++i) {
    if (i < same)
      result.push_back({owner(i), owner(i) + 1});
    else if (i < size - same_end)
      result.push_back({first, last + 1});
    else
      result.push_back({owner(all - (size - i)), owner(all - (size - i)) + 1});
  }
  return result;
}

// A piece without text goes with its neighbour.
void fill(PieceWords& pieces) {
  for (size_t i = pieces.size(); i-- > 1;) {
    if (pieces[i - 1].empty() && !pieces[i].empty())
      pieces[i - 1] = {pieces[i].begin, pieces[i].begin + 1};
  }
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].empty() && !pieces[i - 1].empty())
      pieces[i] = {pieces[i - 1].end - 1, pieces[i - 1].end};
  }
}

}  // namespace

PieceWords find_words(const std::vector<std::string>& pieces, const std::vector<std::string>& words,
                      WordUnit unit) {
  PieceWords result(pieces.size());
  const Characters own = characters_of(pieces, unit), all = characters_of(words, unit);
  if (all.bytes.empty()) return result;
  const PieceWords of_bytes = words_of_bytes(own.bytes, all);
  for (size_t i = 0; i < of_bytes.size(); ++i) {
    WordRange& piece = result[static_cast<size_t>(own.owners[i])];
    piece = piece.empty() ? of_bytes[i]
                          : WordRange{std::min(piece.begin, of_bytes[i].begin),
                                      std::max(piece.end, of_bytes[i].end)};
  }
  fill(result);
  return result;
}

bool has_text_of(const std::vector<std::string>& pieces, const std::vector<std::string>& words,
                 WordUnit unit) {
  return characters_of(words, unit).bytes.starts_with(characters_of(pieces, unit).bytes);
}

}  // namespace heed
