#include "exchange/hf_text.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/json_settings.h"
#include "exchange/token_rows.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

using Tokens = std::map<int64_t, std::string>;

int64_t id_of(const Tokens& tokens, const std::string& token, const fs::path& path) {
  const auto found = std::ranges::find(tokens, token, &Tokens::value_type::second);
  if (found == tokens.end()) throw_error(ErrorKind::kModel, "{}: has no {}", path.string(), token);
  return found->first;
}

bool has_language_codes(const Tokens& tokens) {
  return std::ranges::any_of(tokens, [](const auto& item) {
    return item.second.starts_with(">>") && item.second.ends_with("<<");
  });
}

TokenRows rows_of_file(const fs::path& path, const SpecialIds& special, const Tokens& tokens,
                       int64_t size) {
  TokenRows rows = token_rows(tokens, special, size, path.string());
  for (const std::string& token : rows.replaced)
    spdlog::warn("{}: the token '{}' cannot be one of heed; its id has another name", path.string(),
                 token);
  return rows;
}

// The vocabularies of both sides; with one file they are the same.
struct Vocabularies {
  TokenRows source, target;
  int64_t unknown = 0;  // its id on the target side
  bool has_language_codes = false;
  bool are_joint() const { return source.vocabulary == target.vocabulary; }
};

Vocabularies read_vocabularies(const fs::path& folder, const HfSettings& settings) {
  const fs::path source_file = folder / "vocab.json", target_file = folder / "target_vocab.json";
  const Tokens sources = read_token_ids(source_file);
  const bool is_one = !settings.separate_vocabularies;
  const Tokens targets = is_one ? sources : read_token_ids(target_file);
  Vocabularies read;
  read.has_language_codes = has_language_codes(sources);
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
  // A source has no beginning; the token is that of heed's own exports.
  const auto begin = std::ranges::find(sources, "<s>", &Tokens::value_type::second);
  read.source = rows_of_file(source_file,
                             {.pad = pad,
                              .unknown = id_of(sources, settings.unknown, source_file),
                              .begin = begin == sources.end() ? pad : begin->first,
                              .end = id_of(sources, settings.end, source_file)},
                             sources, settings.source_vocabulary);
  return read;
}

// A side with a SentencePiece model of its own.
struct Side {
  std::string name;
  fs::path model;
  bool language_code = false;
  std::optional<std::string> language{};
};

void add_side(HfText& text, const Side& side, const Vocabulary& vocabulary,
              const std::optional<std::string>& file) {
  const auto config = make_kind<SentencePieceConfig>("sentencepiece");
  config->model = side.name + ".model";
  config->language_code = side.language_code;
  config->language = side.language;
  if (file) config->vocabulary.emplace().file = *file;
  text.config[side.name].tokenizer = config;
  text.codecs[side.name] = std::make_shared<const Codec>(
      std::make_shared<const SentencePieceTokenizer>(read_file(side.model), side.model.string(),
                                                     /*lower=*/false, config->language_token()),
      std::make_shared<const Vocabulary>(vocabulary));
}

void share_side(HfText& text, const std::string& name, const std::string& owner) {
  text.config[name].tokenizer = make_kind<SentencePieceConfig>("sentencepiece");
  text.config[name].tokenizer->share = owner;
  text.codecs[name] = text.codecs.at(owner);
}

// Are the pieces of the SentencePiece model the vocabulary, in its order?
bool are_pieces(const fs::path& model, const Vocabulary& vocabulary) {
  const SentencePieceTokenizer tokenizer(read_file(model), model.string(), /*lower=*/false);
  return Vocabulary(tokenizer.own_pieces()) == vocabulary;
}

// One vocabulary and one SentencePiece model, which each side has with its language.
HfText read_language_text(const fs::path& folder, const HfSettings& settings,
                          const HfLanguages& languages) {
  const LanguageTokens read = read_language_tokens(folder);
  check_languages(languages, read.codes, folder);
  const fs::path model = folder / kLanguageModel;
  const int64_t unknown = id_of(read.tokens, settings.unknown, model);
  const TokenRows rows = token_rows(read.tokens,
                                    {.pad = settings.pad_id,
                                     .unknown = unknown,
                                     .begin = settings.begin_id,
                                     .end = settings.end_id},
                                    settings.target_vocabulary, folder.string());
  HfText text;
  text.source_rows = text.target_rows = rows.rows;
  text.may_generate_unknown = std::ranges::count(settings.banned_ids, unknown) == 0;
  const std::string file = fmt::format("{}.vocabulary", kSourceSide);
  for (const Side& side : {Side{.name = kSourceSide, .model = model, .language = languages.source},
                           Side{.name = kTargetSide, .model = model, .language = languages.target}})
    add_side(text, side, rows.vocabulary, file);
  return text;
}

HfText read_marian_text(const fs::path& folder, const HfSettings& settings) {
  const Vocabularies read = read_vocabularies(folder, settings);
  HfText text;
  text.source_rows = read.source.rows;
  text.target_rows = read.target.rows;
  text.may_generate_unknown = std::ranges::count(settings.banned_ids, read.unknown) == 0;
  const Side source{kSourceSide, folder / "source.spm", read.has_language_codes},
      target{kTargetSide, folder / "target.spm"};
  const bool is_shared = read.are_joint() && !source.language_code &&
                         read_file(source.model) == read_file(target.model);
  const auto file_of = [&](const Side& side, const Vocabulary& vocabulary) {
    const bool is_own = (read.are_joint() && !is_shared) || !are_pieces(side.model, vocabulary);
    const std::string& owner = read.are_joint() ? source.name : side.name;
    return is_own ? std::optional(owner + ".vocabulary") : std::nullopt;
  };
  add_side(text, source, read.source.vocabulary, file_of(source, read.source.vocabulary));
  if (is_shared)
    share_side(text, target.name, source.name);
  else
    add_side(text, target, read.target.vocabulary, file_of(target, read.target.vocabulary));
  return text;
}

}  // namespace

HfText read_hf_text(const fs::path& folder, const HfSettings& settings,
                    const HfLanguages& languages) {
  if (settings.kind.has_languages) return read_language_text(folder, settings, languages);
  if (!languages.source.empty() || !languages.target.empty())
    throw_error(
        ErrorKind::kUsage,
        "{}: a model of type {} has no --source-language or --target-language; where it has "
        "several, a line begins with >>code<<",
        folder.string(), settings.kind.model_type);
  return read_marian_text(folder, settings);
}

}  // namespace heed
