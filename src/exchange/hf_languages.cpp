#include "exchange/hf_languages.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "exchange/json_file.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

// By the setting language_codes of M2M100Tokenizer: in the order of their ids.
constexpr const char* kM2m100 =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd "
    "gl gu ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg "
    "mk ml mn mr ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw "
    "ta th tl tn tr uk ur uz vi wo xh yi yo zh zu";
constexpr const char* kWmt21 = "en ha is ja cs ru zh de";

constexpr const char *kTokenizer = "tokenizer.json", *kTokenizerConfig = "tokenizer_config.json",
                     *kSpecialTokens = "special_tokens_map.json";

// No part of a text.
std::string token_beside_text(const std::string& name) { return fmt::format(">>{}<<", name); }
constexpr const char *kFirst = "<s>", *kMask = "<mask>";

// An object; empty if the file is not there.
Json object_in(const fs::path& path) {
  if (!is_plain_file(path)) return Json::object();
  Json json = read_json(path);
  if (!json.is_object()) throw_error(ErrorKind::kModel, "{}: expected an object", path.string());
  return json;
}

// Of {"content": token, …}, or a token by itself; "" if it is neither.
std::string content_of(const Json& token) {
  const Json* content = &token;
  if (token.is_object() && token.contains("content")) content = &token["content"];
  return content->is_string() ? content->get<std::string>() : "";
}

// As eng_Latn: the language in ISO 639-3, the script in ISO 15924.
bool is_nllb_code(const std::string& token) {
  return token.size() == 8 && token[3] == '_' &&
         std::ranges::count_if(token, [](unsigned char c) { return std::isalpha(c) != 0; }) == 7;
}

class LanguageList {
 public:
  // Behind the tokens that there are.
  LanguageList(LanguageTokens& to, const fs::path& folder)
      : to_(to), folder_(folder), pieces_(std::ssize(to.tokens)) {}

  void add(int64_t id, const std::string& code) {
    if (id < 0 || !to_.tokens.emplace(id, token_beside_text(code)).second)
      throw_error(ErrorKind::kModel, "{}: the language {} has the id {}, expected one of its own",
                  folder_.string(), code, id);
    to_.codes.push_back(code);
  }
  void add_if_known(int64_t id, const std::string& token) {
    if (is_nllb_code(token)) add(id, token);
    if (token == kMask && id >= pieces_) to_.tokens.emplace(id, token_beside_text("mask"));
  }
  void add_in_order(const std::vector<std::string>& codes) {
    int64_t id = pieces_;
    for (const std::string& code : codes) add(id++, code);
  }

 private:
  LanguageTokens& to_;
  const fs::path& folder_;
  int64_t pieces_;
};

LanguageTokens read_m2m_tokens(const fs::path& folder) {
  LanguageTokens result{read_token_ids(folder / "vocab.json"), {}};
  for (auto& [id, token] : result.tokens) {
    if (token == kFirst) token = token_beside_text("s");
  }
  const Json config = object_in(folder / kTokenizerConfig);
  const std::string list = config.value("language_codes", Json("m2m100")).dump();
  std::istringstream codes(list == "\"wmt21\"" ? kWmt21 : kM2m100);
  const std::vector<std::string> all{std::istream_iterator<std::string>(codes), {}};
  LanguageList(result, folder).add_in_order(all);
  return result;
}

// [{"id": 256001, "content": "ace_Arab"}, …]
void add_from_tokenizer(const fs::path& folder, LanguageList& to) {
  const Json json = object_in(folder / kTokenizer);
  const auto added = json.find("added_tokens");
  if (added == json.end() || !added->is_array()) return;
  for (const Json& token : *added) {
    if (token.is_object() && token.contains("id") && token["id"].is_number_integer())
      to.add_if_known(token["id"].get<int64_t>(), content_of(token));
  }
}

// {"256001": {"content": "ace_Arab"}, …}
void add_from_config(const fs::path& folder, LanguageList& to) {
  const Json json = object_in(folder / kTokenizerConfig);
  const auto added = json.find("added_tokens_decoder");
  if (added == json.end() || !added->is_object()) return;
  for (const auto& [id, token] : added->items()) {
    const bool is_number =
        !id.empty() && id.size() < 10 &&
        std::ranges::all_of(id, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_number) to.add_if_known(std::stol(id), content_of(token));
  }
}

// ["ace_Arab", …]
void add_from_list(const fs::path& file, LanguageList& to) {
  const Json json = object_in(file);
  for (const char* key : {"extra_special_tokens", "additional_special_tokens"}) {
    const auto list = json.find(key);
    if (list == json.end() || !list->is_array()) continue;
    std::vector<std::string> codes;
    for (const Json& token : *list) {
      if (is_nllb_code(content_of(token))) codes.push_back(content_of(token));
    }
    if (!codes.empty()) return to.add_in_order(codes);
  }
}

LanguageTokens read_nllb_tokens(const fs::path& folder) {
  const fs::path model = folder / kLanguageModel;
  LanguageTokens result{{{0, token_beside_text("s")}, {1, "<pad>"}, {2, "</s>"}, {3, "<unk>"}}, {}};
  for (const std::string& piece :
       SentencePieceTokenizer(read_file(model), model.string(), /*lower=*/false).own_pieces())
    result.tokens.emplace(std::ssize(result.tokens), piece);
  LanguageList languages(result, folder);
  add_from_tokenizer(folder, languages);
  if (result.codes.empty()) add_from_config(folder, languages);
  for (const char* file : {kTokenizerConfig, kSpecialTokens}) {
    if (result.codes.empty()) add_from_list(folder / file, languages);
  }
  if (result.codes.empty())
    throw_error(ErrorKind::kModel,
                "{}: none of {}, {} and {} lists languages, expected codes such as eng_Latn",
                folder.string(), kTokenizer, kTokenizerConfig, kSpecialTokens);
  return result;
}

}  // namespace

LanguageTokens read_language_tokens(const fs::path& folder) {
  if (!is_plain_file(folder / kLanguageModel))
    throw_error(
        ErrorKind::kModel,
        "{}: has no {}, the SentencePiece model of its tokenizer; copy it from the original "
        "of the model",
        folder.string(), kLanguageModel);
  return is_plain_file(folder / "vocab.json") ? read_m2m_tokens(folder) : read_nllb_tokens(folder);
}

void check_languages(const HfLanguages& languages, const std::vector<std::string>& codes,
                     const fs::path& folder) {
  std::vector<std::string> problems;
  for (const auto& [option, code] : {std::pair{"--source-language", languages.source},
                                     {"--target-language", languages.target}}) {
    if (code.empty())
      problems.push_back(fmt::format("{} is missing", option));
    else if (std::ranges::count(codes, code) == 0)
      problems.push_back(fmt::format("{} is '{}'", option, code));
  }
  if (!problems.empty())
    throw_error(ErrorKind::kUsage, "{}: {}, expected codes of its languages: {}", folder.string(),
                fmt::format("{}", fmt::join(problems, " and ")),
                fmt::format("{}", fmt::join(codes, " ")));
}

}  // namespace heed
