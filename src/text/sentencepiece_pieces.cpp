#include "text/sentencepiece_pieces.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <unordered_set>

#include "base/error.h"
#include "base/utf8.h"
#include "text/proto_walker.h"

namespace heed {

namespace {

using Type = SubwordPiece::Type;
using PieceSet = std::unordered_set<std::string>;

constexpr uint64_t kPieceField = 1, kTrainerField = 2;               // of ModelProto
constexpr uint64_t kTextField = 1, kScoreField = 2, kTypeField = 3;  // of a piece
constexpr uint64_t kModelTypeField = 3, kBpeModel = 2;               // of TrainerSpec

void visit_fields(std::string_view message, const std::function<void(const ProtoField&)>& visit) {
  ProtoField field;
  for (ProtoWalker walker(message); !walker.at_end();) {
    HEED_CHECK(walker.next(field), "a SentencePiece model that was checked");
    visit(field);
  }
}

float fixed_float(std::string_view bytes) {
  uint32_t bits = 0;
  for (size_t i = 0; i < sizeof bits && i < bytes.size(); ++i)
    bits |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])) << 8 * i;
  return std::bit_cast<float>(bits);
}

SubwordPiece parse_piece(std::string_view message) {
  SubwordPiece piece;
  visit_fields(message, [&](const ProtoField& field) {
    if (field.number == kTextField) piece.text = field.bytes;
    if (field.number == kScoreField) piece.score = fixed_float(field.bytes);
    if (field.number == kTypeField) piece.type = static_cast<Type>(field.value);
  });
  return piece;
}

bool can_be_merged(const SubwordPiece& piece) {
  return piece.type == Type::kNormal || piece.type == Type::kUnused;
}

// Pieces of the model that are parts of the kept ones, which merges go through.
PieceSet parts_of_pieces(const std::vector<SubwordPiece>& pieces, const PieceSet& kept) {
  PieceSet known, parts;
  for (const SubwordPiece& piece : pieces) {
    if (can_be_merged(piece)) known.insert(piece.text);
  }
  for (const std::string& piece : kept) {
    std::vector<size_t> borders = {0};
    for (const std::string_view character : code_points(piece))
      borders.push_back(borders.back() + character.size());
    for (auto begin = borders.begin(); begin != borders.end(); ++begin) {
      for (auto end = std::next(begin); end != borders.end(); ++end) {
        std::string part = piece.substr(*begin, *end - *begin);
        if (known.contains(part) && !kept.contains(part)) parts.insert(std::move(part));
      }
    }
  }
  return parts;
}

// The field of a piece with the type unused.
std::string as_unused(std::string_view message) {
  constexpr char kTypeTag = kTypeField << 3;
  std::string changed, field;
  visit_fields(message, [&](const ProtoField& own) {
    if (own.number != kTypeField) changed += own.whole;
  });
  changed += kTypeTag;
  changed += static_cast<char>(Type::kUnused);
  append_message(field, kPieceField, changed);
  return field;
}

}  // namespace

bool merges_pairs(std::string_view bytes) {
  bool is_bpe = false;
  visit_fields(bytes, [&](const ProtoField& section) {
    if (section.number != kTrainerField) return;
    visit_fields(section.bytes, [&](const ProtoField& field) {
      if (field.number == kModelTypeField) is_bpe = field.value == kBpeModel;
    });
  });
  return is_bpe;
}

std::vector<SubwordPiece> sentencepiece_pieces(std::string_view bytes) {
  std::vector<SubwordPiece> pieces;
  visit_fields(bytes, [&](const ProtoField& field) {
    if (field.number == kPieceField) pieces.push_back(parse_piece(field.bytes));
  });
  return pieces;
}

std::vector<std::string> needed_pieces(std::string_view bytes) {
  std::vector<std::string> needed;
  std::vector<SubwordPiece> normal;
  for (SubwordPiece& piece : sentencepiece_pieces(bytes)) {
    if (piece.type == Type::kUserDefined || piece.type == Type::kByte)
      needed.push_back(std::move(piece.text));
    else if (piece.type == Type::kNormal)
      normal.push_back(std::move(piece));
  }
  if (normal.empty() || merges_pairs(bytes)) return needed;
  const auto [lowest, highest] = std::ranges::minmax_element(normal, {}, &SubwordPiece::score);
  needed.push_back(lowest->text);
  if (highest != lowest) needed.push_back(highest->text);
  return needed;
}

std::string trimmed_sentencepiece(std::string_view bytes,
                                  const std::function<bool(const std::string& piece)>& keeps) {
  const std::vector<SubwordPiece> pieces = sentencepiece_pieces(bytes);
  const bool is_bpe = merges_pairs(bytes);
  PieceSet kept;  // text that the model goes on to write, or to merge
  for (const SubwordPiece& piece : pieces) {
    const bool is_merged_alone = piece.type == Type::kUnused && is_bpe;
    if (is_merged_alone || (piece.type == Type::kNormal && keeps(piece.text)))
      kept.insert(piece.text);
  }
  const PieceSet parts = is_bpe ? parts_of_pieces(pieces, kept) : PieceSet();
  std::string trimmed;
  visit_fields(bytes, [&](const ProtoField& field) {
    if (field.number != kPieceField) {
      trimmed += field.whole;
      return;
    }
    const SubwordPiece piece = parse_piece(field.bytes);
    if (kept.contains(piece.text) || !can_be_merged(piece))
      trimmed += field.whole;
    else if (parts.contains(piece.text))
      trimmed += as_unused(field.bytes);
  });
  return trimmed;
}

}  // namespace heed
