#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/tensors/commands.h"
#include "cli/tensors/summary.h"
#include "config/writer.h"
#include "model/saved_model.h"
#include "train/progress.h"

namespace heed {

namespace {

std::string row(const std::string& name, const std::string& value) {
  return fmt::format("{:<12} {}\n", name, value);
}

std::string written_by(const fs::path& model) {
  const auto extra = nlohmann::json::parse(check_manifest(model), nullptr, false);
  return "heed " + (extra.is_object() ? extra.value("heed", "?") : std::string("?"));
}

std::string vocabularies(const LoadedModel& model) {
  std::string text = "vocabularies\n";
  for (const auto& [side, codec] : model.codecs) {
    const TokenizerConfig& tokenizer = *model.config.text.at(side).tokenizer;
    const std::string kind = tokenizer.share ? "that of " + *tokenizer.share : tokenizer.type;
    text += fmt::format("  {:<10} {:<16} {:>8} pieces, hash {}\n", side, kind,
                        format_count(codec->vocabulary().size()), codec->vocabulary().hash());
  }
  return text;
}

// Of the checkpoint around a model folder; "" where the model stands alone.
std::string training(const fs::path& model) {
  const fs::path checkpoint = fs::weakly_canonical(model).parent_path();
  const fs::path file = checkpoint / "progress.json";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return "";
  check_manifest(checkpoint);
  const Progress progress = progress_from_json(read_file(file), file.string());
  std::string text = "training\n";
  text += fmt::format("  {} updates in {}, epoch {}, {} examples, {} updates skipped\n",
                      format_count(progress.update), format_duration(progress.seconds),
                      progress.position.epoch + 1, format_count(progress.examples),
                      format_count(progress.skipped));
  for (const Validation& validation : progress.validations) {
    text += fmt::format("  after update {}: {}\n", format_count(validation.update),
                        describe(validation));
  }
  return text;
}

std::string indented(const std::string& text) {
  std::string result = "  ";
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) result += "  ";
  }
  return result;
}

std::string describe(const fs::path& folder) {
  LoadedModel model = load_model(folder, torch::kCPU);
  std::string text = row("model", folder.string()) + row("written by", written_by(folder));
  if (!model.config.tags.empty())
    text += row("tags", fmt::format("{}", fmt::join(model.config.tags, ", ")));
  text += "parameters\n" + parameter_table(*model.network) + vocabularies(model) + training(folder);
  return text + "config\n" + indented(write_config(model.config));
}

}  // namespace

int run_inspect(const InspectOptions& options) {
  std::string text;
  read_model(options.model, [&](const fs::path& folder) { text = describe(folder); });
  AtomicFile out("-");
  out.write(text);
  out.commit();
  return 0;
}

}  // namespace heed
