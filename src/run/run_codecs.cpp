#include "run/run_codecs.h"

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "config/changed_settings.h"
#include "config/writer.h"

namespace heed {

namespace {

// For a folder that is gone at the end.
fs::path temporary_path() { return fs::temp_directory_path() / fmt::format("heed-{}", getpid()); }

// The codecs of the other model whose vocabularies can be extended: those with the same tokenizer.
Codecs extendable(const TextConfigs& text, const ModelText& initial) {
  Codecs codecs = initial.codecs;
  for (const ChangedSetting& change : changed_text(initial.config.text, text)) {
    if (change.key.find(".vocabulary.") != std::string::npos) continue;
    constexpr size_t kSide = std::string_view("text.").size();
    codecs.erase(change.key.substr(kSide, change.key.find('.', kSide) - kSide));
  }
  return codecs;
}

// With another model's vocabularies, `text` has to be that model's, of the sides that there are.
void check_text(const TextConfigs& text, const ModelText& initial) {
  for (const auto& [key, before, now] : changed_text(initial.config.text, text)) {
    if (now == kNotSet) continue;
    throw_error(ErrorKind::kUsage,
                "{}: found {}, but {} was trained with {}; leave `text` out to use its "
                "vocabularies, or set init.extend_vocabulary: true",
                key, now, initial.folder.string(),
                before == kNotSet ? "another tokenizer" : before);
  }
}

// The labels of the other model where it has them.
Codecs with_labels_of(const ModelText& initial, Codecs codecs, Codecs labels) {
  for (auto& [name, codec] : labels) {
    if (initial.config.model.embedding.source_factors.contains(name))
      codec = initial.codecs.at(name);
  }
  codecs.merge(std::move(labels));
  return codecs;
}

// With those of the source factors.
Codecs learn_codecs(const RunConfig& config, const TrainingText& text, const Codecs& former) {
  const std::vector<std::string> sides = config.data.sides();
  std::map<std::string, LineSource> lines;
  for (size_t side = 0; side < sides.size(); ++side)
    lines[sides[side]] = text.side_lines(side, config.data.cleaning);
  Codecs codecs = build_codecs(config.text, lines, static_cast<uint64_t>(config.seed), former);
  codecs.merge(learn_label_codecs(config, text, former));
  return codecs;
}

}  // namespace

Codecs new_codecs(const RunConfig& config, const TrainingText& text, const ModelText* initial) {
  if (initial && !config.init.extend_vocabulary) {
    check_text(config.text, *initial);
    return with_labels_of(*initial, load_codecs(initial->folder, config.text),
                          learn_label_codecs(config, text));
  }
  return learn_codecs(config, text, initial ? extendable(config.text, *initial) : Codecs());
}

Codecs learn_label_codecs(const RunConfig& config, const TrainingText& text, const Codecs& former) {
  const std::vector<std::string> names = config.data.factors();
  Codecs codecs;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto found = former.find(names[i]);
    codecs[names[i]] = build_label_codec(text.factor_lines(i, config.data.cleaning),
                                         found == former.end() ? nullptr : found->second.get());
  }
  return codecs;
}

Codecs load_run_codecs(const std::filesystem::path& folder, const RunConfig& config) {
  Codecs codecs = load_codecs(folder, config.text);
  codecs.merge(load_label_codecs(folder, config.data.factors()));
  return codecs;
}

CodecFiles codec_files(const RunConfig& config, const Codecs& codecs) {
  const AtomicDirectory folder(temporary_path());
  save_codecs(folder.temporary(), config.text, codecs);
  save_label_codecs(folder.temporary(), config.data.factors(), codecs);
  CodecFiles files;
  for (const fs::path& file : list_files(folder.temporary()))
    files[file.filename().string()] = read_file(file);
  return files;
}

Codecs load_codec_files(const RunConfig& config, const CodecFiles& files) {
  const AtomicDirectory folder(temporary_path());
  for (const auto& [name, bytes] : files) write_file(folder.temporary() / name, bytes);
  return load_run_codecs(folder.temporary(), config);
}

std::string describe_vocabularies(const RunConfig& run, const Codecs& codecs) {
  const TextConfigs& text = run.text;
  std::vector<std::string> parts;
  for (const auto& [owner, config] : text) {
    std::vector<std::string> sides;
    for (const auto& [side, unused] : text) {
      if (owner_of(text, side) == owner) sides.push_back(side);
    }
    if (!sides.empty())
      parts.push_back(fmt::format("{} {} {}", fmt::join(sides, " and "),
                                  format_count(codecs.at(owner)->vocabulary().size()),
                                  config.tokenizer->unit()));
  }
  for (const std::string& factor : run.data.factors())
    parts.push_back(
        fmt::format("{} {} labels", factor, format_count(codecs.at(factor)->vocabulary().size())));
  return fmt::format("vocabulary: {}", fmt::join(parts, ", "));
}

std::string hash_of_codecs(const RunConfig& config, const Codecs& codecs) {
  TextSection section;
  section.text = config.text;
  ContentHash hash;
  hash.add(write_config(section));
  for (const auto& [name, bytes] : codec_files(config, codecs))
    hash.add(fmt::format("{} {} {}", name, bytes.size(), bytes));
  return hash.digest();
}

}  // namespace heed
