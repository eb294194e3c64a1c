#include "train/first_batch.h"

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"
#include "model/model_spec.h"
#include "model/pair_encoder_spec.h"

namespace heed {

namespace {

// Labels of each token of a source, one line for each of its factors.
std::string describe_factors(const TrainJob& job, const Example& example, size_t source) {
  std::string text;
  size_t next = 0;
  for (const SourceFactor& factor : source_factors(job.model, job.codecs)) {
    if (factor.source != source) continue;
    const Ids& labels = example.factors.at(source).at(next++);
    text +=
        fmt::format("{}: {}\n", factor.name,
                    printable(fmt::format("{}", fmt::join(factor.labels->pieces(labels), " "))));
  }
  return text;
}

}  // namespace

std::string describe_first_batch(const TrainJob& job) {
  const std::vector<Example> examples = examples_of(job.batches->next());
  std::string text = fmt::format("first batch: {} sentences, {} source and {} target tokens\n",
                                 examples.size(), source_tokens(examples), target_tokens(examples));
  constexpr size_t kShown = 5;
  const size_t shown = std::min(kShown, examples.size());
  for (size_t e = 0; e < shown; ++e) {
    const Example& example = examples[e];
    for (size_t i = 0; i < job.model.sources.size(); ++i) {
      const std::string& name = job.model.sources[i];
      const Ids& ids = example.sources[i];
      text += fmt::format("{}: {}\n  {}\n", name, printable(job.codecs.at(name)->decode(ids)),
                          fmt::join(ids, " "));
      text += describe_factors(job, example, i);
    }
    if (example.tag)
      text += fmt::format("{}: {}\n", kTagInput, job.model.tags[static_cast<size_t>(*example.tag)]);
    const Codec& target = *job.codecs.at(kTargetSide);
    const auto behind = example.copyable.value_or(Copyable()).behind;
    text += fmt::format("{}: {}\n  {}\n", kTargetSide,
                        printable(target.decode(target.pieces(example.target, behind))),
                        fmt::join(example.target, " "));
  }
  if (shown < examples.size()) {
    text += fmt::format("and {} more\n", examples.size() - shown);
  }
  return text;
}

}  // namespace heed
