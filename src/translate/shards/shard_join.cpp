#include "translate/shards/shard_join.h"

#include "base/descriptor.h"
#include "base/log.h"
#include "translate/shards/shard_record.h"

namespace heed {

namespace {

using Records = std::map<int64_t, ShardRecord>;  // by the number of the shard

// Shard of a record OUT.I-of-N.json; nullopt for any other file.
std::optional<LineShard> shard_of_record(const fs::path& file, const fs::path& out) {
  const std::string name = file.filename().string(), start = out.filename().string() + ".";
  constexpr std::string_view kBetween = "-of-", kEnd = ".json";
  if (!name.starts_with(start) || !name.ends_with(kEnd)) return std::nullopt;
  std::string numbers = name.substr(start.size(), name.size() - start.size() - kEnd.size());
  const size_t between = numbers.find(kBetween);
  if (between == std::string::npos) return std::nullopt;
  return parse_shard(numbers.replace(between, kBetween.size(), "/"));
}

Records read_records(const fs::path& out) {
  Records records;
  for (const fs::path& file : list_folder(folder_of(out))) {
    const auto shard = shard_of_record(file, out);
    if (!shard) continue;
    ShardRecord record = *read_shard_record(file);
    if (record.shard != *shard)
      throw_error(ErrorKind::kData, "{}: is the record of shard {} of {}; it was renamed",
                  file.string(), record.shard.number, record.shard.count);
    if (!records.empty() && records.begin()->second.shard.count != shard->count)
      throw_error(ErrorKind::kData, "{}: there are shards of {} and of {}; remove those of one",
                  out.string(), records.begin()->second.shard.count, shard->count);
    records.emplace(shard->number, std::move(record));
  }
  if (records.empty())
    throw_error(ErrorKind::kData,
                "{0}: there is no shard of it, expected {0}.1-of-N and further files of `heed "
                "translate -o {0} --shard I/N`",
                out.string());
  return records;
}

// Paths of the joined files of the shards with this record; the first is `out` itself.
std::vector<fs::path> whole_paths(const ShardRecord& record, const fs::path& out) {
  std::vector<fs::path> paths{out};
  for (size_t i = 1; i < record.outputs.size(); ++i)
    paths.push_back((folder_of(out) / record.outputs[i].path).lexically_normal());
  return paths;
}

bool is_there_whole(const ShardRecord& record, const fs::path& out) {
  const std::vector<fs::path> paths = whole_paths(record, out);
  for (size_t i = 0; i < paths.size(); ++i) {
    const fs::path file = record.shard.file(paths[i]);
    const auto bytes = static_cast<uint64_t>(record.outputs[i].content.bytes);
    if (!is_plain_file(file) || Descriptor::open_regular(file).size() != bytes) return false;
  }
  return record.is_complete;
}

// "2,5-7", the syntax of `sbatch --array`.
std::string as_ranges(const std::vector<int64_t>& numbers) {
  std::string text;
  for (size_t i = 0, end = 0; i < numbers.size(); i = end) {
    for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    if (i > 0) text += ",";
    text += std::to_string(numbers[i]);
    if (end > i + 1) text += "-" + std::to_string(numbers[end - 1]);
  }
  return text;
}

void expect_all(const Records& records, const fs::path& out) {
  const int64_t count = records.begin()->second.shard.count;
  std::vector<int64_t> missing;
  for (int64_t number = 1; number <= count; ++number) {
    const auto found = records.find(number);
    if (found == records.end() || !is_there_whole(found->second, out)) missing.push_back(number);
  }
  if (!missing.empty())
    throw_error(ErrorKind::kData,
                "{}: {} of {} shards are missing or not complete: {}; run them again, and each "
                "continues where it was interrupted",
                out.string(), missing.size(), count, as_ranges(missing));
}

// Checks that each shard begins at the end of the shard before it, with the same settings and
// input.
void expect_one_work(const Records& records, const fs::path& out) {
  const ShardRecord& first = records.begin()->second;
  const ShardRecord* before = nullptr;
  int64_t end = 0, lines = 0;
  for (const auto& [number, record] : records) {
    const auto fail = [&, &one = record, shard = number](const std::string& what) {
      throw_error(ErrorKind::kData,
                  "{}: shard {} does not belong to the others: {}; remove {} and run it again",
                  out.string(), shard, what, record_path(out, one.shard).string());
    };
    const std::vector<std::string> found = differences(record, first);
    if (!found.empty()) fail(fmt::format("{}", fmt::join(found, "; ")));
    const ShardRange& range = record.range;
    if (range.begin != end || (range.is_counted && range.lines_before != lines))
      fail(fmt::format("it begins at byte {}, and the shard before it ends at byte {}", range.begin,
                       end));
    if (record.offsets.front() != range.end)
      fail(fmt::format("it was read up to byte {}, and ends at byte {}", record.offsets.front(),
                       range.end));
    if (before != nullptr && before->offsets != range.offsets)
      fail("it does not begin where the shard before it has stopped to read");
    before = &record;
    end = range.end;
    lines += record.lines;
  }
  if (end != first.inputs.front().bytes)
    throw_error(ErrorKind::kData, "{}: the shards end at byte {} of {}, of {} bytes", out.string(),
                end, first.inputs.front().path, first.inputs.front().bytes);
}

// Throws Error(kData) if the file differs from the output of its shard.
void append(const fs::path& file, const PartContent& expected, const fs::path& record,
            AtomicFile& whole) {
  constexpr size_t kStep = size_t{1} << 20;
  const Descriptor part = Descriptor::open_regular(file);
  std::vector<char> bytes(kStep);
  PartCount found;
  while (const size_t count = part.read(bytes.data(), bytes.size())) {
    whole.write({bytes.data(), count});
    found.add({bytes.data(), count});
  }
  const PartContent content = found.content();
  if (content == expected) return;
  const std::string difference =
      content.lines != expected.lines
          ? fmt::format("{} lines, expected {}", format_count(content.lines),
                        format_count(expected.lines))
          : fmt::format("the hash {}, expected {}", content.hash, expected.hash);
  throw_error(ErrorKind::kData,
              "{}: is damaged: has {}, which {} says; nothing was joined: remove both and run this "
              "shard again",
              file.string(), difference, record.string());
}

}  // namespace

int64_t join_shards(const fs::path& out) {
  const Records records = read_records(out);
  expect_all(records, out);
  expect_one_work(records, out);
  const std::vector<fs::path> paths = whole_paths(records.begin()->second, out);
  std::vector<std::unique_ptr<AtomicFile>> files;
  std::vector<AtomicFile*> all;
  for (const fs::path& path : paths)
    all.push_back(files.emplace_back(std::make_unique<AtomicFile>(path)).get());
  int64_t lines = 0;
  for (const auto& [number, record] : records) {
    for (size_t i = 0; i < paths.size(); ++i)
      append(record.shard.file(paths[i]), record.outputs[i].content, record_path(out, record.shard),
             *all[i]);
    lines += record.lines;
  }
  commit_all(all);
  return lines;
}

}  // namespace heed
