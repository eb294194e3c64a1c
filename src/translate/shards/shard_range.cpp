#include "translate/shards/shard_range.h"

#include <array>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/line_offsets.h"

namespace heed {

namespace {

void refuse_what_cannot_be_divided(const LineFile& file) {
  const char* fault = !file.reader->is_plain()    ? "is compressed; decompress it first"
                      : !is_plain_file(file.path) ? "is not a plain file; write the text to one"
                                                  : nullptr;
  if (fault != nullptr)
    throw_error(ErrorKind::kUsage, "{} {}: a shard begins in the middle of its input, but this {}",
                file.option, file.path, fault);
}

// Refuses a file that a LineReader would refuse at its beginning, which only the first shard reads.
void check_beginning(const std::string& path) {
  std::array<char, 1 << 16> bytes{};
  const size_t count = Descriptor::open_regular(path).read_at(0, bytes.data(), bytes.size());
  refuse_other_formats(path, {bytes.data(), count});
}

int64_t begin_of(int64_t number, int64_t count, const std::string& path, int64_t size) {
  // Avoids size * number / count, which could overflow.
  const int64_t even = size / count * number + size % count * number / count;
  return number == count ? size : line_start_from(path, even);
}

int64_t offset_in(const LineFile& file, int64_t lines, const LineFile& first) {
  const auto offset = offset_behind_lines(file.path, lines);
  if (!offset)
    throw_error(
        ErrorKind::kData,
        "{}: has fewer than the {} lines of {} before this shard; line N of one must belong "
        "to line N of the other",
        file.path, lines, first.path);
  return *offset;
}

}  // namespace

ShardRange find_shard(const LineShard& shard, const std::vector<LineFile>& files, bool counted) {
  for (const LineFile& file : files) refuse_what_cannot_be_divided(file);
  for (const LineFile& file : files) check_beginning(file.path);
  const std::string& path = files.front().path;
  const auto size = static_cast<int64_t>(Descriptor::open_regular(path).size());
  ShardRange range;
  range.begin = begin_of(shard.number - 1, shard.count, path, size);
  range.end = begin_of(shard.number, shard.count, path, size);
  range.is_counted = counted || files.size() > 1;
  if (range.is_counted) range.lines_before = count_lines_before(path, range.begin);
  range.offsets = {range.begin};
  for (size_t i = 1; i < files.size(); ++i)
    range.offsets.push_back(offset_in(files[i], range.lines_before, files.front()));
  return range;
}

}  // namespace heed
