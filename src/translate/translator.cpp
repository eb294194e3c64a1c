#include "translate/translator.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory.h"
#include "translate/workers.h"

namespace heed {

Translator::Translator(TextModel model, TranslatorOptions options)
    : model_(std::move(model)), options_(std::move(options)) {
  HEED_CHECK(options_.batch > 0 && options_.workers > 0);
  HEED_CHECK(model_.engine != nullptr);
  line_translation();  // throws what is wrong with the options before a line is read
  if (options_.next_constraints)
    options_.line.joins = std::make_shared<const WordJoins>(model_.target_codec().word_joins());
}

std::vector<Translation> Translator::translate(
    const std::vector<SourceLine>& lines, int64_t first_line,
    const std::vector<LexicalConstraints>& constraints) const {
  HEED_CHECK(constraints.empty() || constraints.size() == lines.size());
  const LineTranslation line_translation = this->line_translation();
  const LexicalConstraints none;
  std::vector<LineInput> inputs;
  std::vector<int64_t> lengths;
  std::vector<Translation> translations(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    inputs.push_back(line_translation.read(lines[i], first_line + static_cast<int64_t>(i),
                                           constraints.empty() ? none : constraints[i]));
    lengths.push_back(inputs.back().length());
    if (lengths.back() == 0) translations[i] = LineTranslation::of_empty(inputs.back());
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
        if (options_.after_batch) options_.after_batch(static_cast<int64_t>(groups[group].size()));
      },
      *threads);
  return translations;
}

void Translator::translate_group(const std::vector<LineInput>& inputs,
                                 const std::vector<size_t>& group,
                                 std::vector<Translation>& translations) const {
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
    Translation& translation = translations[group[i]];
    translation = line_translation.translation(inputs[group[i]], std::move(found[i]));
    if (options_.choose) options_.choose(translation.best);
    line_translation.warn_of_length(inputs[group[i]], translation.best.front());
  }
}

int64_t Translator::translate_all(const std::function<bool(SourceLine&)>& next,
                                  const std::function<void(const Translation&)>& write,
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
    for (const Translation& translation : translate(lines, first_line + done, constraints))
      write(translation);
    if (more && windows.written) windows.written();
    done += static_cast<int64_t>(lines.size());
    window = std::min(2 * window, windows.most);
  }
  return done;
}

}  // namespace heed
