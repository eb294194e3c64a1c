#include "cli/score/tensors/scored_pairs.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "cli/score/options.h"
#include "load/worker_count.h"

namespace heed {

namespace {

template <class T>
std::vector<T> part(const std::vector<T>& all, size_t begin, size_t end) {
  return {all.begin() + static_cast<int64_t>(begin), all.begin() + static_cast<int64_t>(end)};
}

std::vector<int64_t> numbers_from(size_t first, size_t count) {
  std::vector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), static_cast<int64_t>(first));
  return numbers;
}

}  // namespace

std::vector<SourceLine> read_sources(const NetworkModel& model, const ScoreOptions& options,
                                     int64_t lines, const std::string& counterpart) {
  if (model.inputs.empty()) {
    refuse_source(model, "--source", options.sources, options.tag);
    return std::vector<SourceLine>(static_cast<size_t>(lines));
  }
  if (options.sources.empty()) {
    throw_error(ErrorKind::kUsage, "the model reads {}: give --source FILE",
                fmt::join(model.inputs, ", "));
  }
  SourceReader reader(model, options.sources, options.tag, nullptr, {options.target});
  std::vector<SourceLine> sources = read_all(reader);
  if (std::ssize(sources) == lines) return sources;
  throw_error(ErrorKind::kData, "{}: {} lines, but {}", reader.name(), sources.size(), counterpart);
}

void score_pairs(const NetworkModel& model, const ScoredPairs& pairs,
                 const DecodingOptions& decoding,
                 const std::function<void(const std::vector<LineScore>&)>& take) {
  constexpr size_t kWindow = 10000;
  LineWarnings warnings;
  const LineScoreOptions how{.batch = decoding.batch.value_or(Engine::kBatch),
                             .workers = worker_count(decoding.workers, model.on_gpu),
                             .warnings = &warnings};
  for (size_t begin = 0; begin < pairs.sources.size(); begin += kWindow) {
    const size_t end = std::min(pairs.sources.size(), begin + kWindow);
    const auto numbers = pairs.numbers.empty() ? numbers_from(begin + 1, end - begin)
                                               : part(pairs.numbers, begin, end);
    take(score_lines(model, part(pairs.sources, begin, end), part(pairs.targets, begin, end), how,
                     numbers));
  }
  warnings.log();
}

}  // namespace heed
