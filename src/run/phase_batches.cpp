#include "run/phase_batches.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "base/host.h"
#include "config/settings_tree.h"

namespace heed {

namespace {

// Indices of the sides whose subwords are sampled.
std::vector<size_t> sampled_sides(const DataConfig& data, const SubwordRegularizationConfig& how) {
  const std::vector<std::string> sides = data.sides();
  std::vector<size_t> numbers;
  for (size_t side = 0; side < sides.size(); ++side) {
    if (how.takes(sides[side])) numbers.push_back(side);
  }
  return numbers;
}

// Settings that the pairs of a corpus depend on.
struct CorpusSettings {
  CorpusSettings(const DataConfig& all, const LearningConfig& learning)
      : data(all), sampling(learning.subword_regularization) {
    data.valid.clear();
    data.test.clear();
  }
  bool operator==(const CorpusSettings& other) const {
    return equal(data, other.data) && sampling.has_value() == other.sampling.has_value() &&
           (!sampling || equal(*sampling, *other.sampling));
  }
  DataConfig data;
  std::optional<SubwordRegularizationConfig> sampling;
};

class BatchMaker {
 public:
  BatchMaker(const RunConfig& config, const PairEncoder& encoder, const IndexCache& cache)
      : config_(config), encoder_(encoder), cache_(cache) {}

  // text(): the training text of the phase; it is read only if its corpus is new.
  template <class Text>
  PhaseBatches make(const DataConfig& data, const LearningConfig& learning, const Text& text) {
    Corpus& known = corpus_of({data, learning});
    if (!known.corpus) known.corpus = read(data, learning, text());
    return {known.corpus, stream_of(known, learning.batch)};
  }

 private:
  struct Corpus {
    CorpusSettings settings;
    std::shared_ptr<const ParallelCorpus> corpus{};
    std::vector<std::pair<BatchConfig, std::shared_ptr<BatchStream>>> streams{};
  };

  Corpus& corpus_of(const CorpusSettings& settings) {
    const auto found = std::ranges::find(corpora_, settings, &Corpus::settings);
    if (found != corpora_.end()) return *found;
    return corpora_.emplace_back(Corpus{settings});
  }

  std::shared_ptr<BatchStream> stream_of(Corpus& known, const BatchConfig& batch) const {
    for (const auto& [settings, stream] : known.streams) {
      if (equal(settings, batch)) return stream;
    }
    const StreamOptions options{.limit = batch.limit(),
                                .seed = static_cast<uint64_t>(config_.seed)};
    const auto stream = std::make_shared<EpochBatchStream>(known.corpus, options);
    known.streams.emplace_back(batch, stream);
    return stream;
  }

  std::shared_ptr<const ParallelCorpus> read(
      const DataConfig& data, const LearningConfig& learning,
      const std::shared_ptr<const TrainingText>& text) const {
    const Indexing all{.text = *text,
                       .encoder = encoder_,
                       .cleaning = data.cleaning,
                       .threads = static_cast<int>(usable_cores())};
    const auto corpus =
        std::make_shared<ParallelCorpus>(text, encoder_, data.cleaning, cached_index(all, cache_));
    corpus->report().require(config_.data.min_kept);
    corpus->sample_by_temperature(data.temperature);
    if (const auto& how = learning.subword_regularization)
      corpus->regularize(*how, sampled_sides(data, *how));
    if (data.augment) corpus->augment(*data.augment, data.sides(), all.threads);
    return corpus;
  }

  const RunConfig& config_;
  const PairEncoder& encoder_;
  const IndexCache& cache_;
  std::deque<Corpus> corpora_;  // a reference to one stays valid
};

}  // namespace

std::vector<PhaseBatches> make_batches(const RunConfig& config, const RunFiles& files,
                                       const std::shared_ptr<const TrainingText>& text,
                                       const PairEncoder& encoder, const IndexCache& cache) {
  BatchMaker maker(config, encoder, cache);
  std::vector<PhaseBatches> batches = {maker.make(config.data, config.train, [&] { return text; })};
  for (size_t i = 0; i < config.phases.size(); ++i) {
    const auto own = [&] {
      return std::make_shared<const TrainingText>(files.phases[i + 1], cache.files);
    };
    batches.push_back(maker.make(config.phases[i].data, config.phases[i].learning, own));
  }
  return batches;
}

}  // namespace heed
