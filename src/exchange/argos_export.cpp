// A package holds, in a folder, metadata.json, sentencepiece.model and model/, a model of CTranslate2.
#include "exchange/exports.h"

#include "base/compression/zip_archive.h"
#include "base/error.h"
#include "base/file.h"
#include "base/language_code.h"
#include "base/log.h"
#include "exchange/json_file.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

constexpr const char* kPackageVersion = "1.0";
constexpr const char* kArgosVersion = "1.0";  // that the form of the package is from

// Argos Translate has one tokenizer, that of the source and of the target.
const SentencePieceTokenizer& tokenizer_of(const LoadedModel& model) {
  const std::string& source = model.config.sources.front();
  const auto* pieces = sentencepiece_of(model.codecs.at(source)->tokenizer());
  const auto* written = sentencepiece_of(model.codecs.at(kTargetSide)->tokenizer());
  if (pieces == nullptr || written == nullptr || pieces->model() != written->model())
    throw Error(
        ErrorKind::kUsage,
        "a package of Argos Translate has one SentencePiece model for both languages, found "
        "other tokenizers; expected text: {source: {type: sentencepiece, share: target}} "
        "when the model is trained");
  return *pieces;
}

std::string code_of(const std::string& given, const std::string& known, const char* option) {
  const std::string code = given.empty() ? known : given;
  if (code.empty())
    throw_error(ErrorKind::kUsage,
                "the model does not name its languages; give {} CODE, such as en", option);
  return code;
}

}  // namespace

void export_argos(const LoadedModel& model, const fs::path& folder, const fs::path& archive,
                  const ArgosOptions& options) {
  const SentencePieceTokenizer& tokenizer = tokenizer_of(model);
  if (!model.config.tags.empty())
    throw Error(ErrorKind::kUsage,
                "a package of Argos Translate has one direction, found a model with tags");
  const std::string from =
      code_of(options.source_language, model.config.source_language, "--source-language");
  const std::string to =
      code_of(options.target_language, model.config.target_language, "--target-language");
  fs::create_directories(folder / "model");
  export_ctranslate2(model, folder / "model", options.precision);
  write_file(folder / "sentencepiece.model", tokenizer.model());
  for (const char* copy : {"source.spm", "target.spm"}) fs::remove(folder / "model" / copy);
  write_json(folder / "metadata.json", {{"package_version", kPackageVersion},
                                        {"argos_version", kArgosVersion},
                                        {"from_code", from},
                                        {"from_name", language_name(from)},
                                        {"to_code", to},
                                        {"to_name", language_name(to)}});
  write_zip(archive, folder, fmt::format("translate-{}_{}-1_0", from, to));
}

}  // namespace heed
