#include "translate/marian_shortlist.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"

namespace heed {

namespace {

static_assert(std::endian::native == std::endian::little, "as the files that are read");

constexpr uint64_t kMagic = 0xF11A48D5013417F5;

struct ShortlistHeader {
  uint64_t magic = kMagic, checksum = 0;
  uint64_t frequent = 0, best = 0, offsets = 0, targets = 0;  // the last two: lengths
};
// The checksum is that of what follows it, in numbers of 64 bits.
constexpr size_t kUnchecked = 2 * sizeof(uint64_t);

uint64_t checksum_of(std::string_view bytes) {
  constexpr uint64_t kGolden = 0x9e3779b9;
  uint64_t sum = 0;
  for (size_t at = kUnchecked; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    sum ^= number + kGolden + (sum << 6) + (sum >> 2);
  }
  return sum;
}

[[noreturn]] void refuse_shortlist(const fs::path& file, const std::string& what) {
  throw_error(ErrorKind::kData, "{}: is not a whole shortlist of Marian: {}; copy it again",
              file.string(), what);
}

template <class Number>
std::vector<Number> numbers_at(std::string_view bytes, size_t at, size_t count) {
  std::vector<Number> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes.data() + at, count * sizeof(Number));
  return numbers;
}

}  // namespace

bool is_marian_shortlist(const fs::path& file) {
  if (!is_plain_file(file)) return false;
  uint64_t magic = 0;
  const size_t size =
      Descriptor::open_regular(file).read_at(0, reinterpret_cast<char*>(&magic), sizeof(magic));
  return size == sizeof(magic) && magic == kMagic;
}

MarianShortlist read_marian_shortlist(const fs::path& file) {
  const std::string bytes = read_file(file);
  ShortlistHeader header;
  if (bytes.size() < sizeof(header)) refuse_shortlist(file, "it ends in its header");
  std::memcpy(&header, bytes.data(), sizeof(header));
  const size_t left = bytes.size() - sizeof(header);
  const bool fits = header.offsets <= left / sizeof(uint64_t) &&
                    header.targets <= left / sizeof(uint32_t) &&
                    header.offsets * sizeof(uint64_t) + header.targets * sizeof(uint32_t) == left;
  if (!fits || header.offsets == 0)
    refuse_shortlist(file, fmt::format("it has {} bytes, expected {} offsets and {} tokens",
                                       bytes.size(), header.offsets, header.targets));
  if (checksum_of(bytes) != header.checksum) refuse_shortlist(file, "its checksum is another one");
  const auto offsets = numbers_at<uint64_t>(bytes, sizeof(header), header.offsets);
  const auto targets = numbers_at<uint32_t>(
      bytes, sizeof(header) + header.offsets * sizeof(uint64_t), header.targets);
  if (!std::ranges::is_sorted(offsets) || offsets.back() > targets.size())
    refuse_shortlist(file, "an offset is not within its tokens");
  MarianShortlist shortlist{.frequent = header.frequent, .best = header.best, .targets = {}};
  for (size_t i = 0; i + 1 < offsets.size(); ++i)
    shortlist.targets.emplace_back(targets.begin() + static_cast<int64_t>(offsets[i]),
                                   targets.begin() + static_cast<int64_t>(offsets[i + 1]));
  return shortlist;
}

void write_marian_shortlist(const fs::path& file, const MarianShortlist& shortlist) {
  ShortlistHeader header{.frequent = shortlist.frequent,
                         .best = shortlist.best,
                         .offsets = shortlist.targets.size() + 1};
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> targets;
  for (const auto& own : shortlist.targets) {
    targets.insert(targets.end(), own.begin(), own.end());
    offsets.push_back(targets.size());
  }
  header.targets = targets.size();
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(offsets.data()), offsets.size() * sizeof(uint64_t));
  bytes.append(reinterpret_cast<const char*>(targets.data()), targets.size() * sizeof(uint32_t));
  header.checksum = checksum_of(bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  write_file(file, bytes);
}

int64_t id_of_marian(uint32_t id) {
  if (id == 0) return kEnd;
  return id == 1 ? int64_t{kUnknown} : int64_t{id} - kMarianSpecials + kSpecials;
}

uint32_t id_in_marian(int32_t id) {
  if (id == kEnd) return 0;
  return id == kUnknown ? 1 : static_cast<uint32_t>(id - kSpecials + kMarianSpecials);
}

}  // namespace heed
