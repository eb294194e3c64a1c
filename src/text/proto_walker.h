// Fields of a protocol-buffer message, one after the other, as a SentencePiece model has them: read and
// written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

struct ProtoField {
  uint64_t number = 0;
  std::string_view bytes{};  // of a length-delimited field, or of a number of fixed size
  uint64_t value = 0;        // of another number
  std::string_view whole{};  // the field with its tag
};

// Functions return false if the fields are truncated or malformed.
class ProtoWalker {
 public:
  explicit ProtoWalker(std::string_view bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }

  bool next(ProtoField& field) {
    const std::string_view begin = rest_;
    field = {};
    if (!read(field)) return false;
    field.whole = begin.substr(0, begin.size() - rest_.size());
    return true;
  }

 private:
  bool read(ProtoField& field) {
    uint64_t tag = 0, size = 0;
    if (!varint(tag)) return false;
    field.number = tag >> 3;
    if (field.number == 0) return false;
    switch (tag & 7) {
      case 0:
        return varint(field.value);
      case 1:
        return take(8, field.bytes);
      case 2:
        return varint(size) && take(size, field.bytes);
      case 5:
        return take(4, field.bytes);
      default:
        return false;
    }
  }
  bool varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool take(uint64_t size, std::string_view& bytes) {
    if (size > rest_.size()) return false;
    bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  std::string_view rest_;
};

inline void append_varint(std::string& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}

// Appends a length-delimited field.
inline void append_message(std::string& to, uint64_t field, std::string_view bytes) {
  constexpr uint64_t kLengthDelimited = 2;
  append_varint(to, field << 3 | kLengthDelimited);
  append_varint(to, bytes.size());
  to += bytes;
}

}  // namespace heed
