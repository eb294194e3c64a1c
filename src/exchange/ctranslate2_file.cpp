#include "exchange/ctranslate2_file.h"

#include "nn/torch.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"

namespace heed {

namespace {

constexpr uint32_t kVersion = 6;

// Numbers are little-endian, texts have their length with a closing zero before them.
class BinaryWriter {
 public:
  explicit BinaryWriter(const fs::path& path) : file_(path) {}
  template <class Number>
  void number(Number value) {
    file_.write({reinterpret_cast<const char*>(&value), sizeof(value)});
  }
  void text(const std::string& value) {
    number(static_cast<uint16_t>(value.size() + 1));
    file_.write({value.c_str(), value.size() + 1});
  }
  void bytes(const void* from, size_t count) {
    constexpr size_t kPiece = 1 << 18;
    const auto* begin = static_cast<const char*>(from);
    for (size_t at = 0; at < count; at += kPiece)
      file_.write({begin + at, std::min(kPiece, count - at)});
  }
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
};

// The number of a type in the format.
uint8_t type_id(torch::ScalarType type) {
  if (type == torch::kFloat) return 0;
  if (type == torch::kChar) return 1;
  HEED_CHECK(type == torch::kShort, "a type that is not written");
  return 2;
}

void write_array(BinaryWriter& file, const std::string& name, const Tensor& array) {
  const Tensor values = array.detach().cpu().contiguous();
  if (values.nbytes() > std::numeric_limits<uint32_t>::max())
    throw_error(ErrorKind::kUsage, "{} has {} bytes, more than CTranslate2's format can hold", name,
                format_count(static_cast<int64_t>(values.nbytes())));
  file.text(name);
  file.number(static_cast<uint8_t>(values.dim()));
  for (const int64_t size : values.sizes()) file.number(static_cast<uint32_t>(size));
  file.number(type_id(values.scalar_type()));
  file.number(static_cast<uint32_t>(values.nbytes()));
  file.bytes(values.const_data_ptr(), values.nbytes());
}

}  // namespace

void write_ctranslate2(const fs::path& path, const std::string& spec, uint32_t revision,
                       const CTranslate2Variables& variables) {
  BinaryWriter file(path);
  file.number(kVersion);
  file.text(spec);
  file.number(revision);
  file.number(static_cast<uint32_t>(variables.arrays.size()));
  for (const auto& [name, array] : variables.arrays) write_array(file, name, array);
  file.number(static_cast<uint32_t>(variables.aliases.size()));
  for (const auto& [alias, name] : variables.aliases) {
    file.text(alias);
    file.text(name);
  }
  file.commit();
}

}  // namespace heed
