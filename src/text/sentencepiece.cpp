#include "text/sentencepiece.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <new>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "base/replace_all.h"
#include "base/utf8.h"
#include "text/line.h"
#include "text/line_language.h"
#include "text/sentencepiece_file.h"
#include "text/sentencepiece_trainer.h"
#include "text/subword_regularization.h"
#include "text/unknown_runs.h"

namespace heed {

namespace {

constexpr size_t kLongestSampledText = 16 * 1024;  // in bytes
constexpr size_t kLongestSampledWord = 100;        // in characters

using Pieces = std::vector<std::string>;

// Replaces an unknown piece while SentencePiece joins the pieces: a code point that a text must not
// contain. SentencePiece would write its own unknown piece as " ⁇ ".
constexpr std::string_view kPlaceholder = "\xEF\xB7\x90";

const Words<SubwordModel> kSubwordModels = {{"bpe", SubwordModel::kBpe},
                                            {"unigram", SubwordModel::kUnigram}};
const Words<Normalization> kNormalizations = {{"nmt_nfkc", Normalization::kNmtNfkc},
                                              {"nfkc", Normalization::kNfkc},
                                              {"identity", Normalization::kIdentity}};

// Any text can be encoded and decoded, except by a model that was changed.
void check(const sentencepiece::util::Status& status) {
  if (status.ok()) return;
  throw_error(ErrorKind::kModel, "the SentencePiece model is damaged: {}; train or copy it again",
              status.message());
}

void append(Pieces& pieces, Pieces&& more) {
  pieces.insert(pieces.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

bool has_line_feed(std::string_view piece) { return piece.find('\n') != std::string_view::npos; }

// Language pieces at the beginning of the lines.
std::set<std::string> language_pieces(const LineSource& lines, bool lower) {
  std::set<std::string> pieces;
  lines([&](std::string_view line) {
    const std::string text = line.starts_with(">>") ? prepare_line(line, lower) : "";
    const std::string_view piece = first_language_piece(text);
    if (!piece.empty()) pieces.emplace(piece);
  });
  if (pieces.empty())
    spdlog::warn("language_code: no line of the training text begins with a code such as >>de<<");
  return pieces;
}

LineSource behind_language(const LineSource& lines) {
  return [&lines](const auto& take) {
    lines([&](std::string_view line) {
      line.remove_prefix(first_language_piece(line).size());
      take(line);
    });
  };
}

void require_language_pieces(const std::vector<std::string>& pieces, const std::string& file) {
  if (std::ranges::any_of(pieces, is_language_piece)) return;
  throw_error(ErrorKind::kUsage,
              "{}: has no token of a language, such as >>de<<, which language_code needs: give "
              "`vocabulary: {{min_count: 1}}` beside it, which counts them in the training text",
              file);
}

}  // namespace

std::string restricted_sentencepiece(const std::string& model, const std::string& name,
                                     const std::vector<std::string>& vocabulary) {
  check_sentencepiece_model(model, name);
  sentencepiece::SentencePieceProcessor processor;
  check(processor.LoadFromSerializedProto(model));
  for (int id = 0; id < processor.GetPieceSize(); ++id) {
    if (!processor.IsByte(id)) continue;  // of which SetVocabulary() would make text
    spdlog::warn("{}: has byte fallback; pieces that the vocabulary lacks are read as <unk>", name);
    return model;
  }
  check(processor.SetVocabulary({vocabulary.begin(), vocabulary.end()}));
  return processor.serialized_model_proto();
}

SentencePieceTokenizer::SentencePieceTokenizer(std::string model, const std::string& name,
                                               bool lower)
    : model_(std::move(model)), lower_(lower) {
  check_sentencepiece_model(model_, name);
  space_is_suffix_ = has_space_as_suffix(model_);
  auto processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
  std::string fault;
  try {
    fault = processor->LoadFromSerializedProto(model_).message();
  } catch (const std::bad_alloc&) {  // no fault of the file
    throw;
  } catch (const std::exception& error) {  // of the trie that the processor builds
    fault = error.what();
  }
  if (!fault.empty()) {
    throw_error(ErrorKind::kModel, "{}: SentencePiece cannot use it: {}; train or copy it again",
                name, fault);
  }
  processor_ = std::move(processor);
  Pieces letter;
  const bool is_encoded = processor_->Encode("a", &letter).ok() && !letter.empty();
  adds_last_space_ = space_is_suffix_ && is_encoded && letter.back().ends_with(kSpaceSign);
  std::vector<Pieces> nbest;
  is_unigram_ = processor_->NBestEncode("a", 1, &nbest).ok();  // only unigram models support it
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

Pieces SentencePieceTokenizer::encode(std::string_view line) const {
  return encode_text(prepare_line(line, lower_));
}

Pieces SentencePieceTokenizer::encode_text(std::string_view text) const {
  const auto encode = [this](std::string_view part) {
    Pieces pieces;
    check(processor_->Encode(part, &pieces));
    return pieces;
  };
  return encode_unknown_runs(
      text, {encode, [this](const std::string& piece) { return is_unknown(piece); },
             [this] { return all_pieces(); }});
}

Pieces SentencePieceTokenizer::sample(std::string_view line, const SubwordRegularizationConfig& how,
                                      RandomStream& draws) const {
  const std::string text = prepare_line(line, lower_);
  return is_unigram_ ? sample_unigram(text, how, draws)
                     : drop_merges(encode_text(text), how.bpe_dropout, draws);
}

Pieces SentencePieceTokenizer::sample_unigram(std::string_view text,
                                              const SubwordRegularizationConfig& how,
                                              RandomStream& draws) const {
  if (text.size() > kLongestSampledText) return encode_text(text);
  const auto holder = processor_->NBestEncodeAsImmutableProto(text, static_cast<int>(how.nbest));
  const auto nbest = holder.nbests();  // refer to the holder
  if (nbest.empty()) return encode_text(text);
  const auto weight = [&](const auto& segmentation) {  // P^α relative to the best segmentation
    return std::exp(how.alpha * (segmentation.score() - nbest.front().score()));
  };
  Pieces pieces;
  for (const auto& piece : nbest[draw_index(nbest, weight, draws.uniform())].pieces())
    pieces.push_back(piece.piece());
  return pieces;
}

Pieces SentencePieceTokenizer::drop_merges(const Pieces& pieces, double p,
                                           RandomStream& draws) const {
  const MergePriority priority = priorities();
  Pieces result;
  for (size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
    Pieces word = characters_of(pieces[begin]);
    for (end = begin + 1; end < pieces.size() && !is_word_end(pieces[end - 1], pieces[end]);
         ++end) {
      Pieces more = characters_of(pieces[end]);
      if (word.size() + more.size() > kLongestSampledWord) break;
      append(word, std::move(more));
    }
    append(result, word.size() > kLongestSampledWord
                       ? Pieces(pieces.begin() + begin, pieces.begin() + end)
                       : merge_with_dropout(std::move(word), priority, p, draws));
  }
  return result;
}

// False if one of the characters has no piece, or if the piece is a user-defined symbol.
bool SentencePieceTokenizer::is_made_by_merges(const std::string& piece) const {
  const auto is_known = [this](const std::string& token) { return score(token).has_value(); };
  Pieces characters;
  for (const std::string_view character : code_points(piece)) characters.emplace_back(character);
  RandomStream none(0);
  return is_known(piece) && std::ranges::all_of(characters, is_known) &&
         merge_with_dropout(std::move(characters), priorities(), 0, none).size() == 1;
}

// Characters that the piece was merged from; the piece itself if it was not merged.
Pieces SentencePieceTokenizer::characters_of(const std::string& piece) const {
  std::call_once(merged_once_, [this] {
    for (int id = 0; id < processor_->GetPieceSize(); ++id)
      merged_.push_back(is_made_by_merges(processor_->IdToPiece(id)));
  });
  if (!merged_[static_cast<size_t>(processor_->PieceToId(piece))]) return {piece};
  Pieces characters;
  for (const std::string_view character : code_points(piece)) characters.emplace_back(character);
  return characters;
}

MergePriority SentencePieceTokenizer::priorities() const {
  return [this](const std::string& token) { return score(token); };
}

// Score of a piece that text is segmented into; nullopt for special pieces.
std::optional<float> SentencePieceTokenizer::score(const std::string& piece) const {
  const int id = processor_->PieceToId(piece);
  const bool is_text = !processor_->IsUnknown(id) && !processor_->IsControl(id) &&
                       !processor_->IsUnused(id) && !processor_->IsByte(id);
  return is_text ? std::optional(processor_->GetScore(id)) : std::nullopt;
}

std::string SentencePieceTokenizer::decode(const std::vector<std::string>& pieces) const {
  Pieces known = pieces;
  for (std::string& piece : known) {
    if (piece == kUnknownPiece) piece = kPlaceholder;
  }
  std::string text;
  check(processor_->Decode(known, &text));
  // SentencePiece does not change pieces that its model lacks, including their space signs.
  text = replace_all(replace_all(text, kPlaceholder, kUnknownPiece), kSpaceSign, " ");
  if (adds_last_space_ && text.ends_with(' ')) text.pop_back();
  const bool foreign_start =
      !pieces.empty() && pieces[0].starts_with(kSpaceSign) && is_unknown(pieces[0]);
  return foreign_start && text.starts_with(' ') ? text.substr(1) : text;
}

bool SentencePieceTokenizer::is_unknown(const std::string& piece) const {
  return processor_->IsUnknown(processor_->PieceToId(piece));
}

bool SentencePieceTokenizer::is_word_end(const std::string& piece, const std::string& next) const {
  return space_is_suffix_ ? piece.ends_with(kSpaceSign) : next.starts_with(kSpaceSign);
}

std::string SentencePieceTokenizer::text_of(std::string_view piece) const {
  const int id = processor_->PieceToId(piece);
  if (!processor_->IsByte(id)) return replace_all(std::string(piece), kSpaceSign, " ");
  constexpr size_t kDigits = 3;  // <0x41>
  return {static_cast<char>(std::stoi(std::string(piece.substr(kDigits, 2)), nullptr, 16))};
}

int64_t SentencePieceTokenizer::pieces_with_line_feeds() const {
  return std::ranges::count_if(all_pieces(), has_line_feed);
}

std::vector<std::string> SentencePieceTokenizer::own_pieces() const {
  std::vector<std::string> pieces;
  pieces.reserve(processor_->GetPieceSize());
  for (int id = 0; id < processor_->GetPieceSize(); ++id) {
    const std::string& piece = processor_->IdToPiece(id);
    const bool is_control = processor_->IsControl(id) && !is_language_piece(piece);
    const bool usable = !processor_->IsUnknown(id) && !is_control && !processor_->IsUnused(id);
    if (usable && !is_special_piece(piece) && !has_line_feed(piece)) pieces.push_back(piece);
  }
  return pieces;
}

std::vector<std::string> SentencePieceTokenizer::all_pieces() const {
  std::vector<std::string> pieces;
  for (int id = 0; id < processor_->GetPieceSize(); ++id)
    pieces.push_back(processor_->IdToPiece(id));
  return pieces;
}

void SentencePieceTokenizer::save(const std::filesystem::path& folder,
                                  const std::string& stem) const {
  write_file(folder / (stem + ".model"), model_);
}

const SentencePieceTokenizer* sentencepiece_of(const Tokenizer& tokenizer) {
  const auto* with_language = dynamic_cast<const LanguageTokenizer*>(&tokenizer);
  return dynamic_cast<const SentencePieceTokenizer*>(
      with_language == nullptr ? &tokenizer : &with_language->inner());
}

void SentencePieceConfig::own_fields(Fields& f) {
  f.path("model", model, PathRoot::kConfigFolder,
         "trained SentencePiece model to load; `size` to `sample` below have no effect then");
  f.field("size", size, IntRange{8, 1000000},
          "vocabulary size, including the four special tokens; smaller if the training data do not "
          "yield as many");
  f.choice("model_type", model_type, kSubwordModels, "segmentation algorithm");
  f.field("character_coverage", character_coverage, Range{0.98, 1},
          "proportion of the characters of the text that the vocabulary covers; the rarest are "
          "left out");
  f.field("byte_fallback", byte_fallback,
          "spell characters outside the vocabulary in bytes, which adds 256 tokens to it");
  f.choice("normalization", normalization, kNormalizations, "Unicode normalization");
  f.field("sample", sample, kPositive, "train on at most this many lines, sampled at random");
  f.field("language_code", language_code,
          "`>>code<<` at the beginning of a line is one token, as in multilingual OPUS-MT models");
  f.field("language", language,
          "code of the language of lines that do not begin with `>>code<<`: its token begins the "
          "encoded line and is left out of decoded text; of the target it is forced in translation "
          "(M2M-100, NLLB)");
  f.field("language_at_end", language_at_end,
          "the token of the language stands behind the text and </s>, not before it (mBART-cc25)");
  f.field(
      "many_languages", many_languages,
      "each line is in one of the languages whose tokens the vocabulary has, which a line or an "
      "option of translation names (M2M-100, NLLB)");
  f.section("vocabulary", vocabulary,
            "separate vocabulary; by default that of the SentencePiece model. Subwords that it "
            "lacks are <unk>");
  f.peers("model", {.joeynmt = "data.src.voc_file",
                    .opennmt = "src_subword_model, tgt_subword_model",
                    .marian = "vocabs"});
  f.peers("size", {.joeynmt = "data.src.voc_limit",
                   .opennmt = "src_vocab_size, tgt_vocab_size",
                   .marian = "dim-vocabs",
                   .also = "vocab_size"});
}

std::shared_ptr<Tokenizer> SentencePieceConfig::make(const LineSource& lines, uint64_t seed) const {
  if (model) {
    auto tokenizer = std::make_shared<SentencePieceTokenizer>(read_file(*model), *model, lower);
    if (language_code && !vocabulary) require_language_pieces(tokenizer->own_pieces(), *model);
    if (const int64_t count = tokenizer->pieces_with_line_feeds(); count > 0 && !vocabulary)
      spdlog::info(
          "{}: {} with a line feed, which no line of a text has, {} left out of the vocabulary",
          *model, count == 1 ? "a token" : fmt::format("{} tokens", count),
          count == 1 ? "is" : "are");
    return tokenizer;
  }
  SubwordTraining training{.size = size,
                           .character_coverage = character_coverage,
                           .byte_fallback = byte_fallback,
                           .sample = sample,
                           .lower = lower,
                           .seed = seed};
  for (const auto& [word, kind] : kSubwordModels) {
    if (kind == model_type) training.model_type = word;
  }
  for (const auto& [word, kind] : kNormalizations) {
    if (kind == normalization) training.normalization = word;
  }
  if (language_code && !vocabulary) training.symbols = language_pieces(lines, lower);
  const LineSource text = language_code ? behind_language(lines) : lines;
  return std::make_shared<SentencePieceTokenizer>(train_sentencepiece(training, text),
                                                  "the SentencePiece model just trained", lower);
}

LineLanguage SentencePieceConfig::line_language() const {
  return {.in_lines = language_code || language || many_languages,
          .is_needed = many_languages,
          .otherwise = language.value_or(""),
          .is_in_text = !language && !many_languages,
          .is_at_end = language_at_end};
}

void SentencePieceConfig::validate(Problems& problems) const {
  TokenizerConfig::validate(problems);
  if (language_at_end && !language && !many_languages)
    problems.add("language_at_end", "needs language or many_languages");
  if (language && many_languages)
    problems.add("many_languages", "excludes language: leave one of them out");
  if (language && !is_language_code(*language))
    problems.add("language", "expected a code of letters, digits, _ and -, such as deu_Latn");
  for (const auto& [key, is_given] :
       {std::pair{"language", language.has_value()}, {"many_languages", many_languages}}) {
    if (!is_given) continue;
    if (marker) problems.add(key, "a marker between sentences is not possible with it");
    if (features) problems.add(key, "feature labels are not possible with it");
    if (!vocabulary)
      problems.add(key, "needs a separate vocabulary (vocabulary.file) that has its token");
  }
}

std::shared_ptr<Tokenizer> SentencePieceConfig::load(const std::filesystem::path& folder,
                                                     const std::string& stem) const {
  const std::filesystem::path path = folder / (stem + ".model");
  return std::make_shared<SentencePieceTokenizer>(read_file(path), path.string(), lower);
}

void SentencePieceConfig::take_files(const std::filesystem::path& folder, const std::string& stem) {
  if (vocabulary) TokenizerConfig::take_files(folder, stem);
  model = (folder / (stem + ".model")).string();
}

}  // namespace heed
