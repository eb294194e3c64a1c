#include "exchange/ctranslate2_folder.h"

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/shell.h"
#include "exchange/json_settings.h"

namespace heed {

namespace {

constexpr const char *kModelFile = "model.bin", *kMetadata = "metadata.json";

bool is_zip(const fs::path& path) {
  char bytes[4] = {};
  const Descriptor file = Descriptor::open_regular(path);
  return file.read_at(0, bytes, sizeof(bytes)) == sizeof(bytes) &&
         std::string_view(bytes, sizeof(bytes)) == "PK\x03\x04";
}

[[noreturn]] void refuse_file(const fs::path& path) {
  const std::string word = shell_word(path.string());
  if (is_zip(path))
    throw_error(
        ErrorKind::kModel,
        "{}: is an archive; unpack it with `unzip {} -d FOLDER`, then import the folder that "
        "is in FOLDER",
        path.string(), word);
  throw_error(ErrorKind::kModel, "{}: is a file; name the folder of the model", path.string());
}

std::string target_prefix_of(const fs::path& package) {
  JsonSettings metadata(package, {kMetadata});
  std::string prefix = metadata.word("target_prefix", "");
  const std::string type = metadata.word("type", "translate");
  if (type != "translate")
    metadata.add_problem(fmt::format("{}: type is '{}', expected translate", kMetadata, type));
  metadata.throw_if_any();
  return prefix;
}

}  // namespace

CTranslate2Folder find_ctranslate2_folder(const fs::path& path) {
  if (is_plain_file(path)) refuse_file(path);
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
    found.target_prefix = target_prefix_of(package);
  }
  return found;
}

}  // namespace heed
