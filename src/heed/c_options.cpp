#include "heed/c_options.h"

#include <charconv>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/suggest.h"
#include "translate/search_overrides.h"

namespace heed {

namespace {

constexpr std::string_view kSetPrefix = "set.";  // keys of a config

using Setter = std::function<void(heed_options&, const std::string&)>;

int64_t number_in(const std::string& value) {
  int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc() && rest == end) return number;
  throw_error(ErrorKind::kUsage, "found '{}', expected a whole number", value);
}

bool truth_of(const std::string& value) {
  if (value == "true" || value == "false") return value == "true";
  throw_error(ErrorKind::kUsage, "found '{}', expected true or false", value);
}

v0::TrainingStart start_of(const std::string& value) {
  using enum v0::TrainingStart;
  static const std::map<std::string, v0::TrainingStart> starts = {{"new", kNew},
                                                                  {"resume", kResume},
                                                                  {"resume_or_new", kResumeOrNew},
                                                                  {"overwrite", kOverwrite}};
  const auto found = starts.find(value);
  if (found != starts.end()) return found->second;
  throw_error(ErrorKind::kUsage, "found '{}', expected new, resume, resume_or_new or overwrite",
              value);
}

Setter text(std::string v0::LoadOptions::*member) {
  return [=](heed_options& options, const std::string& value) { options.load.*member = value; };
}

Setter number(int64_t v0::TranslateOptions::*member) {
  return [=](heed_options& options, const std::string& value) {
    options.translate.*member = number_in(value);
  };
}

Setter truth(bool v0::TranslateOptions::*member) {
  return [=](heed_options& options, const std::string& value) {
    options.translate.*member = truth_of(value);
  };
}

const std::map<std::string, Setter>& setters() {
  using Translate = v0::TranslateOptions;
  static const std::map<std::string, Setter> all = {
      {"device",
       [](heed_options& options, const std::string& value) {
         options.load.device = options.train.device = value;
       }},
      {"run", [](heed_options& options, const std::string& value) { options.train.run = value; }},
      {"start", [](heed_options& options,
                   const std::string& value) { options.train.start = start_of(value); }},
      {"data_changed",
       [](heed_options& options, const std::string& value) {
         options.train.data_changed = truth_of(value);
       }},
      {"precision", text(&v0::LoadOptions::precision)},
      {"batch", number(&Translate::batch)},
      {"workers", number(&Translate::workers)},
      {"nbest", number(&Translate::nbest)},
      {"alignment", truth(&Translate::alignment)},
      {"attention", truth(&Translate::attention)},
      {"split", truth(&Translate::split)},
      {"replace_unknown", truth(&Translate::replace_unknown)},
      {"tag",
       [](heed_options& options, const std::string& value) { options.translate.tag = value; }},
      {"source_language",
       [](heed_options& options, const std::string& value) {
         options.translate.source_language = value;
       }},
      {"target_language",
       [](heed_options& options, const std::string& value) {
         options.translate.target_language = value;
       }},
  };
  return all;
}

const Setter& setter_of(const std::string& name) {
  const auto found = setters().find(name);
  if (found != setters().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, unused] : setters()) names.push_back(known);
  throw_error(ErrorKind::kUsage, "unknown option{}; expected one of {}, search.KEY, set.KEY",
              did_you_mean(name, names), fmt::join(names, ", "));
}

}  // namespace

}  // namespace heed

void heed_options::set(const std::string& name, const std::string& value) {
  if (name.starts_with(heed::kSearchPrefix)) {
    translate.search[name.substr(heed::kSearchPrefix.size())] = value;
    return;
  }
  if (name.starts_with(heed::kSetPrefix)) {
    train.set[name.substr(heed::kSetPrefix.size())] = value;
    return;
  }
  try {
    heed::setter_of(name)(*this, value);
  } catch (const heed::Error& error) {
    throw heed::v0::Error(heed::v0::ErrorKind::kUsage, name + ": " + error.what());
  }
}
