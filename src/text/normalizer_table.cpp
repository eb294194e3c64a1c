#include "text/normalizer_table.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/utf8.h"

namespace heed {

namespace {

// Format of the table: the size of the trie in bytes, the trie, and the replacements, each
// terminated by a zero byte. The trie is a double array of darts-clone (Yata et al. 2007), read as
// that library reads it.
struct Unit {
  uint32_t bits;
  uint32_t label() const { return bits & (uint32_t{1} << 31 | 0xFF); }
  uint32_t offset() const { return (bits >> 10) << ((bits & 1 << 9) >> 6); }
  bool has_leaf() const { return (bits >> 8 & 1) != 0; }
  uint32_t value() const { return bits & ~(uint32_t{1} << 31); }
};

class Trie {
 public:
  explicit Trie(std::string_view bytes) : units_(bytes.size() / sizeof(Unit)) {
    if (!units_.empty()) std::memcpy(units_.data(), bytes.data(), units_.size() * sizeof(Unit));
  }

  // True if no text leads outside the units, and every value is the position of a character in the
  // replacements.
  bool stays_within(std::string_view replacements) const {
    const Children children = children_of_nodes();
    std::vector<bool> seen(units_.size());
    std::vector<uint32_t> open;
    const auto visit = [&](uint32_t node) {
      if (node >= units_.size()) return false;
      if (!seen[node]) open.push_back(node);
      seen[node] = true;
      return true;
    };
    if (units_.empty() || !visit(units_[0].offset())) return false;
    while (!open.empty()) {
      const uint32_t node = open.back();
      open.pop_back();
      // Lookup of a child compares labels at each of these positions.
      if ((node | (kLetters - 1)) >= units_.size()) return false;
      for (uint32_t at = children.begin[node]; at < children.begin[node + 1]; ++at) {
        const uint32_t index = children.units[at], next = index ^ units_[index].offset();
        if (!visit(next)) return false;
        if (units_[index].has_leaf() && !begins_character(replacements, units_[next].value()))
          return false;
      }
    }
    return true;
  }

 private:
  static constexpr uint32_t kLetters = 256;  // bytes of a text, the labels of children

  // Units by the node whose children they are: those of node n are at begin[n] to begin[n+1].
  struct Children {
    std::vector<uint32_t> begin, units;
  };

  // A unit is the child of the node index ^ label, if a label is a letter and the node exists.
  Children children_of_nodes() const {
    const auto count = static_cast<uint32_t>(units_.size());
    const auto node_of = [&](uint32_t index) {
      const uint32_t label = units_[index].label();
      return label < kLetters ? std::min(index ^ label, count) : count;
    };
    Children children{std::vector<uint32_t>(count + 2), std::vector<uint32_t>(count)};
    for (uint32_t index = 0; index < count; ++index) ++children.begin[node_of(index) + 1];
    std::partial_sum(children.begin.begin(), children.begin.end(), children.begin.begin());
    std::vector<uint32_t> next = children.begin;
    for (uint32_t index = 0; index < count; ++index) children.units[next[node_of(index)]++] = index;
    return children;
  }

  static bool begins_character(std::string_view text, size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
  }
  std::vector<Unit> units_;
};

}  // namespace

std::string find_normalizer_fault(std::string_view table) {
  if (table.empty()) return "";
  uint32_t size = 0;
  if (table.size() < sizeof size) return "its normaliser table is cut off";
  std::memcpy(&size, table.data(), sizeof size);
  table.remove_prefix(sizeof size);
  if (size > table.size() || size % sizeof(Unit) != 0) return "its normaliser table is cut off";
  const std::string_view replacements = table.substr(size);
  if (replacements.empty() || replacements.back() != '\0' || !is_utf8(replacements) ||
      !Trie(table.substr(0, size)).stays_within(replacements))
    return "its normaliser table is damaged";
  return "";
}

}  // namespace heed
