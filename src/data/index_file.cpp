#include "data/index_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "data/report_json.h"

namespace heed {

namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::string_view kMagic = "heed pair index\n";
constexpr size_t kLengthBytes = 8, kHashBytes = 32, kAlignment = 64;
constexpr size_t kHeaderAt = kMagic.size() + kLengthBytes + kHashBytes;

size_t aligned(size_t at) { return (at + kAlignment - 1) / kAlignment * kAlignment; }

template <class Column>
std::string_view bytes_of(const Column& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size_bytes()};
}

std::vector<std::string_view> columns_of(const CorpusIndex& index) {
  std::vector<std::string_view> columns;
  for_each_column(index.pairs.columns(),
                  [&](const auto& column) { columns.push_back(bytes_of(column)); });
  columns.push_back(bytes_of(index.ids.all_ids()));
  columns.push_back(bytes_of(index.ids.ends()));
  return columns;
}

std::string header_of(const std::string& key, const CorpusIndex& index) {
  Json columns = Json::array();
  for (const std::string_view column : columns_of(index))
    columns.push_back({{"bytes", column.size()}, {"hash", hash_bytes(column)}});
  return Json{{"key", key}, {"corpora", counts_to_json(index.report)}, {"columns", columns}}.dump();
}

std::string length_of(const std::string& header) {
  const uint64_t length = header.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes;
}

// Reads an index file. Throws std::runtime_error that tells what is wrong with the file.
class IndexReader {
 public:
  explicit IndexReader(const fs::path& path)
      : file_(std::make_shared<MappedFile>(path)), bytes_(file_->bytes()) {}

  CorpusIndex read(const std::string& key, const TrainingText& text) {
    const Json header = read_header();
    if (header.at("key") != key) throw std::runtime_error("it is the index of other data");
    for (const Json& column : header.at("columns")) columns_.push_back(read_column(column));
    CorpusReport report = report_of(header, text);
    PairIndex pairs(read_pairs(text), parts_of(report, text), file_);
    const auto ids = take<int32_t>();
    CorpusIndex index{
        std::move(pairs), {text.sides(), ids, take<uint32_t>(), file_}, std::move(report)};
    check(index);
    return index;
  }

 private:
  Json read_header() {
    uint64_t length = 0;
    if (bytes_.size() < kHeaderAt || !bytes_.starts_with(kMagic))
      throw std::runtime_error("it is not an index of training pairs");
    std::memcpy(&length, bytes_.data() + kMagic.size(), kLengthBytes);
    if (length > bytes_.size() - kHeaderAt) throw std::runtime_error("it ends inside its header");
    const std::string_view header = bytes_.substr(kHeaderAt, length);
    if (hash_bytes(header) != bytes_.substr(kMagic.size() + kLengthBytes, kHashBytes))
      throw std::runtime_error("its header is damaged");
    at_ = kHeaderAt + length;
    return Json::parse(header);
  }

  std::string_view read_column(const Json& about) {
    const size_t begin = aligned(at_), size = about.at("bytes");
    if (begin > bytes_.size() || size > bytes_.size() - begin)
      throw std::runtime_error("it ends before its data");
    at_ = begin + size;
    const std::string_view column = bytes_.substr(begin, size);
    if (about.at("hash") != hash_bytes(column)) throw std::runtime_error("its data are damaged");
    return column;
  }

  // Returns the next column.
  template <class Number>
  std::span<const Number> take() {
    const std::string_view column = columns_.at(next_++);
    return {reinterpret_cast<const Number*>(column.data()), column.size() / sizeof(Number)};
  }

  PairColumns read_pairs(const TrainingText& text) {
    PairColumns columns{.lines = {},
                        .sides = std::vector<PairColumns::Side>(text.sides()),
                        .annotations = std::vector<PairColumns::Offsets>(text.annotations())};
    for_each_column(columns, [this]<class Number>(std::span<const Number>& column) {
      column = take<Number>();
    });
    return columns;
  }

  static CorpusReport report_of(const Json& header, const TrainingText& text) {
    std::vector<std::string> names;
    for (const TextPart& part : text.parts()) names.push_back(part.name);
    CorpusReport report = report_from_json(header.at("corpora"), names);
    for (size_t i = 0; i < names.size(); ++i) report.corpora[i].weight = text.parts()[i].weight;
    int64_t kept = 0;
    for (const CorpusCount& corpus : report.corpora) {
      if (corpus.kept < 0 || corpus.kept > std::numeric_limits<PairId>::max() - kept)
        throw std::runtime_error("it has an impossible number of pairs");
      kept += corpus.kept;
    }
    return report;
  }

  static std::vector<IndexPart> parts_of(const CorpusReport& report, const TrainingText& text) {
    std::vector<IndexPart> parts;
    PairId first = 0;
    for (size_t i = 0; i < report.corpora.size(); ++i) {
      const auto count = static_cast<PairId>(report.corpora[i].kept);
      parts.push_back({.first = first, .count = count, .weight = text.parts()[i].weight});
      first += count;
    }
    return parts;
  }

  static void check(const CorpusIndex& index) {
    const auto pairs = static_cast<size_t>(index.report.kept());
    bool fits = index.ids.ends().empty() || index.ids.ends().size() == pairs * index.pairs.sides();
    for_each_column(index.pairs.columns(),
                    [&](const auto& column) { fits = fits && column.size() == pairs; });
    if (!fits) throw std::runtime_error("its columns have other lengths than it says");
  }

  std::shared_ptr<const MappedFile> file_;
  std::string_view bytes_;
  std::vector<std::string_view> columns_;
  size_t at_ = 0, next_ = 0;
};

// Throws unless the ids of each pair are within the column and each id is within its vocabulary.
void check_ids(const CorpusIndex& index, const std::vector<int64_t>& vocabularies) {
  const std::span<const int32_t> ids = index.ids.all_ids();
  const std::span<const uint32_t> ends = index.ids.ends();
  const size_t sides = index.pairs.sides();
  size_t begin = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const size_t side = i % sides,
                 length = index.pairs.length(static_cast<PairId>(i / sides), side);
    if (ends[i] < begin || ends[i] - begin != length || ends[i] > ids.size())
      throw std::runtime_error("its ids have other lengths than its pairs");
    const auto own = ids.subspan(begin, length);
    if (std::ranges::any_of(own, [&](int32_t id) { return id < 0 || id >= vocabularies[side]; }))
      throw std::runtime_error("it has ids that are not in the vocabulary");
    begin = ends[i];
  }
  if (begin != ids.size()) throw std::runtime_error("it has ids of no pair");
}

}  // namespace

void write_index(const fs::path& path, const std::string& key, const CorpusIndex& index) {
  AtomicFile file(path);
  const std::string header = header_of(key, index);
  size_t at = 0;
  const auto write = [&](std::string_view bytes) {
    constexpr size_t kBlock = size_t{1} << 20;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kBlock, bytes.size()))) {
      file.write(bytes.substr(0, kBlock));
      at += std::min(kBlock, bytes.size());
    }
  };
  write(kMagic);
  write(length_of(header));
  write(hash_bytes(header));
  write(header);
  for (const std::string_view column : columns_of(index)) {
    write(std::string(aligned(at) - at, '\0'));
    write(column);
  }
  file.commit();
}

std::optional<CorpusIndex> find_index(const fs::path& path, const std::string& key,
                                      const TrainingText& text,
                                      const std::vector<int64_t>& vocabularies) {
  if (!is_there(path)) return std::nullopt;
  try {
    CorpusIndex index = IndexReader(path).read(key, text);
    check_ids(index, vocabularies);
    return index;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {  // no fault of the file
    throw;
  } catch (const std::exception& problem) {  // of this file and of its JSON
    spdlog::warn("{}: cannot be used: {}; the training text is indexed again", path.string(),
                 problem.what());
    return std::nullopt;
  }
}

}  // namespace heed
