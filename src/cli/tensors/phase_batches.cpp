#include "cli/tensors/phase_batches.h"

#include <map>
#include <string>

#include "base/host.h"
#include "config/writer.h"

namespace heed {

namespace {

// Indices of the sides whose subwords are sampled.
std::vector<size_t> sampled_sides(const DataConfig& data, const SubwordRegularization& how) {
  const std::vector<std::string> sides = data.sides();
  std::vector<size_t> numbers;
  for (size_t side = 0; side < sides.size(); ++side) {
    if (how.takes(sides[side])) numbers.push_back(side);
  }
  return numbers;
}

// Text of all settings that a corpus depends on.
std::string corpus_key(const DataConfig& data, const LearningConfig& learning) {
  DataConfig own = data;
  own.valid.clear();
  own.test.clear();
  const auto& sampling = learning.subword_regularization;
  return write_inline(own) + (sampling ? write_inline(*sampling) : "");
}

class BatchMaker {
 public:
  BatchMaker(const RunConfig& config, const PairEncoder& encoder, const IndexCache& cache)
      : config_(config), encoder_(encoder), cache_(cache) {}

  PhaseBatches make(const DataConfig& data, const LearningConfig& learning,
                    const std::shared_ptr<const TrainingText>& text) {
    const std::string key = corpus_key(data, learning);
    auto& corpus = corpora_[key];
    if (!corpus) corpus = read(data, learning, text);
    auto& stream = streams_[key + write_inline(learning.batch)];
    if (!stream)
      stream = std::make_shared<EpochBatchStream>(
          corpus, StreamOptions{.limit = learning.batch.limit(),
                                .seed = static_cast<uint64_t>(config_.seed)});
    return {corpus, stream};
  }

 private:
  std::shared_ptr<const ParallelCorpus> read(const DataConfig& data, const LearningConfig& learning,
                                             std::shared_ptr<const TrainingText> text) const {
    if (!text) text = std::make_shared<TrainingText>(find_training_files(data, {}), cache_.files);
    const Indexing all{.text = *text,
                       .encoder = encoder_,
                       .cleaning = data.cleaning,
                       .threads = static_cast<int>(usable_cores())};
    const auto corpus =
        std::make_shared<ParallelCorpus>(text, encoder_, data.cleaning, cached_index(all, cache_));
    corpus->report().require(config_.data.min_kept);
    corpus->temper(data.temperature);
    if (const auto& how = learning.subword_regularization)
      corpus->regularize(*how, sampled_sides(data, *how));
    return corpus;
  }

  const RunConfig& config_;
  const PairEncoder& encoder_;
  const IndexCache& cache_;
  std::map<std::string, std::shared_ptr<const ParallelCorpus>> corpora_;
  std::map<std::string, std::shared_ptr<BatchStream>> streams_;
};

}  // namespace

std::vector<PhaseBatches> make_batches(const RunConfig& config,
                                       const std::shared_ptr<const TrainingText>& text,
                                       const PairEncoder& encoder, const IndexCache& cache) {
  BatchMaker maker(config, encoder, cache);
  std::vector<PhaseBatches> batches = {maker.make(config.data, config.train, text)};
  for (const RunPhase& phase : config.phases)
    batches.push_back(maker.make(phase.data, phase.learning, nullptr));
  return batches;
}

}  // namespace heed
