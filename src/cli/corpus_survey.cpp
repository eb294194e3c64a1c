#include "cli/corpus_survey.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/unspaced.h"
#include "base/utf8.h"

namespace heed {

namespace {

using WordSet = std::unordered_set<std::string>;
using Letters = std::unordered_map<std::string, int64_t>;

class Side {
 public:
  explicit Side(const std::string& path) : path_(path), reader_(path) {}

  bool next(std::string& line) { return reader_.next(line); }
  int64_t count_rest() {
    std::string line;
    while (reader_.next(line)) continue;
    return reader_.line_number();
  }

  // Of a line that is UTF-8 and not empty.
  void add(const std::string& line, WordSet& all_words) {
    const std::vector<std::string> words = words_of(line);
    lengths_.push_back(static_cast<int32_t>(words.size()));
    if (static_cast<int64_t>(lengths_.size()) > kSurveyedLines) return;
    for (const std::string& word : words) {
      if (words_.insert(word).second) all_words.insert(word);
      for (std::string_view letter : code_points(word)) ++letters_[std::string(letter)];
    }
  }

  SideSurvey survey() {
    std::sort(lengths_.begin(), lengths_.end());
    SideSurvey survey;
    for (int32_t length : lengths_) survey.words += length;
    survey.distinct_words = static_cast<int64_t>(words_.size());
    survey.characters = static_cast<int64_t>(letters_.size());
    survey.middle_length = at(0.5);
    survey.long_length = at(0.995);
    survey.longest_length = at(1);
    survey.unspaced = 2 * unspaced_lines_ > static_cast<int64_t>(lengths_.size());
    survey.chinese = survey.unspaced && scripts_.han > 0 && 20 * scripts_.kana < scripts_.han;
    return survey;
  }

  const std::string& path() const { return path_; }
  const Letters& letters() const { return letters_; }

 private:
  std::vector<std::string> words_of(const std::string& line) {
    const ScriptCount scripts = count_scripts(line);
    scripts_.han += scripts.han;
    scripts_.kana += scripts.kana;
    if (!scripts.is_unspaced()) return split_words(line);
    ++unspaced_lines_;
    return breaker_.words(line);
  }

  int64_t at(double fraction) const {
    const auto last = static_cast<double>(lengths_.size() - 1);
    return lengths_[static_cast<size_t>(fraction * last)];
  }

  std::string path_;
  LineReader reader_;
  std::vector<int32_t> lengths_;
  WordSet words_;
  Letters letters_;
  WordBreaker breaker_;
  ScriptCount scripts_;  // Han and kana of all lines
  int64_t unspaced_lines_ = 0;
};

double fraction_of_letters(const Letters& known, const Letters& letters) {
  int64_t all = 0, shared = 0;
  for (const auto& [letter, count] : letters) {
    all += count;
    if (known.contains(letter)) shared += count;
  }
  return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

}  // namespace

CorpusSurvey survey_corpus(const std::string& source_path, const std::string& target_path) {
  Side source(source_path), target(target_path);
  CorpusSurvey survey;
  WordSet words;
  std::string left, right;
  while (true) {
    const bool has_left = source.next(left), has_right = target.next(right);
    if (has_left != has_right) {
      const int64_t lefts = source.count_rest(), rights = target.count_rest();
      throw_error(
          ErrorKind::kData,
          "{} has {} lines, but {} has {}; line N of one must belong to line N of the other",
          source.path(), format_count(lefts), target.path(), format_count(rights));
    }
    if (!has_left) break;
    ++survey.pairs;
    if (!is_utf8(left) || !is_utf8(right)) {
      ++survey.malformed;
    } else if (split_words(left).empty() || split_words(right).empty()) {
      ++survey.empty;
    } else {
      source.add(left, words);
      target.add(right, words);
    }
  }
  if (2 * survey.malformed > survey.pairs) {
    throw_error(
        ErrorKind::kData,
        "{} + {}: {} of {} pairs are not UTF-8; if the files are UTF-16, Shift-JIS or Latin-1, "
        "convert them: iconv -f ENCODING -t UTF-8",
        source.path(), target.path(), format_count(survey.malformed), format_count(survey.pairs));
  }
  if (survey.pairs == survey.empty + survey.malformed) {
    throw_error(ErrorKind::kData, "{} and {}: no sentence pair to train on", source.path(),
                target.path());
  }
  survey.source = source.survey();
  survey.target = target.survey();
  survey.distinct_words = static_cast<int64_t>(words.size());
  Letters letters = source.letters();
  letters.insert(target.letters().begin(), target.letters().end());
  survey.characters = static_cast<int64_t>(letters.size());
  survey.shared_letters = fraction_of_letters(source.letters(), target.letters());
  return survey;
}

}  // namespace heed
