#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/export/options.h"
#include "cli/model_path.h"
#include "cli/tensors/entry.h"
#include "exchange/exports.h"
#include "packed/stored_tensors.h"
#include "translate/lexicon.h"
#include "translate/marian_shortlist.h"

namespace heed {

namespace {

// The package is made in a folder beside it, which disappears.
void write_package(const LoadedModel& model, const ExportOptions& options, const fs::path& beside) {
  const fs::path content = beside / "content", archive = beside / "package";
  fs::create_directory(content);
  export_argos(model, content, archive,
               {.source_language = options.source_language,
                .target_language = options.target_language,
                .precision = options.precision.value_or(Precision::kInt8)});
  fs::rename(archive, options.output);
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
    for (std::string line; lines.size() < kMostLines && reader.next(line);) lines.push_back(line);
  }
  const MarianSizes sizes = export_marian(model, folder,
                                          format == "npz"   ? MarianFormat::kNpz
                                          : format == "bin" ? MarianFormat::kBinary
                                                            : MarianFormat::kIntgemm,
                                          lines);
  if (!options.shortlist.empty())
    write_marian_shortlist(folder / "lex.s2t.bin", shortlist_of(options.shortlist, model, sizes));
}

int run_export(const ExportOptions& options) {
  if (is_there(options.output))
    throw_error(ErrorKind::kUsage, "{}: exists already; name another {}", options.output,
                options.format == ExportOptions::Format::kArgos ? "file" : "folder");
  refuse_outputs_in_runs({{"the output", options.output}});
  refuse_other_than_model(options.model);
  LoadedModel model;
  read_model(options.model,
             [&model](const fs::path& folder) { model = load_model(folder, torch::kCPU); });
  const bool is_int8 = packed_precision(model.folder) == Precision::kInt8;
  const Precision precision =
      options.precision.value_or(is_int8 ? Precision::kInt8 : Precision::kFloat);
  if (precision == Precision::kFloat) warn_of_rounded_weights(model.folder);
  AtomicDirectory output(options.output);
  switch (options.format) {
    case ExportOptions::Format::kHf:
      export_hf(model, output.temporary());
      break;
    case ExportOptions::Format::kCTranslate2:
      export_ctranslate2(model, output.temporary(), precision);
      break;
    case ExportOptions::Format::kMarian:
      write_marian(model, options, output.temporary());
      break;
    case ExportOptions::Format::kArgos:
      write_package(model, options, output.temporary());
      break;
  }
  if (options.format != ExportOptions::Format::kArgos) output.commit();
  spdlog::info("exported {} to {}", options.model, options.output);
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_export(const heed::ExportOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_export(options); }, "exporting a model");
}
