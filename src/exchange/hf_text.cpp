#include "exchange/hf_text.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/added_tokens.h"
#include "exchange/hf_byte_bpe.h"
#include "exchange/hf_t5.h"
#include "exchange/sentencepiece_choice.h"
#include "exchange/token_rows.h"
#include "text/byte_bpe.h"
#include "text/line_language.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

using Tokens = std::map<int64_t, std::string>;

// Checks the tokens of the ids in config.json.
void check_special_ids(const Tokens& tokens, const HfSettings& settings, const fs::path& path) {
  for (const auto& [key, id, token] : {std::tuple{"eos_token_id", settings.end_id, settings.end},
                                       {"pad_token_id", settings.pad_id, settings.pad}}) {
    const auto found = tokens.find(id);
    if (found != tokens.end() && found->second == token) continue;
    throw_error(ErrorKind::kModel,
                "{}: {} is {}, which is {}, expected {}; the ids are of another vocabulary",
                path.string(), key, id,
                found == tokens.end() ? "no token" : fmt::format("'{}'", found->second), token);
  }
}

// Warns if the number of embeddings shows that the tokens are of another vocabulary.
void warn_of_rows(const Tokens& tokens, int64_t rows, int64_t usual, const fs::path& path) {
  const int64_t more = rows - std::ssize(tokens);
  if (more > usual)
    spdlog::warn(
        "{}: {} rows of the embeddings have no token; check that the vocabulary is that of the "
        "model",
        path.string(), more);
}

// Pieces of a SentencePiece model that the vocabulary does not have are read as <unk>.
void warn_of_missing_pieces(const SentencePieceFile& model, const Tokens& tokens,
                            const fs::path& path) {
  std::vector<std::string> names;
  for (const auto& [id, token] : tokens) names.push_back(token);
  const int64_t all = std::ssize(model.pieces), missing = all - count_known_pieces(model, names);
  if (4 * missing > all)
    spdlog::warn(
        "{}: {} of {} pieces are not in {} and are read as <unk>; check that the files "
        "are of the same model",
        model.path.string(), missing, all, path.filename().string());
}

void warn_of_added(const std::vector<std::string>& tokens, const fs::path& folder) {
  if (!tokens.empty())
    spdlog::warn("{}: heed does not look for the added tokens {} in a source; it can write them",
                 folder.string(), fmt::join(tokens, ", "));
}

// Names the rows of added tokens after the vocabulary.
Tokens with_added_tokens(Tokens tokens, const fs::path& path) {
  std::vector<std::string> names;
  for (const auto& [id, token] : read_added_tokens(path.parent_path())) {
    const auto [own, is_new] = tokens.emplace(id, token);
    if (own->second != token)
      throw_error(ErrorKind::kModel,
                  "{}: the id {} is that of '{}', but by {} or {} of '{}'; the files are of "
                  "different models",
                  path.string(), id, own->second, kHfAddedTokens, kHfTokenizer, token);
    if (is_new) names.push_back(token);
  }
  warn_of_added(names, path.parent_path());
  return tokens;
}

int64_t id_of(const Tokens& tokens, const std::string& token, const fs::path& path) {
  const auto found = std::ranges::find(tokens, token, &Tokens::value_type::second);
  if (found == tokens.end()) throw_error(ErrorKind::kModel, "{}: has no {}", path.string(), token);
  return found->first;
}

bool is_language_token(const std::string& token) {
  return token.size() > 4 && is_language_piece(token);
}

bool has_language_codes(const Tokens& tokens) {
  return std::ranges::any_of(tokens,
                             [](const auto& item) { return is_language_token(item.second); });
}

TokenRows rows_of_file(const fs::path& path, const SpecialIds& special, const Tokens& tokens,
                       int64_t size, int64_t usual_rest = 0) {
  TokenRows rows = token_rows(tokens, special, size, path.string());
  warn_of_rows(tokens, size, usual_rest, path);
  rows.warn_of_replaced(path.string());
  return rows;
}

// Vocabularies of both sides; one file is used for both.
struct Vocabularies {
  TokenRows source, target;
  int64_t unknown = 0;  // its id on the target side
  bool has_language_codes = false;
  std::optional<std::string> forced{};  // the language that a target begins with
  bool are_joint() const { return source.vocabulary == target.vocabulary; }
};

// Language of forced_bos_token_id, if it is a language of Marian.
std::optional<std::string> forced_language(const Tokens& targets, const HfSettings& settings,
                                           const fs::path& path) {
  const std::optional<int64_t>& id = settings.generation.forced_begin;
  if (!id) return std::nullopt;
  const auto found = targets.find(*id);
  if (found == targets.end() || !is_language_token(found->second))
    throw_error(ErrorKind::kModel,
                "{}: forced_bos_token_id is {}, which is {}, expected a language such as >>deu<<",
                path.string(), *id,
                found == targets.end() ? "no token" : fmt::format("'{}'", found->second));
  return found->second.substr(2, found->second.size() - 4);
}

Vocabularies read_vocabularies(const fs::path& folder, const HfSettings& settings,
                               const SentencePieceFile& source_model,
                               const SentencePieceFile& target_model) {
  const fs::path source_file = folder / "vocab.json", target_file = folder / "target_vocab.json";
  const bool is_one = !settings.separate_vocabularies;
  const Tokens sources = is_one ? with_added_tokens(read_token_ids(source_file), source_file)
                                : read_token_ids(source_file);
  const Tokens targets =
      is_one ? sources : with_added_tokens(read_token_ids(target_file), target_file);
  Vocabularies read;
  check_special_ids(targets, settings, is_one ? source_file : target_file);
  warn_of_missing_pieces(source_model, sources, source_file);
  warn_of_missing_pieces(target_model, targets, is_one ? source_file : target_file);
  read.has_language_codes = has_language_codes(sources);
  read.forced = forced_language(targets, settings, is_one ? source_file : target_file);
  read.unknown = id_of(targets, settings.unknown, is_one ? source_file : target_file);
  const SpecialIds of_target{.pad = settings.pad_id,
                             .unknown = read.unknown,
                             .begin = settings.begin_id,
                             .end = settings.end_id};
  read.target = rows_of_file(is_one ? source_file : target_file, of_target, targets,
                             settings.target_vocabulary);
  if (is_one) {
    read.source = read.target;
    return read;
  }
  const int64_t pad = id_of(sources, settings.pad, source_file);
  // Sources have no beginning token; this is the token of heed's own exports.
  const auto begin = std::ranges::find(sources, "<s>", &Tokens::value_type::second);
  read.source = rows_of_file(source_file,
                             {.pad = pad,
                              .unknown = id_of(sources, settings.unknown, source_file),
                              .begin = begin == sources.end() ? pad : begin->first,
                              .end = id_of(sources, settings.end, source_file)},
                             sources, settings.source_vocabulary);
  return read;
}

// Side with a separate SentencePiece model.
struct Side {
  std::string name;
  const SentencePieceFile& model;
  bool language_code = false;
  std::optional<std::string> language{};
  bool language_at_end = false, many_languages = false;
};

void add_side(HfText& text, const Side& side, const Vocabulary& vocabulary,
              const std::optional<std::string>& file) {
  const auto config = make_kind<SentencePieceConfig>("sentencepiece");
  config->model = side.name + ".model";
  config->language_code = side.language_code;
  config->language = side.language;
  config->language_at_end = side.language_at_end;
  config->many_languages = side.many_languages;
  if (file) config->vocabulary.emplace().file = *file;
  text.config[side.name].tokenizer = config;
  text.codecs[side.name] = std::make_shared<const Codec>(
      with_language(std::make_shared<const SentencePieceTokenizer>(
                        side.model.bytes, side.model.path.string(), /*lower=*/false),
                    config->line_language()),
      std::make_shared<const Vocabulary>(vocabulary));
}

void share_side(HfText& text, const std::string& name, const std::string& owner) {
  text.config[name].tokenizer = make_kind<SentencePieceConfig>("sentencepiece");
  text.config[name].tokenizer->share = owner;
  text.codecs[name] = text.codecs.at(owner);
}

std::string code_of_token(const std::string& token) { return token.substr(2, token.size() - 4); }

// The language that all targets begin with: that of the command line, else that of the settings.
std::string target_language(const LanguageTokens& read, const HfSettings& settings,
                            const HfLanguages& languages, const fs::path& folder) {
  const std::optional<int64_t> own = settings.language_at_end && settings.begin_id != kNoToken
                                         ? std::optional(settings.begin_id)
                                         : settings.generation.forced_begin;
  const char* key = settings.language_at_end ? "decoder_start_token_id" : "forced_bos_token_id";
  if (!own) return languages.target;
  const auto found = read.tokens.find(*own);
  const bool is_language = found != read.tokens.end() && is_language_token(found->second) &&
                           std::ranges::count(read.codes, code_of_token(found->second)) > 0;
  const std::string code = is_language ? code_of_token(found->second) : "";
  if (languages.target.empty() && code.empty())
    throw_error(ErrorKind::kModel, "{}: {} is {}, expected the token of a language",
                folder.string(), key, *own);
  if (languages.target.empty()) {
    spdlog::info("{}: translates into {}, by {}", folder.string(), code, key);
    return code;
  }
  if (languages.target != code)
    spdlog::warn("{}: {} is {}; --target-language {} is used instead", folder.string(), key, *own,
                 languages.target);
  return languages.target;
}

void report_languages(const std::vector<std::string>& codes, const HfLanguages& chosen) {
  for (const auto& [side, code] : {std::pair{"source", chosen.source}, {"target", chosen.target}}) {
    if (code.empty())
      spdlog::info(
          "has {} {} languages; `heed translate --{}-language CODE` chooses one of them, or a line "
          "names its own",
          codes.size(), side, side);
  }
}

// Reads one vocabulary and one SentencePiece model, which both sides use with their language.
HfText read_language_text(const fs::path& folder, const HfSettings& settings,
                          const HfLanguages& languages) {
  const LanguageTokens read = settings.kind.learns_positions
                                  ? read_mbart_tokens(folder, settings.language_at_end)
                                  : read_language_tokens(folder);
  check_languages(languages, read.codes, folder);
  warn_of_added(read.added, folder);
  const SentencePieceFile model = read_sentencepiece_file(folder / kLanguageModel);
  const int64_t unknown = id_of(read.tokens, settings.unknown, model.path);
  check_special_ids(read.tokens, settings, folder);
  warn_of_missing_pieces(model, read.tokens, "vocab.json");
  const HfLanguages chosen{languages.source, target_language(read, settings, languages, folder)};
  if (settings.language_at_end && chosen.target.empty())
    throw_error(ErrorKind::kUsage,
                "{}: --target-language is missing, with which the decoder of mBART-cc25 begins; "
                "expected codes of its languages: {}",
                folder.string(), fmt::join(read.codes, " "));
  report_languages(read.codes, chosen);
  HfText text;
  text.languages = chosen;
  text.begin_id = settings.language_at_end
                      ? id_of(read.tokens, language_piece(chosen.target), folder)
                      : settings.begin_id;
  constexpr int64_t kMadeUp = 8;  // rows without a token that M2M-100 has
  const TokenRows rows = rows_of_file(
      folder,
      {.pad = settings.pad_id, .unknown = unknown, .begin = text.begin_id, .end = settings.end_id},
      read.tokens, settings.target_vocabulary, kMadeUp);
  text.source_rows = text.target_rows = rows.rows;
  const auto side_of = [&](const char* name, const std::string& code) {
    return Side{.name = name,
                .model = model,
                .language = code.empty() ? std::nullopt : std::optional(code),
                .language_at_end = settings.language_at_end,
                .many_languages = code.empty()};
  };
  const std::string file = fmt::format("{}.vocabulary", kSourceSide);
  add_side(text, side_of(kSourceSide, chosen.source), rows.vocabulary, file);
  add_side(text,
           settings.language_at_end ? Side{.name = kTargetSide, .model = model}
                                    : side_of(kTargetSide, chosen.target),
           rows.vocabulary, file);
  return text;
}

// Reads the vocabulary and the merges of BartTokenizer for both sides.
HfText read_bart_text(const fs::path& folder, const HfSettings& settings) {
  const HfByteBpe read = read_byte_bpe(folder);
  check_special_ids(read.tokens, settings, read.vocabulary);
  const int64_t first = id_of(read.tokens, ">>s<<", read.vocabulary),
                forced = settings.generation.forced_begin.value_or(first);
  if (forced != first)
    throw_error(ErrorKind::kModel, "{}: forced_bos_token_id is {}, expected {}, the id of <s>",
                folder.string(), forced, first);
  if (!settings.generation.forced_begin)
    spdlog::warn(
        "{}: says nothing of forced_bos_token_id; heed begins each translation with <s>, as "
        "BartTokenizer begins targets",
        folder.string());
  const auto config = make_kind<ByteBpeConfig>("byte_bpe");
  config->merges = fmt::format("{}.merges", kSourceSide);
  config->prefix_space = settings.prefix_space;
  config->begin = true;
  config->vocabulary.emplace().file = fmt::format("{}.vocabulary", kSourceSide);
  const auto tokenizer = std::make_shared<const ByteBpeTokenizer>(
      read.merges, read.merges_file.string(), settings.prefix_space, /*lower=*/false);
  warn_of_missing_pieces({read.merges_file, "", tokenizer->own_pieces()}, read.tokens,
                         read.vocabulary);
  const TokenRows rows =
      rows_of_file(read.vocabulary,
                   {.pad = settings.pad_id,
                    .unknown = id_of(read.tokens, settings.unknown, read.vocabulary),
                    .begin = settings.begin_id,
                    .end = settings.end_id},
                   read.tokens, settings.target_vocabulary);
  HfText text;
  text.begin_id = settings.begin_id;
  text.source_rows = text.target_rows = rows.rows;
  text.config[kSourceSide].tokenizer = config;
  text.codecs[kSourceSide] =
      std::make_shared<const Codec>(with_language(tokenizer, config->line_language()),
                                    std::make_shared<const Vocabulary>(rows.vocabulary));
  text.config[kTargetSide].tokenizer = make_kind<ByteBpeConfig>("byte_bpe");
  text.config[kTargetSide].tokenizer->share = kSourceSide;
  text.codecs[kTargetSide] = text.codecs.at(kSourceSide);
  return text;
}

// Names the rows of T5. The tokenizer's files list the sentinels, or only their number.
Tokens t5_tokens(const std::vector<std::string>& pieces, const HfSettings& settings,
                 const fs::path& path) {
  Tokens tokens, sentinels;
  for (const std::string& piece : pieces) tokens.emplace(std::ssize(tokens), piece);
  for (const auto& [id, token] : read_added_tokens(path.parent_path())) {
    if (token.starts_with("<extra_id_")) sentinels.emplace(id, token);
  }
  if (sentinels.empty()) {
    sentinels = t5_sentinels(std::ssize(pieces), settings.sentinels);
    std::erase_if(sentinels,
                  [&](const auto& one) { return one.first >= settings.target_vocabulary; });
  }
  tokens.merge(sentinels);
  return with_added_tokens(std::move(tokens), path);
}

// Warns of pieces that the tokenizer finds as added tokens and SentencePiece does not find.
void warn_of_added_pieces(const SentencePieceTokenizer& tokenizer, const fs::path& folder) {
  const std::vector<std::string> pieces = tokenizer.own_pieces();
  std::vector<std::string> missed;
  for (const auto& [id, token] : read_added_tokens(folder)) {
    if (std::ranges::count(pieces, token) > 0 &&
        std::ranges::count(tokenizer.encode(token), token) == 0)
      missed.push_back(token);
  }
  warn_of_added(missed, folder);
}

// Reads one SentencePiece model, whose pieces have their ids in it, for both sides.
HfText read_t5_text(const fs::path& folder, const HfSettings& settings) {
  const fs::path path = folder / "spiece.model";
  if (!is_plain_file(path))
    throw_error(
        ErrorKind::kModel,
        "{}: has no spiece.model, the SentencePiece model of its tokenizer; copy it from the "
        "original of the model",
        folder.string());
  const SentencePieceFile model = read_sentencepiece_file(path);
  const SentencePieceTokenizer tokenizer(model.bytes, path.string(), /*lower=*/false);
  const Tokens tokens = t5_tokens(tokenizer.all_pieces(), settings, path);
  check_special_ids(tokens, settings, path);
  warn_of_added_pieces(tokenizer, folder);
  constexpr int64_t kPadding = 128;  // the number of rows is a multiple of it
  const TokenRows rows = rows_of_file(path,
                                      {.pad = settings.pad_id,
                                       .unknown = id_of(tokens, settings.unknown, path),
                                       .begin = settings.begin_id,
                                       .end = settings.end_id},
                                      tokens, settings.target_vocabulary, kPadding);
  HfText text;
  text.begin_id = settings.begin_id;
  text.source_rows = text.target_rows = rows.rows;
  add_side(text, {.name = kSourceSide, .model = model}, rows.vocabulary,
           fmt::format("{}.vocabulary", kSourceSide));
  share_side(text, kTargetSide, kSourceSide);
  return text;
}

HfText read_marian_text(const fs::path& folder, const HfSettings& settings) {
  const SentencePieceFile source_model = read_sentencepiece_file(folder / "source.spm"),
                          target_model = read_sentencepiece_file(folder / "target.spm");
  const Vocabularies read = read_vocabularies(folder, settings, source_model, target_model);
  HfText text;
  text.begin_id = settings.begin_id;
  text.source_rows = read.source.rows;
  text.target_rows = read.target.rows;
  const Side source{kSourceSide, source_model, read.has_language_codes},
      target{kTargetSide, target_model, false, read.forced};
  const bool is_shared = read.are_joint() && !source.language_code && !target.language &&
                         source_model.bytes == target_model.bytes;
  const auto file_of = [&](const Side& side, const Vocabulary& vocabulary) {
    const bool is_own =
        (read.are_joint() && !is_shared) || Vocabulary(side.model.pieces) != vocabulary;
    const std::string& owner = read.are_joint() ? source.name : side.name;
    return is_own ? std::optional(owner + ".vocabulary") : std::nullopt;
  };
  add_side(text, source, read.source.vocabulary, file_of(source, read.source.vocabulary));
  if (source.language_code) report_language_codes(read.source.vocabulary);
  if (is_shared)
    share_side(text, target.name, source.name);
  else
    add_side(text, target, read.target.vocabulary, file_of(target, read.target.vocabulary));
  return text;
}

}  // namespace

// The beginning may share its row with another special token, whose id takes precedence.
int32_t HfText::target_id(int64_t id, const std::string& setting) const {
  for (const int32_t special : {kPad, kUnknown}) {
    if (id == target_rows[special]) return special;
  }
  const auto found = std::find(target_rows.rbegin(), target_rows.rend(), id);
  if (found == target_rows.rend())
    throw_error(ErrorKind::kModel, "{} has the id {}, but the embeddings {} rows", setting, id,
                *std::ranges::max_element(target_rows) + 1);
  return static_cast<int32_t>(target_rows.rend() - found) - 1;
}

HfText read_hf_text(const fs::path& folder, const HfSettings& settings,
                    const HfLanguages& languages) {
  if (settings.kind.has_languages) return read_language_text(folder, settings, languages);
  if (!languages.source.empty() || !languages.target.empty())
    throw_error(
        ErrorKind::kUsage,
        "{}: a model of type {} has no --source-language or --target-language; where it has "
        "several, a line begins with {}",
        folder.string(), settings.kind.model_type,
        settings.kind.is_t5() ? "<2code> (MADLAD-400) or its task" : ">>code<<");
  if (settings.kind.is_t5()) return read_t5_text(folder, settings);
  if (settings.has_byte_bpe) return read_bart_text(folder, settings);
  return read_marian_text(folder, settings);
}

}  // namespace heed
