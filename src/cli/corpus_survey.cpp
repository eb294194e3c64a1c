#include "cli/corpus_survey.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "data/data_config.h"

namespace heed {

namespace {

using WordSet = std::unordered_set<std::string>;
using Letters = std::unordered_map<std::string, int64_t>;

// A quantile of sorted values.
template <class T>
T at(const std::vector<T>& sorted, double fraction) {
  return sorted[static_cast<size_t>(fraction * static_cast<double>(sorted.size() - 1))];
}

class Side {
 public:
  explicit Side(const std::string& path) : path_(path), reader_(path) {}

  bool next(std::string& line) { return reader_.next(line); }
  int64_t count_rest() {
    std::string line;
    while (reader_.next(line)) continue;
    return reader_.line_number();
  }

  // Counts a line that is UTF-8 and not empty. Returns its number of words.
  int64_t add(const std::string& line, WordSet& all_words) {
    const std::vector<std::string> words = words_of(line);
    lengths_.push_back(static_cast<int32_t>(words.size()));
    if (static_cast<int64_t>(lengths_.size()) <= kSurveyedLines) add_words(words, all_words);
    return std::ssize(words);
  }

  void add_words(const std::vector<std::string>& words, WordSet& all_words) {
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
    survey.middle_length = at(lengths_, 0.5);
    survey.long_length = at(lengths_, 0.995);
    survey.longest_length = at(lengths_, 1);
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
  std::vector<int32_t> characters;  // of the longer side of each pair
  std::vector<float> ratios;
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
      const int64_t source_words = source.add(left, words);
      const int64_t target_words = target.add(right, words);
      ratios.push_back(static_cast<float>(target_words - kSearchExtra) /
                       static_cast<float>(std::max<int64_t>(1, source_words)));
      characters.push_back(
          static_cast<int32_t>(std::max(count_code_points(left), count_code_points(right))));
    }
  }
  if (2 * survey.malformed > survey.pairs) {
    throw_error(
        ErrorKind::kData,
        "{} + {}: {} of {} pairs are not UTF-8; if the files are UTF-16, Shift-JIS or Latin-1, "
        "convert them: iconv -f ENCODING -t UTF-8",
        source.path(), target.path(), format_count(survey.malformed), format_count(survey.pairs));
  }
  if (survey.usable() == 0) {
    throw_error(ErrorKind::kData, "{} and {}: no sentence pair to train on", source.path(),
                target.path());
  }
  const double least = DataConfig().min_kept;
  if (static_cast<double>(survey.usable()) < least * static_cast<double>(survey.pairs)) {
    throw_error(ErrorKind::kData,
                "{} and {}: {} of {} pairs have an empty source or target, {} malformed UTF-8; "
                "training wants {:.4g} % without; correct the files",
                source.path(), target.path(), format_count(survey.empty),
                format_count(survey.pairs), format_count(survey.malformed), 100 * least);
  }
  std::ranges::sort(characters);
  std::ranges::sort(ratios);
  survey.usual_characters = at(characters, 0.6);
  survey.most_characters = characters.back();
  survey.length_ratio = at(ratios, 0.999);
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
