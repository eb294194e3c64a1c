#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/tensors/commands.h"
#include "cli/tensors/models.h"
#include "search/line_scores.h"

namespace heed {

namespace {

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

template <class T>
std::vector<T> part(const std::vector<T>& all, size_t begin, size_t end) {
  return {all.begin() + static_cast<int64_t>(begin), all.begin() + static_cast<int64_t>(end)};
}

}  // namespace

int run_score(const ScoreOptions& options) {
  const TextModel model = load_text_model(options.models, options.device);
  SourceReader reader(model, options.sources, options.tag, false);
  const std::vector<SourceLine> sources = read_all(reader);
  const std::vector<std::string> targets = read_lines(options.target);
  if (sources.size() != targets.size()) {
    throw_error(ErrorKind::kData,
                "{}: {} lines, but {}: {} lines; line N of one must belong to line N of the other",
                reader.name(), sources.size(), options.target, targets.size());
  }
  AtomicFile out(options.output);
  constexpr size_t kWindow = 10000;
  for (size_t begin = 0; begin < sources.size(); begin += kWindow) {
    const size_t end = std::min(sources.size(), begin + kWindow);
    const LineScoreOptions how{.batch = options.batch,
                               .workers = worker_count(options.workers, model)};
    for (const LineScore& line :
         score_lines(model, part(sources, begin, end), part(targets, begin, end), how,
                     static_cast<int64_t>(begin) + 1)) {
      out.write(fmt::format("{:.6f}\n", line.score.log_probability));
    }
    out.flush();
  }
  out.commit();
  return 0;
}

}  // namespace heed
