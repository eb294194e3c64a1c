#include "text/trimmed_codecs.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "text/byte_bpe.h"
#include "text/features.h"
#include "text/line_language.h"
#include "text/marker.h"
#include "text/sentencepiece_pieces.h"

namespace heed {

namespace {

bool is_single_character(std::string_view piece) { return count_code_points(piece) == 1; }

// Pieces that stand for more than text.
bool is_sign(std::string_view piece) {
  return is_language_piece(piece) || piece == kMarkerPiece || piece.starts_with(kFeatureSign);
}

std::filesystem::path subword_model(const std::filesystem::path& folder, const std::string& side) {
  return folder / (side + ".model");
}

std::filesystem::path merges_of(const std::filesystem::path& folder, const std::string& side) {
  return folder / (side + ".merges");
}

Vocabulary subset(const Vocabulary& vocabulary, const std::set<std::string>& kept) {
  std::vector<std::string> pieces;
  for (int32_t id = kSpecials; id < vocabulary.size(); ++id) {
    if (kept.contains(vocabulary.piece(id))) pieces.push_back(vocabulary.piece(id));
  }
  return Vocabulary(pieces);
}

}  // namespace

CorpusTokens::CorpusTokens(const TextConfigs& text, const Codecs& codecs)
    : text_(text), codecs_(codecs) {
  for (const auto& [side, unused] : text) {
    const auto& vocabulary = codecs.at(side)->shared_vocabulary();
    auto group = std::ranges::find_if(groups_, [&](const Group& other) {
      return other.vocabulary == vocabulary || *other.vocabulary == *vocabulary;
    });
    if (group == groups_.end())
      group = groups_.insert(groups_.end(), Group{.vocabulary = vocabulary});
    group->sides.push_back(side);
    group->has_subwords |= has_subwords(side);
    group_of_[side] = static_cast<size_t>(group - groups_.begin());
  }
}

template <class Config>
bool CorpusTokens::is_of(const std::string& side) const {
  const TokenizerConfig* config = text_.at(owner_of(text_, side)).tokenizer.get();
  return dynamic_cast<const Config*>(config) != nullptr;
}

bool CorpusTokens::has_subwords(const std::string& side) const {
  return is_of<SentencePieceConfig>(side) || is_of<ByteBpeConfig>(side);
}

CorpusTokens::Parts CorpusTokens::parts_of(const Group& group,
                                           const std::filesystem::path& folder) const {
  Parts all;
  for (const std::string& side : group.sides) {
    if (owner_of(text_, side) != side || !is_of<ByteBpeConfig>(side)) continue;
    for (const auto& [piece, parts] : merged_parts(read_file(merges_of(folder, side))))
      all[piece].insert(all[piece].end(), parts.begin(), parts.end());
  }
  return all;
}

void CorpusTokens::add(const std::string& side, const LineSource& lines) {
  Group& group = groups_[group_of_.at(side)];
  group.counted.insert(side);
  count(side, lines, group.counts);
}

void CorpusTokens::add_to_all(const LineSource& lines) {
  for (Group& group : groups_) {
    group.counted.insert(group.sides.begin(), group.sides.end());
    Counts most;
    for (const std::string& side : sides_apart(text_, codecs_)) {
      if (std::ranges::count(group.sides, side) == 0) continue;
      Counts own;
      count(side, lines, own);
      for (const auto& [piece, count] : own) most[piece] = std::max(most[piece], count);
    }
    for (const auto& [piece, count] : most) group.counts[piece] += count;
  }
}

void CorpusTokens::count(const std::string& side, const LineSource& lines, Counts& counts) const {
  const Tokenizer& tokenizer = codecs_.at(side)->tokenizer();
  lines([&](std::string_view line) {
    for (const std::string& piece : tokenizer.encode(line)) ++counts[piece];
  });
}

CorpusTokens::Pieces CorpusTokens::fixed_pieces(const Group& group,
                                                const std::filesystem::path& folder,
                                                const TrimSettings& settings) const {
  Pieces fixed, characters;
  for (const std::string& side : group.sides) {
    if (is_of<ByteBpeConfig>(side)) {
      for (std::string& piece : byte_pieces()) fixed.insert(std::move(piece));
    }
    if (owner_of(text_, side) != side || !is_of<SentencePieceConfig>(side)) continue;
    for (std::string& piece : needed_pieces(read_file(subword_model(folder, side))))
      fixed.insert(std::move(piece));
  }
  for (const auto& [piece, unused] : group.counts) {
    if (!group.has_subwords) break;
    for (const std::string_view character : code_points(piece)) characters.emplace(character);
  }
  for (int32_t id = kSpecials; id < group.vocabulary->size(); ++id) {
    const std::string& piece = group.vocabulary->piece(id);
    const bool is_character =
        group.has_subwords &&
        (characters.contains(piece) || (settings.all_characters && is_single_character(piece)));
    if (is_character || is_sign(piece)) fixed.insert(piece);
  }
  return fixed;
}

CorpusTokens::Pieces CorpusTokens::kept_pieces(const Group& group, const Pieces& fixed,
                                               const Parts& parts,
                                               const TrimSettings& settings) const {
  const Vocabulary& vocabulary = *group.vocabulary;
  Pieces kept;
  // A piece and all that it is merged from, as far as they are not kept yet.
  const auto with_parts = [&](const std::string& piece) {
    Pieces added;
    for (std::vector<std::string> left{piece}; !left.empty();) {
      const std::string next = std::move(left.back());
      left.pop_back();
      if (kept.contains(next) || !added.insert(next).second) continue;
      const auto own = parts.find(next);
      if (own != parts.end()) left.insert(left.end(), own->second.begin(), own->second.end());
    }
    return added;
  };
  const auto count_rows = [&](const Pieces& pieces) {
    return std::ranges::count_if(
        pieces, [&](const std::string& piece) { return vocabulary.id(piece) >= kSpecials; });
  };
  for (const std::string& piece : fixed) kept.merge(with_parts(piece));
  std::vector<std::pair<int64_t, int32_t>> order;  // negative counts and ids
  for (const auto& [piece, count] : group.counts) {
    if (count < settings.min_count || fixed.contains(piece)) continue;
    const int32_t id = vocabulary.id(piece);
    if (id >= kSpecials)
      order.emplace_back(-count, id);
    else
      kept.merge(with_parts(piece));  // the tokenizer writes it, and it stays unknown
  }
  std::ranges::sort(order);
  int64_t size = kSpecials + count_rows(kept);
  if (settings.size && *settings.size < size)
    throw_error(ErrorKind::kUsage,
                "--size {}: the vocabulary of {} needs {} tokens for special tokens, languages, "
                "single characters and the like; give at least that",
                *settings.size, fmt::join(group.sides, " and "), size);
  for (const auto& [unused, id] : order) {
    Pieces added = with_parts(vocabulary.piece(id));
    size += count_rows(added);
    if (settings.size && size > *settings.size) break;
    kept.merge(added);
  }
  const bool has_text = std::ranges::any_of(group.counts, [&](const auto& counted) {
    return vocabulary.id(counted.first) >= kSpecials && kept.contains(counted.first);
  });
  if (!has_text)
    throw_error(ErrorKind::kData,
                "no token of the text of {} is in the vocabulary, or none is frequent enough; give "
                "a text of its language, or a lower --min-count",
                fmt::join(group.sides, " and "));
  return kept;
}

void CorpusTokens::write(const Group& group, const Pieces& kept,
                         const std::filesystem::path& folder) const {
  const auto keeps = [&kept](const std::string& piece) { return kept.contains(piece); };
  for (const std::string& side : group.sides) {
    if (owner_of(text_, side) != side) continue;
    if (is_of<ByteBpeConfig>(side)) {
      const std::filesystem::path file = merges_of(folder, side);
      write_file(file, trimmed_merges(read_file(file), keeps));
    }
    if (is_of<SentencePieceConfig>(side)) {
      const std::filesystem::path file = subword_model(folder, side);
      write_file(file, trimmed_sentencepiece(read_file(file), keeps));
    }
    subset(*group.vocabulary, kept).save(folder / (side + ".vocabulary"));
  }
}

Codecs CorpusTokens::trimmed(const std::filesystem::path& folder,
                             const TrimSettings& settings) const {
  save_codecs(folder, text_, codecs_);
  if (settings.all_characters && std::ranges::none_of(groups_, &Group::has_subwords))
    spdlog::warn("--all-characters: the vocabularies have no subwords, so it has no effect");
  for (const Group& group : groups_) {
    if (group.counted.empty()) continue;
    for (const std::string& side : group.sides) {
      if (!group.counted.contains(side))
        throw_error(ErrorKind::kUsage,
                    "there is no text for {}, which has the same vocabulary as {}; give one by "
                    "{}, or name the texts of both by --keep",
                    side, *group.counted.begin(),
                    side == "target" ? std::string("--target FILE")
                                     : fmt::format("--source {}=FILE", side));
    }
    if (group.counts.empty())
      throw_error(ErrorKind::kData, "the text of {} has no tokens; give a text of its language",
                  fmt::join(group.sides, " and "));
    const Pieces fixed = fixed_pieces(group, folder, settings);
    write(group, kept_pieces(group, fixed, parts_of(group, folder), settings), folder);
  }
  Codecs codecs = codecs_;  // with the labels of factors
  for (const auto& [side, codec] : load_codecs(folder, text_)) {
    if (!groups_[group_of_.at(side)].counted.empty()) codecs[side] = codec;
  }
  return codecs;
}

std::vector<std::string> sides_apart(const TextConfigs& text, const Codecs& codecs) {
  std::vector<std::string> sides;
  for (const auto& [side, unused] : text) {
    if (std::ranges::none_of(
            sides, [&](const std::string& other) { return codecs.at(other) == codecs.at(side); }))
      sides.push_back(side);
  }
  return sides;
}

void TokenizationChange::add(const Codec& before, const Codec& now, std::string_view line) {
  std::vector<std::string> pieces_before, pieces;
  const Ids ids_before = before.encode(line, &pieces_before), ids = now.encode(line, &pieces);
  ++lines;
  tokens_before += std::ssize(ids_before);
  tokens += std::ssize(ids);
  unknown_before += std::ranges::count(ids_before, kUnknown);
  unknown += std::ranges::count(ids, kUnknown);
  const auto have_same_ids = [](int32_t a, int32_t b) {
    return (a == kUnknown) == (b == kUnknown);
  };
  if (pieces != pieces_before || !std::ranges::equal(ids, ids_before, have_same_ids))
    ++changed_lines;
}

}  // namespace heed
