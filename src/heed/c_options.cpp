#include "heed/c_options.h"

#include <charconv>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/suggest.h"
#include "translate/search_overrides.h"

namespace heed {

namespace {

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
      {"device", text(&v0::LoadOptions::device)},
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
  };
  return all;
}

const Setter& setter_of(const std::string& name) {
  const auto found = setters().find(name);
  if (found != setters().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, unused] : setters()) names.push_back(known);
  throw_error(ErrorKind::kUsage, "unknown option{}; expected one of {}, search.KEY",
              did_you_mean(name, names), fmt::join(names, ", "));
}

}  // namespace

}  // namespace heed

void heed_options::set(const std::string& name, const std::string& value) {
  if (name.starts_with(heed::kSearchPrefix)) {
    translate.search[name.substr(heed::kSearchPrefix.size())] = value;
    return;
  }
  try {
    heed::setter_of(name)(*this, value);
  } catch (const heed::Error& error) {
    throw heed::v0::Error(heed::v0::ErrorKind::kUsage, name + ": " + error.what());
  }
}
