#include "exchange/ctranslate2_text.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/ctranslate2_vocabulary.h"
#include "exchange/sentencepiece_choice.h"
#include "text/line.h"
#include "text/line_language.h"
#include "text/sentencepiece.h"
#include "text/words.h"

namespace heed {

namespace {

constexpr const char* kJoiner = "@@";
// Text is cut by subword-nmt if more than one in this many tokens ends in the joiner.
constexpr size_t kJoinedTokens = 50;

bool is_cut_by_joiner(const CTranslate2Side& side) {
  const auto joined = static_cast<size_t>(std::ranges::count_if(
      side.tokens, [](const std::string& token) { return token.ends_with(kJoiner); }));
  return joined * kJoinedTokens > side.tokens.size();
}

bool has_pieces(const CTranslate2Side& side) {
  return std::ranges::any_of(side.tokens, [](const std::string& token) {
    return token.starts_with(kSpaceSign) || token.ends_with(kSpaceSign);
  });
}

bool has_language_codes(const CTranslate2Side& side) {
  return std::ranges::any_of(side.tokens, is_language_piece);
}

class FolderTextReader {
 public:
  FolderTextReader(const CTranslate2Folder& folder, const CTranslate2Settings& settings,
                   const CTranslate2TextOptions& options)
      : folder_(folder),
        options_(options),
        vocabularies_(read_ctranslate2_vocabularies(folder.model, settings.unknown)) {
    HfLanguages chosen = options.languages;
    if (chosen.target.empty()) chosen.target = folder.target_prefix;
    languages_ = find_ctranslate2_languages(settings, vocabularies_, chosen);
    rows_ = order_ctranslate2_rows(vocabularies_, settings, languages_);
    text_.never = rows_.never;
    text_.source_tokens = std::ssize(vocabularies_.source.tokens);
    text_.target_tokens = std::ssize(vocabularies_.target.tokens);
    text_.source_rows = rows_.source.rows;
    text_.target_rows = rows_.target.rows;
  }

  CTranslate2Text read() {
    auto source = find_model(kSourceSide, vocabularies_.source, options_.source_spm),
         target = find_model(kTargetSide, vocabularies_.target, options_.target_spm);
    if (!source && !target) {
      add_words();
    } else {
      if (!source || !target)
        throw_error(ErrorKind::kModel,
                    "{}: no SentencePiece model fits the vocabulary of the {}; name it by --{}-spm",
                    folder_.model.string(), source ? "target" : "source",
                    source ? "target" : "source");
      report(kSourceSide, *source, vocabularies_.source);
      report(kTargetSide, *target, vocabularies_.target);
      add_pieces(*source, *target);
    }
    return std::move(text_);
  }

 private:
  // Returns nullopt if the text is tokens between spaces.
  std::optional<SentencePieceFile> find_model(const std::string& side,
                                              const CTranslate2Side& vocabulary,
                                              const std::string& named) {
    if (options_.tokenized) return std::nullopt;
    std::optional<SentencePieceFile> file;
    if (!named.empty()) {
      file = read_sentencepiece_file(named);
      if (!choose_sentencepiece_file({*file}, side, vocabulary.tokens))
        throw_error(ErrorKind::kModel,
                    "{}: belongs to another model: {} of its {} pieces are in {}", named,
                    count_known_pieces(*file, vocabulary.tokens), file->pieces.size(),
                    vocabulary.file.string());
    }
    for (const fs::path& folder : folder_.tokenizers) {
      if (!file) file = choose_sentencepiece_file(models_in(folder), side, vocabulary.tokens);
    }
    if (!file && has_pieces(vocabulary))
      throw_error(ErrorKind::kModel,
                  "{}: its tokens are SentencePiece pieces, but no SentencePiece model in {} has "
                  "them; name it by --{}-spm, or give --tokenized for text that is cut into pieces",
                  vocabulary.file.string(), fmt::format("{}", fmt::join(folder_names(), " or ")),
                  side);
    return file;
  }
  // Reads the files of a folder once, for both sides.
  const std::vector<SentencePieceFile>& models_in(const fs::path& folder) {
    const auto [models, is_new] = models_.try_emplace(folder);
    if (is_new) models->second = find_sentencepiece_files(folder);
    return models->second;
  }
  std::vector<std::string> folder_names() const {
    std::vector<std::string> names;
    for (const fs::path& folder : folder_.tokenizers) names.push_back(folder.string());
    return names;
  }
  static void report(const std::string& side, const SentencePieceFile& file,
                     const CTranslate2Side& vocabulary) {
    const int64_t known = count_known_pieces(file, vocabulary.tokens);
    const std::string lacking =
        known == std::ssize(file.pieces)
            ? ""
            : fmt::format("; {} of its {} pieces are not in the vocabulary and become <unk>",
                          format_count(std::ssize(file.pieces) - known),
                          format_count(std::ssize(file.pieces)));
    spdlog::info("{}: SentencePiece by {}{}", side, file.path.string(), lacking);
  }

  void add_words() {
    if (!languages_.source.empty() || !languages_.target.empty())
      throw_error(ErrorKind::kUsage,
                  "{}: only text by SentencePiece can begin with a language; name its model by "
                  "--source-spm and --target-spm",
                  folder_.model.string());
    add_word_side(kSourceSide, vocabularies_.source, rows_.source.vocabulary);
    if (vocabularies_.is_shared) {
      text_.config[kTargetSide].tokenizer = make_kind<WordsConfig>("words");
      text_.config[kTargetSide].tokenizer->share = kSourceSide;
      text_.codecs[kTargetSide] = text_.codecs.at(kSourceSide);
    } else {
      add_word_side(kTargetSide, vocabularies_.target, rows_.target.vocabulary);
    }
    const std::string what = "text is tokens between spaces, which another program makes";
    if (options_.tokenized)
      spdlog::info("{}", what);
    else
      spdlog::warn("{}: no SentencePiece model in {}", what,
                   fmt::format("{}", fmt::join(folder_names(), " or ")));
  }
  void add_word_side(const std::string& side, const CTranslate2Side& vocabulary,
                     const Vocabulary& own) {
    const bool is_cut = is_cut_by_joiner(vocabulary);
    const auto config = make_kind<WordsConfig>("words");
    if (is_cut) {
      config->join = std::string(kJoiner) + " ";
      spdlog::info("{}: tokens that end in {} are joined with the next one", side, kJoiner);
    }
    config->vocabulary.file = side + ".vocabulary";
    text_.config[side].tokenizer = config;
    text_.codecs[side] = std::make_shared<const Codec>(
        std::make_shared<const WordTokenizer>(is_cut ? kJoiner : "", /*lower=*/false),
        std::make_shared<const Vocabulary>(own));
  }

  void add_pieces(const SentencePieceFile& source, const SentencePieceFile& target) {
    const bool may_begin_with_code =
        languages_.source.empty() && has_language_codes(vocabularies_.source);
    add_piece_side(kSourceSide, source, languages_.source, may_begin_with_code,
                   rows_.source.vocabulary, kSourceSide);
    if (may_begin_with_code) report_language_codes(rows_.source.vocabulary);
    const bool is_same = vocabularies_.is_shared && source.bytes == target.bytes &&
                         languages_.source.empty() && languages_.target.empty() &&
                         !may_begin_with_code;
    if (is_same) {
      text_.config[kTargetSide].tokenizer = make_kind<SentencePieceConfig>("sentencepiece");
      text_.config[kTargetSide].tokenizer->share = kSourceSide;
      text_.codecs[kTargetSide] = text_.codecs.at(kSourceSide);
    } else {
      add_piece_side(kTargetSide, target, languages_.target, false, rows_.target.vocabulary,
                     vocabularies_.is_shared ? kSourceSide : kTargetSide);
    }
  }
  void add_piece_side(const std::string& side, const SentencePieceFile& file,
                      const std::string& language, bool language_code, const Vocabulary& own,
                      const std::string& owner) {
    const auto config = make_kind<SentencePieceConfig>("sentencepiece");
    config->model = side + ".model";
    config->language_code = language_code;
    if (!language.empty()) config->language = language;
    config->vocabulary.emplace().file = owner + ".vocabulary";
    text_.config[side].tokenizer = config;
    text_.codecs[side] = std::make_shared<const Codec>(
        with_language(std::make_shared<const SentencePieceTokenizer>(file.bytes, file.path.string(),
                                                                     /*lower=*/false),
                      config->line_language()),
        std::make_shared<const Vocabulary>(own));
  }

  const CTranslate2Folder& folder_;
  const CTranslate2TextOptions& options_;
  CTranslate2Vocabularies vocabularies_;
  CTranslate2Languages languages_;
  CTranslate2Rows rows_;
  std::map<fs::path, std::vector<SentencePieceFile>> models_;
  CTranslate2Text text_;
};

}  // namespace

CTranslate2Text read_ctranslate2_text(const CTranslate2Folder& folder,
                                      const CTranslate2Settings& settings,
                                      const CTranslate2TextOptions& options) {
  return FolderTextReader(folder, settings, options).read();
}

}  // namespace heed
