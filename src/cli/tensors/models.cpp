#include "cli/tensors/models.h"

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "cli/tensors/commands.h"

namespace heed {

namespace {

// The file given for a source; a model with one source takes a bare name too.
std::string path_of(const std::string& source, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& sources) {
  const std::string prefix = source + "=";
  for (const std::string& input : inputs) {
    if (input.starts_with(prefix)) return input.substr(prefix.size());
  }
  if (sources.size() == 1 && inputs.empty()) return "-";
  if (sources.size() == 1 && inputs.size() == 1) return inputs.front();
  throw_error(ErrorKind::kUsage, "no input for the source '{}'; the model reads {}: give {}=FILE",
              source, fmt::join(sources, ", "), source);
}

}  // namespace

TextModel load_text_model(const std::vector<std::string>& paths, const std::string& device) {
  const torch::Device place = choose_device(device);
  std::vector<LoadedModel> models;
  for (const std::string& path : paths) models.push_back(load_model(find_model(path), place));
  return text_model(std::move(models));
}

int64_t worker_count(std::optional<int64_t> workers, const TextModel& model) {
  if (workers) return *workers;
  const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
  return model.device().is_cuda() ? 1 : std::max<int64_t>(1, cores);
}

SearchConfig search_config(const SearchOptions& options, std::optional<int64_t> nbest,
                           const TextModel& model) {
  SearchConfig config = model.search;
  config.nbest = nbest.value_or(1);
  config.beam = options.beam.value_or(std::max(config.beam, config.nbest));
  if (config.nbest > config.beam) {
    throw_error(ErrorKind::kUsage, "--nbest {} needs --beam {} or more, found --beam {}",
                config.nbest, config.nbest, config.beam);
  }
  config.length_penalty = options.length_penalty.value_or(config.length_penalty);
  config.min_length = options.min_length.value_or(config.min_length);
  if (options.max_length) {
    if (*options.max_length < config.min_length) {
      throw_error(ErrorKind::kUsage, "--min-length {} is more than --max-length {}",
                  config.min_length, *options.max_length);
    }
    config.max_length_ratio = 0;
    config.max_length_extra = *options.max_length;
  }
  return config;
}

SourceReader::SourceReader(const TextModel& model, const std::vector<std::string>& inputs) {
  if (inputs.size() > std::max<size_t>(1, model.sources.size())) {
    throw_error(ErrorKind::kUsage, "{} inputs, but the model reads {}: {}", inputs.size(),
                model.sources.size(), fmt::join(model.sources, ", "));
  }
  for (const std::string& source : model.sources) {
    paths_.push_back(path_of(source, inputs, model.sources));
    readers_.push_back(std::make_unique<LineReader>(paths_.back()));
  }
}

bool SourceReader::next(SourceLine& line) {
  line.resize(readers_.size());
  std::vector<size_t> ended;
  for (size_t i = 0; i < readers_.size(); ++i) {
    if (!readers_[i]->next(line[i])) ended.push_back(i);
  }
  if (!ended.empty() && ended.size() < readers_.size()) {
    throw_error(ErrorKind::kData, "{}: ends after {} lines, before the other sources do",
                paths_[ended.front()], readers_[ended.front()]->line_number());
  }
  return ended.empty();
}

std::optional<int64_t> SourceReader::count_lines() const {
  const std::string& path = paths_.front();
  if (path == "-" || !fs::is_regular_file(path)) return std::nullopt;
  LineReader reader(path);
  for (std::string line; reader.next(line);) continue;
  return reader.line_number();
}

std::string SourceReader::name() const { return fmt::format("{}", fmt::join(paths_, ", ")); }

std::vector<SourceLine> read_all(SourceReader& reader) {
  std::vector<SourceLine> lines;
  for (SourceLine line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace heed
