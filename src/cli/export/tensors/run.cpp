#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/export/options.h"
#include "cli/model_path.h"
#include "cli/new_output.h"
#include "cli/tensors/entry.h"
#include "data/cleaning.h"
#include "exchange/exports.h"
#include "packed/stored_tensors.h"
#include "translate/lexicon.h"
#include "translate/marian_shortlist.h"

namespace heed {

namespace {

using Format = ExportOptions::Format;

Precision precision_of(const ExportOptions& options, const LoadedModel& model) {
  const bool is_int8 =
      options.format == Format::kArgos || packed_precision(model.folder) == Precision::kInt8;
  return options.precision.value_or(is_int8 ? Precision::kInt8 : Precision::kFloat);
}

// The most probable translations of each source token. Marian adds the first tokens of the vocabulary.
MarianShortlist shortlist_of(const fs::path& file, const LoadedModel& model,
                             const MarianSizes& sizes) {
  constexpr size_t kBest = 50;
  constexpr uint64_t kFrequent = 100;
  const Lexicon lexicon =
      Lexicon::read(file, model.codecs.at(model.config.sources.front())->vocabulary(),
                    model.codecs.at(kTargetSide)->vocabulary());
  MarianShortlist shortlist{.frequent = kFrequent, .best = kBest, .targets = {}};
  shortlist.targets.resize(static_cast<size_t>(sizes.source));
  for (int32_t source = kSpecials; source < lexicon.sources(); ++source) {
    std::vector<uint32_t>& own = shortlist.targets[id_in_marian(source)];
    for (const Lexicon::Entry& entry : lexicon.of(source)) {
      if (own.size() < kBest) own.push_back(id_in_marian(entry.target));
    }
    std::ranges::sort(own);
  }
  return shortlist;
}

void write_marian(const LoadedModel& model, const ExportOptions& options, const fs::path& folder) {
  constexpr size_t kMostLines = 200;
  const std::string& format = options.marian_format;
  std::vector<std::string> lines;
  if (!options.calibration.empty() && format != "int8")
    throw_error(ErrorKind::kUsage, "--calibrate: is for --format int8; the format is {}", format);
  if (!options.calibration.empty()) {
    LineReader reader(options.calibration);
    for (std::string line; lines.size() < kMostLines && reader.next(line);) {
      if (!is_blank(line)) lines.push_back(line);
    }
    if (lines.empty())
      throw_error(ErrorKind::kData, "{}: has no line with text, expected lines of the source",
                  options.calibration);
  }
  const MarianSizes sizes = export_marian(model, folder,
                                          format == "npz"   ? MarianFormat::kNpz
                                          : format == "bin" ? MarianFormat::kBinary
                                                            : MarianFormat::kIntgemm,
                                          lines);
  if (!options.shortlist.empty())
    write_marian_shortlist(folder / "lex.s2t.bin", shortlist_of(options.shortlist, model, sizes));
}

// Writes into an empty folder. Returns what the output is made from: the folder, or a file in it.
fs::path write_export(const LoadedModel& model, const ExportOptions& options, Precision precision,
                      const fs::path& folder) {
  switch (options.format) {
    case Format::kHf:
      export_hf(model, folder);
      return folder;
    case Format::kCTranslate2:
      export_ctranslate2(model, folder, precision);
      return folder;
    case Format::kMarian:
      write_marian(model, options, folder);
      return folder;
    case Format::kArgos: {
      const fs::path content = folder / "content", package = folder / "package";
      fs::create_directory(content);
      export_argos(model, content, package,
                   {.source_language = options.source_language,
                    .target_language = options.target_language,
                    .precision = precision});
      return package;
    }
  }
  return folder;
}

int run_export(const ExportOptions& options) {
  refuse_existing("", options.output, options.kind());
  refuse_outputs_in_runs({{"the output", options.output}});
  refuse_other_than_model(options.model);
  LoadedModel model;
  read_model(options.model,
             [&model](const fs::path& folder) { model = load_model(folder, torch::kCPU); });
  const Precision precision = precision_of(options, model);
  if (precision == Precision::kFloat) warn_of_rounded_weights(model.folder);
  AtomicDirectory output(options.output);
  const fs::path made = write_export(model, options, precision, output.temporary());
  if (made == output.temporary())
    output.commit();
  else
    fs::rename(made, options.output);
  spdlog::info("exported {} to {}", options.model, options.output);
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_export(const heed::ExportOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_export(options); }, "exporting a model");
}
