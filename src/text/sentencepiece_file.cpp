#include "text/sentencepiece_file.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/descriptor.h"
#include "base/error.h"
#include "text/normalizer_table.h"
#include "text/proto_walker.h"

namespace heed {

namespace {

// Maximum size of a piece, and of a model: SentencePiece counts bytes in 32 bits.
constexpr size_t kLongestPiece = 10'000;
constexpr size_t kLargestModel = size_t{1} << 30;

// Fields of ModelProto, of ModelProto.SentencePiece, of NormalizerSpec and of TrainerSpec.
constexpr uint64_t kPieces = 1, kTrainer = 2, kNormalizer = 3, kDenormalizer = 5;
constexpr uint64_t kPieceText = 1;
constexpr uint64_t kTable = 2;
constexpr uint64_t kSpaceAsSuffix = 24;

// Length of the longest text that a field of this message may set as the piece, or npos if it is
// malformed.
size_t piece_length(std::string_view message) {
  size_t longest = 0;
  ProtoField field;
  for (ProtoWalker walker(message); !walker.at_end();) {
    if (!walker.next(field)) return std::string_view::npos;
    if (field.number == kPieceText) longest = std::max(longest, field.bytes.size());
  }
  return longest;
}

std::string find_fault_of_normalizer(std::string_view message) {
  ProtoField field;
  for (ProtoWalker walker(message); !walker.at_end();) {
    if (!walker.next(field)) return "its normaliser is damaged";
    if (field.number != kTable) continue;
    const std::string fault = find_normalizer_fault(field.bytes);
    if (!fault.empty()) return fault;
  }
  return "";
}

// Describes the fault of a model, or "".
std::string find_fault(std::string_view bytes) {
  if (bytes.empty()) return "it is empty";
  if (bytes.size() > kLargestModel) return fmt::format("{} bytes are too many", bytes.size());
  int64_t pieces = 0;
  bool has_trainer = false, has_normalizer = false;
  ProtoField field;
  for (ProtoWalker walker(bytes); !walker.at_end();) {
    if (!walker.next(field)) return "it is truncated, damaged or not a SentencePiece model";
    has_trainer |= field.number == kTrainer;
    has_normalizer |= field.number == kNormalizer;
    if (field.number == kNormalizer || field.number == kDenormalizer) {
      const std::string fault = find_fault_of_normalizer(field.bytes);
      if (!fault.empty()) return fault;
    }
    if (field.number != kPieces) continue;
    const size_t length = piece_length(field.bytes);
    if (length == std::string_view::npos) return fmt::format("piece {} is damaged", pieces);
    if (length > kLongestPiece) {
      return fmt::format("piece {} has {} bytes, at most {} are allowed", pieces, length,
                         kLongestPiece);
    }
    ++pieces;
  }
  if (pieces == 0) return "its vocabulary is empty";
  return has_trainer && has_normalizer ? "" : "it is truncated after its vocabulary";
}

// With a score of 0, which may be left out.
std::string new_piece(const std::string& piece) {
  constexpr uint64_t kType = 3, kControl = 3, kUnused = 5;
  std::string message;
  append_message(message, kPieceText, piece);
  append_varint(message, kType << 3);
  append_varint(message, piece == "</s>" ? kControl : kUnused);
  return message;
}

}  // namespace

// Tests for a field of pieces whose first field is the text of a piece.
bool begins_as_sentencepiece_model(const std::filesystem::path& path) {
  constexpr char kPiecesTag = 1 << 3 | 2, kTextTag = 1 << 3 | 2;
  constexpr size_t kBeginning = 64;
  std::string beginning(kBeginning, '\0');
  beginning.resize(Descriptor::open_regular(path).read_at(0, beginning.data(), kBeginning));
  if (!beginning.starts_with(kPiecesTag)) return false;
  size_t at = 1;
  while (at < beginning.size() && static_cast<unsigned char>(beginning[at]) >= 0x80) ++at;
  return at + 1 < beginning.size() && beginning[at + 1] == kTextTag;
}

void check_sentencepiece_model(std::string_view bytes, const std::string& name) {
  const std::string fault = find_fault(bytes);
  if (!fault.empty()) {
    throw_error(ErrorKind::kModel,
                "{}: not a complete SentencePiece model: {}; train or copy it again", name, fault);
  }
}

std::string sentencepiece_in_order(std::string_view bytes, const std::vector<std::string>& pieces) {
  std::map<std::string, std::string_view, std::less<>> stored;  // messages by piece
  std::string settings;
  ProtoField section;
  for (ProtoWalker model(bytes); !model.at_end() && model.next(section);) {
    if (section.number != kPieces) {
      append_message(settings, section.number, section.bytes);
      continue;
    }
    ProtoField field;
    for (ProtoWalker piece(section.bytes); !piece.at_end() && piece.next(field);) {
      if (field.number == kPieceText) stored.emplace(field.bytes, section.bytes);
    }
  }
  std::string ordered;
  for (const std::string& piece : pieces) {
    const auto found = stored.find(piece);
    append_message(ordered, kPieces, found == stored.end() ? new_piece(piece) : found->second);
  }
  return ordered + settings;
}

bool has_space_as_suffix(std::string_view bytes) {
  bool is_suffix = false;
  ProtoField section, field;
  for (ProtoWalker model(bytes); !model.at_end() && model.next(section);) {
    if (section.number != kTrainer) continue;
    for (ProtoWalker trainer(section.bytes); !trainer.at_end() && trainer.next(field);) {
      if (field.number == kSpaceAsSuffix) is_suffix = field.value != 0;
    }
  }
  return is_suffix;
}

}  // namespace heed
