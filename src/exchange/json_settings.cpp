#include "exchange/json_settings.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "config/ranges.h"

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

const Json* JsonSettings::take(const std::string& key) {
  taken_.insert(key);
  return find(key);
}

const Json* JsonSettings::value(const std::string& key, const char* type,
                                bool (Json::*is_type)() const noexcept, bool has_default) {
  const Json* found = take(key);
  if (found == nullptr && has_default) return nullptr;
  if (found != nullptr && (found->*is_type)()) return found;
  add_problem(found == nullptr ? fmt::format("{} is missing, expected {}", key, type)
                               : fmt::format("{} is {}, expected {}", key, found->dump(), type));
  return nullptr;
}

int64_t JsonSettings::whole(const std::string& key, std::optional<int64_t> otherwise,
                            IntRange range) {
  const Json* found = value(key, "a whole number", &Json::is_number_integer, otherwise.has_value());
  if (found == nullptr) return otherwise.value_or(0);
  const auto number = found->get<int64_t>();
  if (!contains(range, number))
    add_problem(
        fmt::format("{} is {}, expected a whole number {}", key, found->dump(), range_text(range)));
  return number;
}

double JsonSettings::real(const std::string& key, double otherwise, Range range) {
  const Json* found = value(key, "a number", &Json::is_number, true);
  if (found == nullptr) return otherwise;
  const auto number = found->get<double>();
  if (!contains(range, number))
    add_problem(
        fmt::format("{} is {}, expected a number {}", key, found->dump(), range_text(range)));
  return number;
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

std::string JsonSettings::token(const std::string& key, const std::string& otherwise) {
  const Json* found = take(key);
  if (found == nullptr) return otherwise;
  if (found->is_object() && found->contains("content")) found = &(*found)["content"];
  if (found->is_string()) return found->get<std::string>();
  add_problem(fmt::format("{} is {}, expected a token", key, found->dump()));
  return otherwise;
}

int64_t JsonSettings::id(const std::string& key, std::optional<int64_t> otherwise) {
  const Json* found = take(key);
  if (found == nullptr || !found->is_array()) return whole(key, otherwise);
  const auto list = ids_in(*found);
  if (list && list->size() == 1) return list->front();
  add_problem(fmt::format("{} is {}, expected one id", key, found->dump()));
  return 0;
}

std::optional<std::vector<int64_t>> JsonSettings::ids_in(const Json& list) {
  const auto is_id = [](const Json& id) { return id.is_number_integer(); };
  if (!list.is_array() || !std::ranges::all_of(list, is_id)) return std::nullopt;
  return list.get<std::vector<int64_t>>();
}

std::vector<int64_t> JsonSettings::ids(const std::string& key) {
  const Json* found = take(key);
  if (found == nullptr) return {};
  if (const auto list = ids_in(*found)) return *list;
  add_problem(fmt::format("{} is {}, expected a list of ids", key, found->dump()));
  return {};
}

std::vector<std::vector<int64_t>> JsonSettings::id_lists(const std::string& key) {
  const Json* found = take(key);
  if (found == nullptr) return {};
  std::vector<std::vector<int64_t>> lists;
  for (const Json& list : *found) {
    const auto own = ids_in(list);
    if (!own || own->empty() || !found->is_array()) {
      add_problem(fmt::format("{} is {}, expected a list of lists of ids", key, found->dump()));
      return {};
    }
    lists.push_back(*own);
  }
  return lists;
}

std::map<std::string, Json> JsonSettings::others() const {
  std::map<std::string, Json> others;
  for (const Json& file : files_) {
    for (const auto& [key, value] : file.items()) {
      if (!value.is_null() && !taken_.contains(key)) others.emplace(key, value);
    }
  }
  return others;
}

void JsonSettings::throw_if_any() const {
  if (!problems_.empty())
    throw_error(ErrorKind::kModel, "{}: {}", folder_.string(),
                fmt::format("{}", fmt::join(problems_, "; ")));
}

}  // namespace heed
