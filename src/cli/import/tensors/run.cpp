#include "base/compression/zip_archive.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/import/options.h"
#include "cli/model_path.h"
#include "cli/new_output.h"
#include "cli/tensors/entry.h"
#include "exchange/imports.h"
#include "train/next_command.h"

namespace heed {

namespace {

CTranslate2ImportOptions ctranslate2_options(const ImportOptions& options) {
  CTranslate2ImportOptions how{
      .text = {.languages = {options.source_language, options.target_language},
               .source_spm = options.source_spm,
               .target_spm = options.target_spm,
               .tokenized = options.tokenized}};
  if (!options.source_end.empty()) how.source_end = options.source_end == "yes";
  return how;
}

// The folder of a package that is a zip archive, which is unpacked into `scratch`; else the path.
fs::path folder_of_package(const fs::path& path, const fs::path& scratch) {
  if (!is_zip(path)) return path;
  unpack_zip(path, scratch);
  std::vector<fs::path> content;
  for (const auto& entry : fs::directory_iterator(scratch)) content.push_back(entry.path());
  return content.size() == 1 && fs::is_directory(content.front()) ? content.front() : scratch;
}

LoadedModel import_package(const ImportOptions& options) {
  const AtomicDirectory scratch(options.output + ".unpacked");  // never committed
  return import_ctranslate2(folder_of_package(options.model, scratch.temporary()),
                            ctranslate2_options(options));
}

LoadedModel import_model(const ImportOptions& options) {
  switch (options.format) {
    case ImportOptions::Format::kHf:
      return import_hf(options.model, {options.source_language, options.target_language});
    case ImportOptions::Format::kCTranslate2:
      return import_package(options);
    case ImportOptions::Format::kJoeynmt:
      return import_joeynmt(options.model);
    case ImportOptions::Format::kOpennmt:
      return import_opennmt(options.model);
    case ImportOptions::Format::kMarian:
      return import_marian(options.model, {.source_vocabulary = options.source_vocab,
                                           .target_vocabulary = options.target_vocab,
                                           .source_spm = options.source_spm,
                                           .target_spm = options.target_spm});
  }
  return {};
}

int run_import(const ImportOptions& options) {
  refuse_existing("-o ", options.output, "folder");
  refuse_outputs_in_runs({{"-o", options.output}});
  if (!is_there(options.model))
    throw_error(ErrorKind::kModel, "{}: there is no such file or folder; name the model to import",
                options.model);
  AtomicDirectory output(options.output);
  LoadedModel model = import_model(options);
  save_model(output.temporary(), model.config, model.codecs, *model.network);
  output.commit();
  spdlog::info("imported {}; next: {}", options.model, next_command(options.output, model.config));
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_import(const heed::ImportOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_import(options); }, "importing a model");
}
