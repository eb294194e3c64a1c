#include "train/word_vectors.h"

#include "base/floating_point.h"
#include "nn/torch.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/small_file.h"
#include "text/line.h"

namespace heed {

namespace {

// The embedding rows that are still without a vector, by the word as a file writes it.
class OpenRows {
 public:
  OpenRows(const Codec& codec, const Tensor& embedding) : embedding_(embedding) {
    const Vocabulary& vocabulary = codec.vocabulary();
    for (int32_t id = kSpecials; id < vocabulary.size(); ++id) {
      const std::string_view piece = vocabulary.piece(id);
      rows_[std::string(piece)].push_back({id, true});
      if (piece.starts_with(kSpaceSign) && piece != kSpaceSign)
        rows_[std::string(piece.substr(kSpaceSign.size()))].push_back({id, false});
    }
    coverage_.tokens = vocabulary.size() - kSpecials;
    exact_.resize(static_cast<size_t>(vocabulary.size()));
    filled_.resize(exact_.size());
  }

  bool wants(std::string_view word) const { return rows_.contains(word); }
  // vector [E]; a vector of the piece as it is written replaces that of the word.
  void fill(std::string_view word, const std::vector<float>& vector) {
    for (const auto& [id, is_exact] : rows_.find(word)->second) {
      if (exact_[id] || (filled_[id] && !is_exact)) continue;
      embedding_[id].copy_(torch::tensor(vector));
      if (!filled_[id]) ++coverage_.found;
      filled_[id] = true;
      exact_[id] = is_exact;
    }
  }
  int64_t width() const { return embedding_.size(1); }
  const VectorCoverage& coverage() const { return coverage_; }

 private:
  struct Row {
    int32_t id;
    bool is_exact;
  };
  Tensor embedding_;
  std::map<std::string, std::vector<Row>, std::less<>> rows_;
  std::vector<bool> filled_, exact_;
  VectorCoverage coverage_;
};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    if (end > 0) fields.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

std::optional<float> number_of(std::string_view text) {
  double value = 0;  // which holds what is too small for a float
  const auto [end, error] = floating_point_from(text.data(), text.data() + text.size(), value);
  const auto number = static_cast<float>(value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

std::optional<int64_t> count_of(std::string_view text) {
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0) return std::nullopt;
  return count;
}

class TextVectors {
 public:
  TextVectors(const std::filesystem::path& path, OpenRows& rows)
      : path_(path), reader_(path), rows_(rows) {}

  void read() {
    std::string line;
    while (reader_.next(line)) take(fields_of(line));
    if (promised_ && *promised_ != found_)
      spdlog::warn("{}: the header promises {} vectors, but {} follow; is the file whole?",
                   path_.string(), format_count(*promised_), format_count(found_));
  }

 private:
  void take(const std::vector<std::string_view>& fields) {
    const auto width = static_cast<size_t>(rows_.width());
    const bool is_header = reader_.line_number() == 1 && fields.size() == 2;
    if (is_header && fields[1] != std::to_string(width))
      refuse(fmt::format("vectors of width {}", fields[1]));
    if (is_header) {
      promised_ = count_of(fields[0]);
      if (!promised_) refuse(fmt::format("the header '{} {}'", fields[0], fields[1]));
      return;
    }
    ++found_;
    if (fields.size() < width + 1)
      refuse(fmt::format("a word and {} numbers", std::max<size_t>(1, fields.size()) - 1));
    // A word of the Common Crawl vectors may hold spaces, such as ". . .".
    const char* begin = fields.front().data();
    const std::string_view last = fields[fields.size() - width - 1];
    const std::string_view word(begin, static_cast<size_t>(last.data() + last.size() - begin));
    if (!rows_.wants(word)) return;
    std::vector<float> vector;
    for (size_t i = fields.size() - width; i < fields.size(); ++i) {
      const auto number = number_of(fields[i]);
      if (!number) refuse(fmt::format("'{}'", fields[i]));
      vector.push_back(*number);
    }
    rows_.fill(word, vector);
  }
  [[noreturn]] void refuse(const std::string& found) const {
    throw_error(ErrorKind::kData,
                "{}:{}: found {}, expected a word and {} numbers, the width of the "
                "embedding (model.embedding.width)",
                path_.string(), reader_.line_number(), found, rows_.width());
  }

  const std::filesystem::path& path_;
  LineReader reader_;
  OpenRows& rows_;
  std::optional<int64_t> promised_;  // vectors, by the header
  int64_t found_ = 0;
};

// "V E\n", then V times a word, a space, E floats in the order of bytes of x86 and perhaps a line
// end.
class BinaryVectors {
 public:
  BinaryVectors(const std::filesystem::path& path, OpenRows& rows)
      : path_(path), source_(path), rows_(rows) {}

  void read() {
    const std::vector<std::string_view> header = fields_of(header_ = text_until('\n'));
    if (header.size() != 2 || header[1] != std::to_string(rows_.width()))
      refuse(fmt::format("the header '{}'", header_));
    std::vector<float> vector(static_cast<size_t>(rows_.width()));
    const std::optional<int64_t> words = count_of(header[0]);
    if (!words) refuse(fmt::format("the header '{}'", header_));
    for (int64_t number = 0; number < *words; ++number) {
      if (!skip_line_end())
        refuse(fmt::format("{} of the {} vectors that the header promises", format_count(number),
                           format_count(*words)));
      const std::string word = text_until(' ');
      bytes(reinterpret_cast<char*>(vector.data()), vector.size() * sizeof(float));
      if (!std::ranges::all_of(vector, [](float value) { return std::isfinite(value); }))
        refuse(fmt::format("a vector with a value that is not a finite number, of '{}'", word));
      if (rows_.wants(word)) rows_.fill(word, vector);
    }
    if (skip_line_end())
      spdlog::warn("{}: the header promises {} vectors, but more follow, which are not read",
                   path_.string(), format_count(*words));
  }

 private:
  // Returns whether something follows.
  bool skip_line_end() {
    if (has_more() && buffer_[begin_] == '\n') ++begin_;
    return has_more();
  }
  bool has_more() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = source_.read(buffer_, sizeof(buffer_));
    }
    return begin_ < end_;
  }
  std::string text_until(char end) {
    constexpr size_t kLongest = 10'000;
    std::string text;
    for (char byte = 0; text.size() < kLongest; text.push_back(byte)) {
      bytes(&byte, 1);
      if (byte == end) return text;
    }
    refuse("a word of more than 10,000 bytes");
  }
  void bytes(char* to, size_t count) {
    while (count > 0) {
      if (!has_more()) refuse("the end of the file within a vector");
      const size_t part = std::min(count, end_ - begin_);
      std::memcpy(to, buffer_ + begin_, part);
      begin_ += part;
      to += part;
      count -= part;
    }
  }
  [[noreturn]] void refuse(const std::string& found) const {
    throw_error(ErrorKind::kData,
                "{}: found {}, expected word vectors of width {} (model.embedding.width) in the "
                "binary format of word2vec",
                path_.string(), found, rows_.width());
  }

  const std::filesystem::path& path_;
  ByteSource source_;
  OpenRows& rows_;
  std::string header_;
  char buffer_[1 << 16];
  size_t begin_ = 0, end_ = 0;
};

// Numbers in binary form have control characters, which a text has not.
bool is_binary(const std::filesystem::path& path) {
  constexpr size_t kEnough = 1 << 16;
  std::string beginning(kEnough, '\0');
  ByteSource source(path);
  size_t size = 0;
  while (size < kEnough) {
    const size_t count = source.read(beginning.data() + size, kEnough - size);
    if (count == 0) break;
    size += count;
  }
  beginning.resize(size);
  return std::ranges::any_of(beginning, [](unsigned char byte) { return byte < '\t'; });
}

}  // namespace

VectorCoverage read_word_vectors(const std::filesystem::path& path, const Codec& codec,
                                 const Tensor& embedding) {
  expect_regular_file(path);  // it is read twice
  const torch::NoGradGuard no_grad;
  OpenRows rows(codec, embedding);
  if (is_binary(path)) {
    BinaryVectors(path, rows).read();
  } else {
    TextVectors(path, rows).read();
  }
  return rows.coverage();
}

}  // namespace heed
