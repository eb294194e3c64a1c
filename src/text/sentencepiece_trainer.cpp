#include "text/sentencepiece_trainer.h"

#include <sentencepiece_trainer.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/random.h"
#include "base/replace_all.h"
#include "base/utf8.h"
#include "text/line.h"
#include "text/sample.h"

namespace heed {

namespace {

// SentencePiece drops longer lines, silently. It learns from words, so a line may be cut at spaces; a
// word is cut where it is longer, such as a text without spaces.
constexpr size_t kLongestLine = 4'000;
// It drops lines that hold its own sign for a border, too.
constexpr std::string_view kReserved = "\xE2\x96\x85";
// Fixed, because the pieces' scores are summed in an order that depends on it.
constexpr int kThreads = 2;
// Its own <unk>, <s> and </s>.
constexpr int64_t kOwnSpecials = 3;

class LineIterator final : public sentencepiece::SentenceIterator {
 public:
  explicit LineIterator(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  bool done() const override { return next_ >= lines_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return lines_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_;
  size_t next_ = 0;
};

// Adds the units, with a separator between them, as lines of at most kLongestLine bytes.
template <class Units>
void add_units(const Units& units, std::string_view separator, std::vector<std::string>& lines) {
  std::string part;
  for (const auto& unit : units) {
    if (!part.empty() && part.size() + separator.size() + unit.size() > kLongestLine)
      lines.push_back(std::exchange(part, ""));
    if (!part.empty()) part += separator;
    part += unit;
  }
  if (!part.empty()) lines.push_back(part);
}

// Adds the line to `lines`, a long one in parts; returns the number of words that were cut.
int64_t add_line(const std::string& line, std::vector<std::string>& lines) {
  if (line.find_first_not_of(' ') == std::string::npos) return 0;
  if (line.size() <= kLongestLine) {
    lines.push_back(line);
    return 0;
  }
  std::vector<std::string> words = split_words(line);
  const auto short_enough =
      std::stable_partition(words.begin(), words.end(),
                            [](const std::string& word) { return word.size() <= kLongestLine; });
  for (auto word = short_enough; word != words.end(); ++word)
    add_units(code_points(*word), "", lines);
  const int64_t long_words = words.end() - short_enough;
  words.erase(short_enough, words.end());
  add_units(words, " ", lines);
  return long_words;
}

std::vector<std::string> training_lines(const SubwordTraining& training, const LineSource& source) {
  std::vector<std::string> lines;
  int64_t long_words = 0, reserved = 0;
  for (const std::string& raw :
       draw_sample(source, training.sample, stream_key(training.seed, "sentencepiece sample"))) {
    reserved += raw.find(kReserved) != std::string::npos;
    long_words += add_line(replace_all(prepare_line(raw, training.lower), kReserved, " "), lines);
  }
  if (reserved > 0)
    spdlog::warn(
        "sentencepiece: {} lines of its training have U+2585 ({}), a sign of SentencePiece itself; "
        "it is read as a space there, and is unknown to the model",
        format_count(reserved), kReserved);
  if (long_words > 0) {
    spdlog::info("sentencepiece: {} words of more than {} bytes are cut for its training",
                 format_count(long_words), format_count(static_cast<int64_t>(kLongestLine)));
  }
  return lines;
}

std::unordered_map<std::string, std::string> arguments(const SubwordTraining& training) {
  return {{"model_type", training.model_type},
          {"vocab_size", std::to_string(training.size - kSpecials + kOwnSpecials)},
          {"character_coverage", fmt::format("{}", training.character_coverage)},
          {"byte_fallback", training.byte_fallback ? "true" : "false"},
          {"normalization_rule_name", training.normalization},
          {"hard_vocab_limit", "false"},
          {"num_threads", std::to_string(kThreads)},
          {"control_symbols", fmt::format("{}", fmt::join(training.symbols, ","))},
          {"minloglevel", "3"}};
}

[[noreturn]] void throw_training_error(const SubwordTraining& training,
                                       const std::string& message) {
  // "Vocabulary size is smaller than required_chars. 10 vs 53. …"
  const size_t found = message.find("required_chars. ");
  const size_t number = found == std::string::npos ? found : message.find(" vs ", found);
  if (number != std::string::npos) {
    const int64_t needed =
        std::strtoll(message.c_str() + number + 4, nullptr, 10) - kOwnSpecials + kSpecials;
    throw_error(ErrorKind::kUsage,
                "sentencepiece: vocabulary size {} is too small: the characters of the training "
                "text need {}; use at least that, or lower character_coverage",
                training.size, needed);
  }
  throw_error(ErrorKind::kFailure, "sentencepiece: training failed: {}", message);
}

}  // namespace

std::string train_sentencepiece(const SubwordTraining& training, const LineSource& source) {
  LineIterator lines(training_lines(training, source));
  if (lines.done()) {
    throw_error(ErrorKind::kData, "sentencepiece: the training text is empty");
  }
  std::string model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(arguments(training), &lines, &model);
  if (!status.ok()) throw_training_error(training, status.ToString());
  return model;
}

}  // namespace heed
