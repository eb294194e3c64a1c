#include "data/corpus_survey.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/encoding.h"
#include "base/error.h"
#include "base/log.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "data/data_config.h"
#include "data/text_reader.h"

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
  explicit Side(const TextFile& file)
      : name_(file.name()), reader_(file), malformed_({file.path, name_}) {}

  bool next(std::string& line) {
    const bool is_there = reader_.next(line);
    if (is_there) malformed_.add(reader_.notes().malformed || !is_utf8(line));
    return is_there;
  }
  const MalformedLines& malformed() const { return malformed_; }
  const TextReader& reader() const { return reader_; }
  int64_t count_rest() {
    std::string line;
    while (reader_.next(line)) continue;
    return reader_.line_number();
  }

  // Counts a line that is UTF-8 and not empty. Returns its number of words.
  int64_t add(const std::string& line, WordSet& all_words) {
    const std::vector<std::string> words = words_of(line);
    lengths_.push_back(static_cast<int32_t>(words.size()));
    if (std::ssize(lengths_) <= kSurveyedLines) {
      add_words(words, all_words);
      lines_.insert(std::hash<std::string>()(line));
    }
    return std::ssize(words);
  }

  void add_words(const std::vector<std::string>& words, WordSet& all_words) {
    for (const std::string& word : words) {
      if (words_.insert(word).second) all_words.insert(word);
      const std::vector<std::string_view> letters = code_points(word);
      for (std::string_view letter : letters) ++letters_[std::string(letter)];
      short_words_ += std::ssize(letters) <= kShort;
    }
    surveyed_words_ += std::ssize(words);
  }

  SideSurvey survey() {
    std::sort(lengths_.begin(), lengths_.end());
    SideSurvey survey;
    for (int32_t length : lengths_) survey.words += length;
    survey.distinct_words = static_cast<int64_t>(words_.size());
    survey.characters = static_cast<int64_t>(letters_.size());
    survey.distinct_lines = static_cast<int64_t>(lines_.size());
    survey.surveyed_lines = std::min<int64_t>(std::ssize(lengths_), kSurveyedLines);
    survey.short_words = static_cast<double>(short_words_) /
                         static_cast<double>(std::max<int64_t>(1, surveyed_words_));
    survey.middle_length = at(lengths_, 0.5);
    survey.long_length = at(lengths_, 0.995);
    survey.longest_length = at(lengths_, 1);
    survey.unspaced = 2 * unspaced_lines_ > static_cast<int64_t>(lengths_.size());
    survey.chinese = survey.unspaced && scripts_.han > 0 && 20 * scripts_.kana < scripts_.han;
    return survey;
  }

  const std::string& name() const { return name_; }
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

  static constexpr int64_t kShort = 3;  // characters
  std::string name_;
  TextReader reader_;
  MalformedLines malformed_;
  std::vector<int32_t> lengths_;
  WordSet words_;
  std::unordered_set<size_t> lines_;  // hashes
  int64_t short_words_ = 0, surveyed_words_ = 0;
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

// Returns true if one of the rows just read lacks its side.
bool count_bad_row(const Side& source, const Side& target, CorpusSurvey& survey) {
  for (const Side* side : {&source, &target}) {
    const std::string& fault = side->reader().notes().fault;
    if (fault.empty() || side->reader().notes().malformed) continue;
    if (++survey.bad_rows == 1)
      survey.first_bad_row = fmt::format("{}: {}", side->reader().place(), fault);
    return true;
  }
  return false;
}

}  // namespace

CorpusSurvey survey_corpus(const TextFile& source_file, const TextFile& target_file) {
  Side source(source_file), target(target_file);
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
          source.name(), format_count(lefts), target.name(), format_count(rights));
    }
    if (!has_left) break;
    ++survey.pairs;
    if (count_bad_row(source, target, survey)) continue;
    survey.joined += source.reader().notes().joined || target.reader().notes().joined;
    if (source.reader().notes().malformed || !is_utf8(left) || !is_utf8(right)) {
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
  refuse_malformed({source.malformed(), target.malformed()});
  if (2 * survey.bad_rows > survey.pairs)
    throw_error(ErrorKind::kData, "{}; so are {} of {} rows", survey.first_bad_row,
                format_count(survey.bad_rows), format_count(survey.pairs));
  if (survey.usable() == 0) {
    throw_error(ErrorKind::kData, "{} and {}: no sentence pair to train on", source.name(),
                target.name());
  }
  const double least = DataConfig().min_kept;
  if (static_cast<double>(survey.usable()) < least * static_cast<double>(survey.pairs)) {
    throw_error(
        ErrorKind::kData,
        "{} and {}: {} of {} pairs have an empty source or target, {} malformed UTF-8, {} lack "
        "a column or key; training wants {:.4g} % without; correct the files",
        source.name(), target.name(), format_count(survey.empty), format_count(survey.pairs),
        format_count(survey.malformed), format_count(survey.bad_rows), 100 * least);
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
