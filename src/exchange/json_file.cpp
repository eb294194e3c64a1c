#include "exchange/json_file.h"

#include "base/error.h"
#include "base/file.h"
#include "base/small_file.h"

namespace heed {

namespace {

constexpr int kDeepest = 16;

}  // namespace

Json read_json(const fs::path& path) {
  const Json::parser_callback_t bounded = [&path](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest)
      throw_error(ErrorKind::kModel, "{}: is nested deeper than {} levels", path.string(),
                  kDeepest);
    return true;
  };
  try {
    return Json::parse(read_file(path, kLargestJsonFile), bounded);
  } catch (const Json::parse_error& error) {
    throw_error(ErrorKind::kModel, "{}: is no JSON at byte {}; copy it again", path.string(),
                error.byte);
  }
}

std::map<int64_t, std::string> read_token_ids(const fs::path& path) {
  const Json tokens = read_json(path);
  if (!tokens.is_object())
    throw_error(ErrorKind::kModel, "{}: expected an object of tokens and their ids", path.string());
  std::map<int64_t, std::string> by_id;
  for (const auto& [token, id] : tokens.items()) {
    const bool is_id = id.is_number_integer() && id.get<int64_t>() >= 0;
    if (!is_id || !by_id.emplace(id.get<int64_t>(), token).second)
      throw_error(ErrorKind::kModel, "{}: the id of '{}' is {}, expected a number of its own",
                  path.string(), token, id.dump());
  }
  return by_id;
}

void write_json(const fs::path& path, const OrderedJson& json) {
  write_file(path, json.dump(2) + "\n");
}

}  // namespace heed
