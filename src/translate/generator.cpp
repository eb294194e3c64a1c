#include "translate/generator.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory.h"
#include "translate/workers.h"

namespace heed {

Generator::Generator(TextModel model, GeneratorOptions options)
    : model_(std::move(model)),
      options_(std::move(options)),
      suppressed_(suppressed_tokens(options_.search, model_.target_codec().vocabulary())) {
  HEED_CHECK(options_.batch > 0 && options_.workers > 0);
  HEED_CHECK(model_.engine != nullptr && model_.sources.empty());
}

Request Generator::request_of(const std::string& beginning, int64_t number,
                              WarningList& warnings) const {
  Request request{.source = {},
                  .config = options_.search,
                  .number = number,
                  .prefix = model_.target_codec().encode(well_formed(beginning, warnings)),
                  .suppressed = suppressed_};
  request.config.nbest = wanted_hypotheses(options_.search);
  if (std::ranges::count(request.prefix, kUnknown) > 0)
    warnings.push_back(
        {WarningKind::kUnknown, "words outside the vocabulary, as <unk>", beginning});
  return request;
}

Translated Generator::to_text(const Hypothesis& hypothesis, bool& separated) const {
  const Codec& codec = model_.target_codec();
  Translated result = with_scores_of(hypothesis);
  result.pieces = codec.pieces(hypothesis.ids);
  result.text = codec.decode(result.pieces, separated);
  return result;
}

std::vector<TranslatedLine> Generator::generate(const std::vector<std::string>& beginnings,
                                                int64_t first) const {
  std::vector<Request> requests;
  std::vector<int64_t> lengths;
  std::vector<TranslatedLine> texts(beginnings.size());
  for (const std::string& beginning : beginnings) {
    const size_t i = requests.size();
    requests.push_back(request_of(beginning, first + static_cast<int64_t>(i), texts[i].warnings));
    lengths.push_back(1 + std::ssize(requests.back().prefix));
  }
  const auto groups = groups_by_length(lengths, options_.batch, *std::ranges::max_element(lengths));
  const auto search_group = [&](size_t g) {
    if (options_.before_batch) options_.before_batch();
    std::vector<Request> some;
    for (const size_t i : groups[g]) some.push_back(requests[i]);
    const auto what = [&] {
      return fmt::format(
          "the search of {} texts; a smaller --batch, --beam or --max-length needs less",
          some.size());
    };
    const auto found = with_memory_for(what, [&] { return search(*model_.engine, some); });
    for (size_t k = 0; k < found.size(); ++k) {
      TranslatedLine& text = texts[groups[g][k]];
      bool separated = false;
      for (const Hypothesis& hypothesis : found[k])
        text.best.push_back(to_text(hypothesis, separated));
      check_separators(separated, text.warnings);
      keep_distinct(options_.search, text.best, text.warnings);
      check_end(text.best.front(), text.warnings);
    }
    if (options_.after_batch) options_.after_batch(std::ssize(found));
  };
  const auto threads = model_.engine->threads();
  run_in_workers(options_.workers, groups.size(), search_group, *threads);
  for (size_t i = 0; i < texts.size(); ++i)
    add_to(options_.warnings, texts[i].warnings, first + static_cast<int64_t>(i));
  return texts;
}

}  // namespace heed
