#include "serve/libretranslate_api.h"

#include <algorithm>
#include <cmath>

#include "base/language_code.h"
#include "markup/character_references.h"
#include "serve/client_fields.h"
#include "serve/form_body.h"
#include "serve/pair_translation.h"
#include "translate/translation_json.h"

namespace heed {

namespace {

constexpr const char* kLibreTranslatePath = "/translate";

[[noreturn]] void refuse_as_libretranslate(const std::string& message) {
  throw HttpError(HttpStatus::kBadRequest, message);
}

Json detected_json(const DetectedLanguage& language) {
  constexpr double kPercent = 100, kUnsure = 0.5;
  const double confidence = language.share * (language.is_sure ? 1 : kUnsure);
  return {{"confidence", std::round(kPercent * confidence)}, {"language", language.language}};
}

struct LibreTranslateRequest {
  PairTexts texts;
  bool is_list = false;  // q is a list, and so are the answers
  int64_t alternatives = 0;
  std::string format = "text";
  std::optional<DetectedLanguage> detected{};  // source: auto
  std::string between{};                       // language_between()
};

class LibreTranslateReply final : public TranslateReply {
 public:
  LibreTranslateReply(const LibreTranslateRequest& wanted, ReplyTo to)
      : TranslateReply(wanted.texts.texts.size(), std::move(to)),
        wanted_(wanted),
        lines_(wanted.texts.texts.size()) {}

  bool add(size_t line, const TranslatedLine& translation) override {
    Line& own = lines_[line];
    own.text = translation.text();
    own.warnings = warnings_json(translation.warnings);
    int64_t bytes = std::ssize(own.text);
    for (const Translated& other : translation.best) {
      const bool is_new = other.text != own.text &&
                          std::ranges::find(own.alternatives, other.text) == own.alternatives.end();
      if (is_new && std::ssize(own.alternatives) < wanted_.alternatives)
        bytes += std::ssize(own.alternatives.emplace_back(other.text));
    }
    constexpr int64_t kCopies = 2;  // the texts, and their JSON
    return to_.http->reserve(kCopies * bytes);
  }

  void finish() override {
    Json answer = {{"translatedText", of_lines([](const Line& line) { return Json(line.text); })}};
    if (wanted_.alternatives > 0)
      answer["alternatives"] = of_lines([](const Line& line) { return Json(line.alternatives); });
    if (wanted_.detected) {
      const Json detected = detected_json(*wanted_.detected);
      answer["detectedLanguage"] = of_lines([&](const Line&) { return detected; });
    }
    if (!wanted_.between.empty()) answer["pivotLanguage"] = wanted_.between;
    if (std::ranges::any_of(lines_, [](const Line& line) { return !line.warnings.empty(); }))
      answer["warnings"] = of_lines([](const Line& line) { return line.warnings; });
    to_.http->send(static_cast<int>(HttpStatus::kOk), kJsonType, json_text(answer) + "\n");
  }

 private:
  struct Line {
    std::string text;
    std::vector<std::string> alternatives;
    Json warnings;
  };
  template <class Value>
  Json of_lines(Value value) const {
    if (!wanted_.is_list) return value(lines_.front());
    Json list = Json::array();
    for (const Line& line : lines_) list.push_back(value(line));
    return list;
  }

  const LibreTranslateRequest wanted_;
  std::vector<Line> lines_;
};

std::string required_field(JsonFields& fields, const char* name) {
  const auto text = fields.text(name);
  if (!fields.problems().empty())
    refuse_as_libretranslate("Invalid request: " + fields.problems().front());
  if (!text) refuse_as_libretranslate(fmt::format("Invalid request: missing {} parameter", name));
  return *text;
}

std::vector<std::string> read_q(JsonFields& fields) {
  if (!fields.has("q")) refuse_as_libretranslate("Invalid request: missing q parameter");
  for (const char* other : {"text", "texts"})
    if (fields.has(other))
      refuse_as_libretranslate(
          fmt::format("{}: is a field of heed's own requests, q of LibreTranslate's; leave one "
                      "of them out",
                      other));
  return texts_in(fields, "q");
}

std::string on_lines(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "\n"));
}

bool has_code(const std::vector<std::string>& codes, const std::string& code) {
  return std::ranges::find(codes, code) != codes.end();
}

void refuse_language(const std::string& name) {
  refuse_as_libretranslate(
      fmt::format("{} is not supported; GET /languages lists the languages", shown(Json(name))));
}

// Checks that the server has the pair. Equal languages are one, too.
void check_pair(const LanguageGraph& languages, const std::string& source,
                const std::string& target) {
  const std::string from = language_code(source), into = language_code(target);
  if (!has_code(languages.sources(), from)) refuse_language(source);
  if (from == into) return;
  if (!has_code(languages.targets(), into)) refuse_language(target);
  if (languages.path(from, into).empty())
    refuse_as_libretranslate(
        fmt::format("{} ({}) is not available as a target language from {} ({})",
                    language_name(into), into, language_name(from), from));
}

// Fields that LibreTranslate does not know are left aside, as it does.
LibreTranslateRequest read_libretranslate_request(const ApiCall& call) {
  const Json& json = call.fields.get();
  JsonFields fields(json);
  LibreTranslateRequest wanted;
  wanted.is_list = json.contains("q") && json["q"].is_array();
  wanted.texts.texts = read_q(fields);
  check_text_limits("q", wanted.texts.texts, call.limits(), fields);
  const std::string source = required_field(fields, "source"),
                    target = required_field(fields, "target");
  wanted.alternatives = whole_in(fields, "alternatives", {0, call.limits().beam - 1}).value_or(0);
  wanted.format = fields.text("format").value_or(wanted.format);
  if (wanted.format != "text" && wanted.format != "html")
    fields.wrong("format", fmt::format("{} format is not supported", shown(Json(wanted.format))));
  if (!fields.problems().empty()) refuse(fields.problems());
  wanted.texts.target = language_code(target);
  if (source == "auto") {
    if (!has_code(call.models.languages->targets(), wanted.texts.target)) refuse_language(target);
    wanted.detected = source_of(
        call.models, visible_text(on_lines(wanted.texts.texts), markup_format_of(wanted.format)),
        wanted.texts.target);
    wanted.texts.source = wanted.detected->language;
  } else {
    check_pair(*call.models.languages, source, target);
    wanted.texts.source = language_code(source);
  }
  wanted.between = language_between(call.models, wanted.texts.source, wanted.texts.target);
  for (size_t i = 0; i < wanted.texts.texts.size(); ++i) wanted.texts.numbers.push_back(i);
  return wanted;
}

void translate_for_libretranslate(const ApiCall& call, ServedModels& models) {
  const LibreTranslateRequest wanted = read_libretranslate_request(call);
  const PairOptions options{.nbest = 1 + wanted.alternatives,
                            .markup = markup_format_of(wanted.format)};
  translate_pairs(call, models, {wanted.texts}, options,
                  std::make_shared<LibreTranslateReply>(wanted, call.to));
}

void send_detected(const ApiCall& call) {
  JsonFields fields(call.fields.get());
  const std::vector<std::string> texts = read_q(fields);
  check_text_limits("q", texts, call.limits(), fields);
  if (!fields.problems().empty()) refuse(fields.problems());
  Json found = Json::array();
  for (const DetectedLanguage& one :
       detect_languages(on_lines(texts), call.models.languages->sources()))
    found.push_back(detected_json(one));
  if (found.empty()) found.push_back(detected_json({.language = "en"}));  // as LibreTranslate does
  call.send_json(found);
}

Json languages_json(const LanguageGraph& languages) {
  Json list = Json::array();
  for (const std::string& source : languages.sources()) {
    std::vector<std::string> targets = languages.targets_of(source);
    targets.push_back(source);
    list.push_back({{"code", source}, {"name", language_name(source)}, {"targets", targets}});
  }
  return list;
}

Json settings_json(const ApiCall& call) {
  const LanguageGraph& languages = *call.models.languages;
  const auto language = [](const std::string& code) -> Json {
    return {{"code", code}, {"name", language_name(code)}};
  };
  const std::vector<std::string> targets = languages.targets();
  const bool needs_key = !call.options.tokens.empty();
  return {{"apiKeys", needs_key},
          {"keyRequired", needs_key},
          {"charLimit", call.limits().characters},
          {"frontendTimeout", 500},
          {"suggestions", false},
          {"filesTranslation", false},
          {"supportedFilesFormat", Json::array()},
          {"language",
           {{"source", {{"code", "auto"}, {"name", "Auto Detect"}}},
            {"target", language(targets.empty() ? "en" : targets.front())}}}};
}

ApiRoute refused_route(const char* path, const char* message) {
  return {path, "POST",
          [message](const ApiCall&) { throw HttpError(HttpStatus::kForbidden, message); }};
}

}  // namespace

LibreTranslateApi::LibreTranslateApi(ServedModels& models)
    : routes_{
          {kLibreTranslatePath, "POST",
           [&models](const ApiCall& call) { translate_for_libretranslate(call, models); }},
          {"/detect", "POST", send_detected},
          {"/languages", "GET",
           [](const ApiCall& call) { call.send_json(languages_json(*call.models.languages)); }},
          {"/frontend/settings", "GET",
           [](const ApiCall& call) { call.send_json(settings_json(call)); }},
          refused_route("/translate_file", "Files translation are disabled on this server."),
          refused_route("/suggest", "Suggestions are disabled on this server."),
      } {}

bool LibreTranslateApi::reads(const ApiCall& call) const {
  const HttpRequest& request = call.request;
  if (request.path != kLibreTranslatePath || has_form(request)) return true;
  if (request.body.find("\"q\"") == std::string::npos) return false;
  try {
    return call.fields.get().contains("q");
  } catch (const HttpError&) {
    return false;
  }
}

void LibreTranslateApi::check_token(const ApiCall& call) const {
  const std::string& method = call.request.method;
  if (method == "GET" || method == "HEAD") return;
  if (has_token(call.options, bearer_token(call.request, "Bearer"))) return;
  try {
    const Json key = call.fields.get().value("api_key", Json());
    if (key.is_string() && has_token(call.options, key.get<std::string>())) return;
  } catch (const HttpError&) {
    // A body that nobody can read has no key.
  }
  throw HttpError(HttpStatus::kForbidden, "Invalid API key");
}

}  // namespace heed
