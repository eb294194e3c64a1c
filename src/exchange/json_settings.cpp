#include "exchange/json_settings.h"

#include "base/error.h"
#include "base/file.h"

namespace heed {

JsonSettings::JsonSettings(const fs::path& folder, const std::vector<std::string>& files)
    : folder_(folder) {
  for (const std::string& file : files) {
    if (!is_plain_file(folder / file)) continue;
    files_.push_back(read_json(folder / file));
    if (!files_.back().is_object())
      throw_error(ErrorKind::kModel, "{}: expected an object", (folder / file).string());
  }
}

const Json* JsonSettings::find(const std::string& key) const {
  for (const Json& file : files_) {
    const auto found = file.find(key);
    if (found != file.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

const Json* JsonSettings::value(const std::string& key, const char* type,
                                bool (Json::*is_type)() const noexcept, bool has_default) {
  const Json* found = find(key);
  if (found == nullptr && has_default) return nullptr;
  if (found != nullptr && (found->*is_type)()) return found;
  add_problem(found == nullptr ? fmt::format("{} is missing, expected {}", key, type)
                               : fmt::format("{} is {}, expected {}", key, found->dump(), type));
  return nullptr;
}

int64_t JsonSettings::whole(const std::string& key, std::optional<int64_t> otherwise) {
  const Json* found = value(key, "a whole number", &Json::is_number_integer, otherwise.has_value());
  return found == nullptr ? otherwise.value_or(0) : found->get<int64_t>();
}

double JsonSettings::real(const std::string& key, double otherwise) {
  const Json* found = value(key, "a number", &Json::is_number, true);
  return found == nullptr ? otherwise : found->get<double>();
}

bool JsonSettings::truth(const std::string& key, bool otherwise) {
  const Json* found = value(key, "true or false", &Json::is_boolean, true);
  return found == nullptr ? otherwise : found->get<bool>();
}

std::string JsonSettings::word(const std::string& key,
                               const std::optional<std::string>& otherwise) {
  const Json* found = value(key, "a word", &Json::is_string, otherwise.has_value());
  return found == nullptr ? otherwise.value_or("") : found->get<std::string>();
}

std::vector<int64_t> JsonSettings::single_ids(const std::string& key) const {
  std::vector<int64_t> ids;
  const Json* list = find(key);
  if (list == nullptr || !list->is_array()) return ids;
  for (const Json& words : *list) {
    if (words.is_array() && words.size() == 1 && words[0].is_number_integer())
      ids.push_back(words[0].get<int64_t>());
  }
  return ids;
}

void JsonSettings::throw_if_any() const {
  if (!problems_.empty())
    throw_error(ErrorKind::kModel, "{}: {}", folder_.string(),
                fmt::format("{}", fmt::join(problems_, "; ")));
}

}  // namespace heed
