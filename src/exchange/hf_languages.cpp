#include "exchange/hf_languages.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/suggest.h"
#include "exchange/added_tokens.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

using Tokens = std::map<int64_t, std::string>;

// Languages for each value of `language_codes` of M2M100Tokenizer, in the order of their ids.
constexpr const char* kM2m100 =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd "
    "gl gu ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg "
    "mk ml mn mr ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw "
    "ta th tl tn tr uk ur uz vi wo xh yi yo zh zu";
// Languages of MBart50Tokenizer in the order of their ids; the first 25 are those of MBartTokenizer.
constexpr const char* kMbart50 =
    "ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT "
    "lv_LV my_MM ne_NP nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN af_ZA az_AZ bn_IN fa_IR he_IL "
    "hr_HR id_ID ka_GE km_KH mk_MK ml_IN mn_MN mr_IN pl_PL ps_AF pt_XX sv_SE sw_KE ta_IN te_IN "
    "th_TH tl_XX uk_UA ur_PK xh_ZA gl_ES sl_SI";
constexpr int64_t kMbart25Languages = 25;
constexpr const char* kWmt21 = "en ha is ja cs ru zh de";

constexpr const char *kTokenizer = "tokenizer.json", *kSpecialTokens = "special_tokens_map.json";

// Name of a token that is not part of the text.
std::string token_beside_text(const std::string& name) { return fmt::format(">>{}<<", name); }
constexpr const char *kFirst = "<s>", *kMask = "<mask>";

// True for codes such as eng_Latn: the language in ISO 639-3, the script in ISO 15924.
bool is_nllb_code(const std::string& token) {
  return token.size() == 8 && token[3] == '_' &&
         std::ranges::count_if(token, [](unsigned char c) { return std::isalpha(c) != 0; }) == 7;
}

class LanguageList {
 public:
  // pieces: first id after the ids of the text.
  LanguageList(LanguageTokens& to, const fs::path& folder, int64_t pieces)
      : to_(to), folder_(folder), pieces_(pieces) {}

  void add(int64_t id, const std::string& code) {
    if (id < 0 || !to_.tokens.emplace(id, token_beside_text(code)).second)
      throw_error(ErrorKind::kModel,
                  "{}: the language {} has the id {}, expected one that no other language has",
                  folder_.string(), code, id);
    to_.codes.push_back(code);
  }
  void add_if_known(int64_t id, const std::string& token) {
    if (id >= pieces_) first_ = std::min(first_.value_or(id), id);
    if (is_nllb_code(token)) return add(id, token);
    if (id < pieces_) return;
    has_mask_ = has_mask_ || token == kMask;
    if (token == kMask)
      to_.tokens.emplace(id, token_beside_text("mask"));
    else if (to_.tokens.emplace(id, token).second)
      to_.added.push_back(token);
  }
  void add_in_order(const std::vector<std::string>& codes) {
    int64_t id = pieces_;
    for (const std::string& code : codes) add(id++, code);
  }
  // Added tokens follow the pieces without a gap. The file may omit <mask>, the first of them.
  void check_begin(const fs::path& file) const {
    if (first_.value_or(pieces_) > pieces_ + (has_mask_ ? 0 : 1))
      throw_error(ErrorKind::kModel,
                  "{}: the first added token has the id {}, but the pieces of {} end before {}; "
                  "the files are of different models",
                  file.string(), *first_, kLanguageModel, pieces_);
  }

 private:
  LanguageTokens& to_;
  const fs::path& folder_;
  int64_t pieces_;
  std::optional<int64_t> first_;  // first id of the added tokens after the pieces
  bool has_mask_ = false;
};

// Code in a token such as __en__ (M2M-100) or en_XX (mBART); "" for other tokens.
std::string code_in(const std::string& token, const std::vector<std::string>& codes) {
  const bool is_framed = token.starts_with("__") && token.ends_with("__") && token.size() > 4;
  if (is_framed) return token.substr(2, token.size() - 4);
  return std::ranges::count(codes, token) > 0 ? token : "";
}

// Languages keep the id that they have after the pieces. pieces: file that defines these.
void take_added_tokens(LanguageTokens& found, const fs::path& folder, const char* pieces) {
  for (const auto& [id, token] : read_added_tokens(folder)) {
    const std::string code = code_in(token, found.codes);
    if (code.empty()) {
      if (found.tokens.emplace(id, token).second) found.added.push_back(token);
      continue;
    }
    const auto own =
        std::ranges::find(found.tokens, token_beside_text(code), &Tokens::value_type::second);
    if (own != found.tokens.end() && own->first != id)
      throw_error(ErrorKind::kModel,
                  "{}: the added token {} has the id {}, but {} by {}; the files are of different "
                  "models",
                  folder.string(), token, id, own->first, pieces);
  }
}

std::vector<std::string> words_of(const char* list) {
  std::istringstream words(list);
  return {std::istream_iterator<std::string>(words), {}};
}

// config: of the tokenizer.
const char* m2m_languages(const Json& config) {
  const auto found = config.find("language_codes");
  if (found == config.end() || found->is_null() || *found == "m2m100") return kM2m100;
  if (*found != "wmt21")
    throw_error(ErrorKind::kModel, "{}: language_codes is {}, expected m2m100 or wmt21",
                kHfTokenizer, found->dump());
  return kWmt21;
}

LanguageTokens read_m2m_tokens(const fs::path& folder) {
  LanguageTokens result{read_token_ids(folder / "vocab.json"), {}};
  for (auto& [id, token] : result.tokens) {
    if (token == kFirst) token = token_beside_text("s");
  }
  LanguageList(result, folder, std::ssize(result.tokens))
      .add_in_order(words_of(m2m_languages(read_object(folder / kHfTokenizer))));
  take_added_tokens(result, folder, "vocab.json");
  return result;
}

// [{"id": 256001, "content": "ace_Arab"}, …]
void add_from_tokenizer(const fs::path& folder, LanguageList& to) {
  const Json json = read_object(folder / kTokenizer);
  const auto added = json.find("added_tokens");
  if (added == json.end() || !added->is_array()) return;
  for (const Json& token : *added) {
    if (token.is_object() && token.contains("id") && token["id"].is_number_integer())
      to.add_if_known(token["id"].get<int64_t>(), content_of(token));
  }
}

// ["ace_Arab", …]
void add_from_list(const fs::path& file, LanguageList& to) {
  const Json json = read_object(file);
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

// Tokens of the text, and the first id after them.
struct PieceIds {
  Tokens tokens;
  int64_t end = 0;
  bool operator==(const PieceIds&) const = default;
};

const Tokens kNllbSpecials = {{0, token_beside_text("s")}, {1, "<pad>"}, {2, "</s>"}, {3, "<unk>"}};

// Ids of NllbTokenizer in transformers 4: the id of the piece plus 1, for all pieces. Returns
// nullopt if a piece would have the id of another token.
std::optional<PieceIds> ids_by_offset(const std::vector<std::string>& pieces) {
  PieceIds ids{kNllbSpecials, std::ssize(pieces) + 1};
  for (int64_t id = 0; id < std::ssize(pieces); ++id) {
    if (!is_special_piece(pieces[id]) && !ids.tokens.emplace(id + 1, pieces[id]).second)
      return std::nullopt;
  }
  return ids;
}

// Ids of NllbTokenizer in transformers 5: the pieces without special tokens, numbered in their
// order.
PieceIds ids_in_order(const std::vector<std::string>& pieces) {
  PieceIds ids{kNllbSpecials, std::ssize(kNllbSpecials)};
  for (const std::string& piece : pieces) {
    if (!is_special_piece(piece)) ids.tokens.emplace(ids.end++, piece);
  }
  return ids;
}

// Reads {"model": {"vocab": {"token": id, …}}} or a list [["token", score], …]. Returns an empty
// map if the file does not exist.
std::map<std::string, int64_t> stored_ids(const fs::path& folder) {
  std::map<std::string, int64_t> ids;
  const Json json = read_object(folder / kTokenizer);
  const Json model = json.value("model", Json::object());
  const Json vocabulary = model.is_object() ? model.value("vocab", Json()) : Json();
  for (const auto& [key, value] : vocabulary.items()) {
    if (vocabulary.is_object() && value.is_number_integer())
      ids.emplace(key, value.get<int64_t>());
    else if (value.is_array() && !value.empty() && value[0].is_string())
      ids.emplace(value[0].get<std::string>(), std::ssize(ids));
  }
  return ids;
}

// First id whose token has another id in `stored`; nullopt if all agree.
std::optional<int64_t> first_difference(const PieceIds& ids,
                                        const std::map<std::string, int64_t>& stored) {
  for (const auto& [id, token] : ids.tokens) {
    const auto found = stored.find(token);
    if (id >= std::ssize(kNllbSpecials) && (found == stored.end() || found->second != id))
      return id;
  }
  return std::nullopt;
}

// Ids of the pieces. If versions of transformers number them differently, tokenizer.json decides.
PieceIds nllb_ids(const fs::path& folder) {
  const fs::path model = folder / kLanguageModel;
  const std::vector<std::string> pieces =
      SentencePieceTokenizer(read_file(model), model.string(), /*lower=*/false).all_pieces();
  if (std::ranges::count(pieces, "<0x00>") > 0)
    spdlog::warn(
        "{}: has byte fallback; heed reads characters without a piece as bytes and writes bytes as "
        "characters, as SentencePiece does, while NllbTokenizer of transformers reads <unk>",
        model.string());
  const PieceIds in_order = ids_in_order(pieces);
  const std::optional<PieceIds> by_offset = ids_by_offset(pieces);
  const std::map<std::string, int64_t> stored = stored_ids(folder);
  if (!stored.empty()) {
    if (by_offset && !first_difference(*by_offset, stored)) return *by_offset;
    const std::optional<int64_t> other = first_difference(in_order, stored);
    if (!other) return in_order;
    throw_error(ErrorKind::kModel,
                "{}: the piece '{}' has the id {}, which {} does not say; the files are of "
                "different models",
                model.string(), in_order.tokens.at(*other), *other, kTokenizer);
  }
  if (!by_offset)
    throw_error(
        ErrorKind::kModel,
        "{}: begins with '{}', expected <unk>, <s> and </s>; the ids of its pieces depend on "
        "the version of transformers: save {} with the version that trained the model",
        model.string(),
        fmt::format("{}",
                    fmt::join(pieces.begin(),
                              pieces.begin() + std::min<ptrdiff_t>(3, std::ssize(pieces)), "', '")),
        kTokenizer);
  if (*by_offset != in_order)
    spdlog::warn(
        "{}: has other special pieces than <unk>, <s> and </s>; the id of a token is that of its "
        "piece and 1, as in transformers 4, while transformers 5 leaves special pieces out",
        model.string());
  return *by_offset;
}

LanguageTokens read_nllb_tokens(const fs::path& folder) {
  const PieceIds ids = nllb_ids(folder);
  LanguageTokens result{ids.tokens, {}};
  LanguageList languages(result, folder, ids.end);
  add_from_tokenizer(folder, languages);
  languages.check_begin(folder / kTokenizer);
  if (result.codes.empty()) {
    for (const auto& [id, token] : read_added_tokens(folder)) languages.add_if_known(id, token);
    languages.check_begin(folder / kHfTokenizer);
  }
  for (const char* file : {kHfTokenizer, kSpecialTokens}) {
    if (result.codes.empty()) add_from_list(folder / file, languages);
  }
  if (result.codes.empty())
    throw_error(ErrorKind::kModel,
                "{}: none of {}, {} and {} lists languages, expected codes such as eng_Latn",
                folder.string(), kTokenizer, kHfTokenizer, kSpecialTokens);
  return result;
}

void require_language_model(const fs::path& folder) {
  if (!is_plain_file(folder / kLanguageModel))
    throw_error(
        ErrorKind::kModel,
        "{}: has no {}, the SentencePiece model of its tokenizer; copy it from the original "
        "of the model",
        folder.string(), kLanguageModel);
}

}  // namespace

bool is_first_mbart(const fs::path& folder, int64_t rows) {
  require_language_model(folder);
  const std::string tokenizer = content_of(read_object(folder / kHfTokenizer)["tokenizer_class"]);
  if (tokenizer.starts_with("MBart50Tokenizer")) return false;
  return tokenizer.starts_with("MBartTokenizer") ||
         rows <= nllb_ids(folder).end + kMbart25Languages + 1;
}

LanguageTokens read_mbart_tokens(const fs::path& folder, bool is_first) {
  require_language_model(folder);
  const PieceIds ids = nllb_ids(folder);
  LanguageTokens result{ids.tokens, {}};
  std::vector<std::string> codes = words_of(kMbart50);
  if (is_first) codes.resize(kMbart25Languages);
  LanguageList(result, folder, ids.end).add_in_order(codes);
  result.tokens.emplace(ids.end + std::ssize(result.codes), token_beside_text("mask"));
  take_added_tokens(result, folder, kLanguageModel);
  return result;
}

LanguageTokens read_language_tokens(const fs::path& folder) {
  require_language_model(folder);
  return is_plain_file(folder / "vocab.json") ? read_m2m_tokens(folder) : read_nllb_tokens(folder);
}

void check_languages(const HfLanguages& languages, const std::vector<std::string>& codes,
                     const fs::path& folder) {
  std::vector<std::string> problems;
  std::string nearest_code;
  for (const auto& [option, code] : {std::pair{"--source-language", languages.source},
                                     {"--target-language", languages.target}}) {
    if (!code.empty() && std::ranges::count(codes, code) == 0)
      problems.push_back(fmt::format("{} is '{}'", option, code));
    if (nearest_code.empty() && !problems.empty()) nearest_code = did_you_mean(code, codes);
  }
  if (!problems.empty())
    throw_error(ErrorKind::kUsage, "{}: {}, expected codes of its languages: {}{}", folder.string(),
                fmt::format("{}", fmt::join(problems, " and ")),
                fmt::format("{}", fmt::join(codes, " ")), nearest_code);
}

}  // namespace heed
