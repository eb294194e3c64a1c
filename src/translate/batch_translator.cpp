#include "translate/batch_translator.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory.h"
#include "translate/joined_sentences.h"
#include "translate/workers.h"

namespace heed {

namespace {

// The number of lines whose first sentence is in the group.
int64_t lines_among(const std::vector<LineInput>& inputs, const std::vector<size_t>& group) {
  return std::ranges::count_if(group, [&](size_t i) { return inputs[i].sentence == 0; });
}

}  // namespace

BatchTranslator::BatchTranslator(TextModel model, BatchTranslatorOptions options)
    : model_(std::move(model)), options_(std::move(options)) {
  HEED_CHECK(options_.batch > 0 && options_.workers > 0);
  HEED_CHECK(model_.engine != nullptr);
  line_translation();  // throws what is wrong with the options before a line is read
  if (options_.next_constraints || options_.line.glossary)
    options_.line.joins = std::make_shared<const WordJoins>(model_.target_codec().word_joins());
}

std::vector<TranslatedLine> BatchTranslator::translate(
    const std::vector<SourceLine>& lines, int64_t first_line,
    const std::vector<LexicalConstraints>& constraints) const {
  HEED_CHECK(constraints.empty() || constraints.size() == lines.size());
  const LineTranslation line_translation = this->line_translation();
  std::vector<SplitLine> split;
  std::vector<LineInput> inputs;
  for (size_t i = 0; i < lines.size(); ++i) {
    LexicalConstraints own = constraints.empty() ? LexicalConstraints() : constraints[i];
    split.push_back(split_line(model_, options_.line, lines[i], own.prefix, !own.phrases.empty()));
    int64_t number = 0;
    for (const SplitLine::Sentence& sentence : split.back().sentences) {
      own.prefix = sentence.prefix;
      inputs.push_back(line_translation.read(sentence.line, first_line + static_cast<int64_t>(i),
                                             own, number++));
    }
  }
  std::vector<TranslatedLine> translations = translate(inputs), whole;
  auto next = translations.begin();
  for (const SplitLine& line : split) {
    const auto end = next + std::ssize(line.sentences);
    whole.push_back(
        joined(model_, options_.line, line, {std::move_iterator(next), std::move_iterator(end)}));
    add_to(options_.warnings, whole.back().warnings, first_line + std::ssize(whole) - 1);
    next = end;
  }
  return whole;
}

std::vector<TranslatedLine> BatchTranslator::translate(const std::vector<LineInput>& inputs) const {
  std::vector<int64_t> lengths;
  std::vector<TranslatedLine> translations(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    lengths.push_back(inputs[i].length());
    if (lengths.back() == 0) translations[i] = LineTranslation::of_empty(inputs[i]);
  }
  // Longer lines are translated alone, for their memory.
  constexpr int64_t kLongLine = 512;
  const int64_t longest = std::max(kLongLine, model_.max_length.value_or(0));
  const auto groups = groups_by_length(lengths, options_.batch, longest);
  const auto threads = model_.engine->threads();
  run_in_workers(
      options_.workers, groups.size(),
      [&](size_t group) {
        if (options_.before_batch) options_.before_batch();
        translate_group(inputs, groups[group], translations);
        if (options_.after_batch) options_.after_batch(lines_among(inputs, groups[group]));
      },
      *threads);
  return translations;
}

void BatchTranslator::translate_group(const std::vector<LineInput>& inputs,
                                      const std::vector<size_t>& group,
                                      std::vector<TranslatedLine>& translations) const {
  const auto what = [&] {
    const LineInput& longest = inputs[*std::ranges::max_element(
        group, {}, [&](size_t i) { return inputs[i].line.length(); })];
    return fmt::format(
        "the search of {} lines, of which line {} is the longest with {} tokens, with beam {}; a "
        "smaller --batch, --beam or --max-length needs less, and so does a shorter line",
        group.size(), longest.number, longest.line.length(), options_.line.search.beam);
  };
  const LineTranslation line_translation = this->line_translation();
  std::vector<Request> requests;
  for (const size_t i : group) requests.push_back(line_translation.request(inputs[i]));
  auto found = with_memory_for(what, [&] { return search(*model_.engine, std::move(requests)); });
  for (size_t i = 0; i < group.size(); ++i) {
    translations[group[i]] =
        line_translation.translation(inputs[group[i]], std::move(found[i]), options_.choose);
  }
}

int64_t BatchTranslator::translate_all(const std::function<bool(SourceLine&)>& next,
                                       const std::function<void(const TranslatedLine&)>& write,
                                       const Windows& windows, int64_t first_line) const {
  int64_t done = 0, window = windows.first;
  for (bool more = true; more;) {
    std::vector<SourceLine> lines;
    std::vector<LexicalConstraints> constraints;
    SourceLine line;
    while (static_cast<int64_t>(lines.size()) < window && (more = next(line))) {
      lines.push_back(line);
      if (options_.next_constraints) constraints.push_back(options_.next_constraints());
    }
    for (const TranslatedLine& translation : translate(lines, first_line + done, constraints))
      write(translation);
    if (more && windows.written) windows.written();
    done += static_cast<int64_t>(lines.size());
    window = std::min(2 * window, windows.most);
  }
  return done;
}

}  // namespace heed
