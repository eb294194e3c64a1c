#include "exchange/ctranslate2_folder.h"

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "exchange/json_settings.h"

namespace heed {

namespace {

constexpr const char *kModelFile = "model.bin", *kMetadata = "metadata.json";

void read_metadata(const fs::path& package, CTranslate2Folder& found) {
  JsonSettings metadata(package, {kMetadata});
  found.target_prefix = metadata.word("target_prefix", "");
  found.source_language = metadata.word("from_code", "");
  found.target_language = metadata.word("to_code", "");
  const std::string type = metadata.word("type", "translate");
  if (type != "translate")
    metadata.add_problem(fmt::format("{}: type is '{}', expected translate", kMetadata, type));
  metadata.throw_if_any();
}

}  // namespace

CTranslate2Folder find_ctranslate2_folder(const fs::path& path) {
  if (is_plain_file(path))
    throw_error(ErrorKind::kModel,
                "{}: is a file; name the folder of the model, or a package of Argos Translate",
                path.string());
  const fs::path folder = without_last_slash(path);
  const bool is_package = !is_plain_file(folder / kModelFile) && is_plain_file(folder / kMetadata);
  const fs::path model = is_package ? folder / "model" : folder;
  if (!is_plain_file(model / kModelFile))
    throw_error(ErrorKind::kModel,
                "{}: has no {}; expected a model folder of CTranslate2 ({}, config.json, "
                "shared_vocabulary.json or source_vocabulary.json and target_vocabulary.json) or a "
                "package of Argos Translate ({}, model/{})",
                model.string(), kModelFile, kModelFile, kMetadata, kModelFile);
  const fs::path package = folder_of(model);
  CTranslate2Folder found{.model = model, .tokenizers = {model}};
  found.is_argos = is_plain_file(package / kMetadata) && model.filename() == "model";
  if (found.is_argos) {
    found.tokenizers.push_back(package);
    read_metadata(package, found);
  }
  return found;
}

}  // namespace heed
