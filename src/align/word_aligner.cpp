#include "align/word_aligner.h"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "align/diagonal_model.h"
#include "align/jump_model.h"

namespace heed {

namespace {

using Words = SentencePairs::Words;

bool is_alignable(Words source, Words target) {
  const auto is_within = [](Words words) {
    return !words.empty() && words.size() <= WordAligner::kLongest;
  };
  return is_within(source) && is_within(target);
}

// Cells of the pairs of words of a sentence pair, target by target.
struct Cells {
  Cells(const WordPairTable& table, Words source, Words target) : sources(source.size()) {
    values.reserve(source.size() * target.size());
    for (const int32_t t : target) {
      for (const int32_t s : source) values.push_back(table.find(s, t));
    }
  }
  size_t operator()(size_t source, size_t target) const {
    return values[target * sources + source];
  }
  size_t sources;
  std::vector<size_t> values{};
};

// t(observed word | position) of all words and positions.
PositionMatrix emissions(const WordPairTable& table, ModelDirection direction, const Cells& cells,
                         Words source, Words target) {
  const bool forward = direction == kForward;
  const Words observed = forward ? target : source, given = forward ? source : target;
  PositionMatrix matrix;
  matrix.resize(observed.size(), given.size() + 1);
  for (size_t j = 0; j < observed.size(); ++j) {
    float* row = matrix.row(j);
    row[0] = table.null(direction, observed[j]);
    for (size_t i = 0; i < given.size(); ++i)
      row[i + 1] = table.probability(direction, forward ? cells(i, j) : cells(j, i));
  }
  return matrix;
}

// Sentence pairs that are counted at once: blocks of adjacent ones, each of which is counted by one
// thread. The blocks depend on the text alone, and their size is limited by their cells.
class Round {
 public:
  static constexpr size_t kBlocks = 64;

  Round(const SentencePairs& pairs, size_t begin) : ends_{begin} {
    constexpr size_t kBlockPairs = 64, kCells = size_t{1} << 22, kBlockCells = kCells / kBlocks;
    const auto cells_of = [&](size_t pair) {
      const Words source = pairs.source(pair), target = pairs.target(pair);
      return is_alignable(source, target) ? source.size() * target.size() : 0;
    };
    size_t end = begin, all = 0;
    while (ends_.size() <= kBlocks && end < pairs.size()) {
      size_t cells = cells_of(end);
      if (ends_.size() > 1 && all + cells > kCells) break;
      const size_t first = end++;
      for (; end < pairs.size() && end - first < kBlockPairs; ++end) {
        const size_t more = cells_of(end);
        if (cells + more > kBlockCells) break;
        cells += more;
      }
      all += cells;
      ends_.push_back(end);
    }
  }
  size_t blocks() const { return ends_.size() - 1; }
  // The first pair of a block, and behind its last one.
  size_t begin(size_t block) const { return ends_[block]; }
  size_t end(size_t block) const { return ends_[block + 1]; }
  size_t end() const { return ends_.back(); }

 private:
  std::vector<size_t> ends_;
};

}  // namespace

// Expected counts of a block of sentence pairs, in the order of the pairs.
struct WordAligner::Expectation {
  using Count = WordPairCounts::Count;
  std::array<std::vector<Count>, WordPairCounts::kShards> counts{};
  std::array<std::vector<std::pair<int32_t, float>>, 2> null{};  // words and counts
  std::array<PositionCounts, 2> positions{};
  std::array<double, 2> log_likelihood{};

  void reset(const std::array<std::unique_ptr<PositionModel>, 2>& models) {
    for (const ModelDirection d : kDirections) {
      null[d].clear();
      positions[d].assign(models[d]->counts_size(), 0);
      log_likelihood[d] = 0;
    }
  }
  // Keeps little memory, since each block may once have long sentences.
  void clear(size_t shard) {
    constexpr size_t kKept = 1024;
    if (counts[shard].capacity() > kKept) std::vector<Count>().swap(counts[shard]);
    counts[shard].clear();
  }
};

WordAligner::WordAligner(const SentencePairs& pairs, int32_t sources, int32_t targets,
                         const AlignerOptions& options, const Workers& workers,
                         const TrainingWatch& watch)
    : table_(pairs, sources, targets, workers), alpha_(options.alpha) {
  WordPairCounts counts(table_);
  for (auto& model : models_)
    model = std::make_unique<DiagonalModel>(options.null, options.tension);
  const auto observed = [&](ModelDirection d) {
    return static_cast<double>(d == kForward ? pairs.target_words() : pairs.source_words());
  };
  for (int64_t i = 0; i < options.diagonal_iterations + options.jump_iterations; ++i) {
    const bool jumps = i >= options.diagonal_iterations;
    if (i == options.diagonal_iterations) {
      for (auto& model : models_) model = std::make_unique<JumpModel>(options.jump_null);
    }
    iterate(pairs, counts, workers, jumps && options.agreement, watch);
    watch.message(
        fmt::format("iteration {}: log-likelihood per word {:.3f} forward, {:.3f} reverse", i + 1,
                    log_likelihood_[kForward] / observed(kForward),
                    log_likelihood_[kReverse] / observed(kReverse)));
  }
}

void WordAligner::iterate(const SentencePairs& pairs, WordPairCounts& counts,
                          const Workers& workers, bool agree, const TrainingWatch& watch) {
  std::array<PositionCounts, 2> positions;
  for (const ModelDirection d : kDirections) {
    positions[d].assign(models_[d]->counts_size(), 0);
    log_likelihood_[d] = 0;
  }
  std::vector<Expectation> blocks(Round::kBlocks);
  const auto expect = [&](size_t pair, Expectation& block) {
    const Words source = pairs.source(pair), target = pairs.target(pair);
    if (!is_alignable(source, target)) return;
    const Cells cells(table_, source, target);
    std::array<PositionMatrix, 2> found;
    for (const ModelDirection d : kDirections)
      block.log_likelihood[d] += models_[d]->posteriors(emissions(table_, d, cells, source, target),
                                                        found[d], block.positions[d]);
    for (size_t t = 0; t < target.size(); ++t) {
      for (size_t s = 0; s < source.size(); ++s) {
        float forward = found[kForward].row(t)[s + 1], reverse = found[kReverse].row(s)[t + 1];
        if (agree) forward = reverse = forward * reverse;
        const size_t cell = cells(s, t), shard = counts.shard_of(cell);
        block.counts[shard].push_back(counts.count_of(cell, forward, reverse));
      }
      block.null[kForward].emplace_back(target[t], found[kForward].row(t)[0]);
    }
    for (size_t s = 0; s < source.size(); ++s)
      block.null[kReverse].emplace_back(source[s], found[kReverse].row(s)[0]);
  };
  for (size_t begin = 0; begin < pairs.size();) {
    const Round round(pairs, begin);
    workers(round.blocks(), [&](size_t b) {
      blocks[b].reset(models_);
      for (size_t pair = round.begin(b); pair < round.end(b); ++pair) expect(pair, blocks[b]);
    });
    workers(WordPairCounts::kShards, [&](size_t shard) {
      for (size_t b = 0; b < round.blocks(); ++b) {
        for (const auto& count : blocks[b].counts[shard]) counts.add(shard, count);
        blocks[b].clear(shard);
      }
    });
    for (size_t b = 0; b < round.blocks(); ++b) {
      const Expectation& block = blocks[b];
      for (const ModelDirection d : kDirections) {
        for (const auto& [word, count] : block.null[d]) counts.add_null(d, word, count);
        for (size_t i = 0; i < positions[d].size(); ++i) positions[d][i] += block.positions[d][i];
        log_likelihood_[d] += block.log_likelihood[d];
      }
    }
    watch.pairs(static_cast<int64_t>(round.end() - begin));
    begin = round.end();
  }
  counts.maximize(table_, alpha_, workers);
  for (const ModelDirection d : kDirections) models_[d]->maximize(positions[d]);
}

AlignedPair WordAligner::align(Words source, Words target) const {
  AlignedPair aligned;
  if (!is_alignable(source, target)) return aligned;
  const Cells cells(table_, source, target);
  for (const ModelDirection d : kDirections) {
    PositionMatrix posteriors;
    PositionCounts counts(models_[d]->counts_size());
    aligned.log_likelihood[d] =
        models_[d]->posteriors(emissions(table_, d, cells, source, target), posteriors, counts);
    for (size_t j = 0; j < posteriors.words; ++j) {
      const float* row = posteriors.row(j);
      const auto best = std::max_element(row, row + posteriors.positions) - row;
      if (best == 0) continue;
      const auto word = static_cast<int32_t>(j), position = static_cast<int32_t>(best - 1);
      aligned.links[d].push_back(d == kForward ? std::pair(position, word)
                                               : std::pair(word, position));
    }
  }
  return aligned;
}

}  // namespace heed
