#include "exchange/ctranslate2_reader.h"

#include "nn/torch.h"

#include <bit>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "base/printable.h"

namespace heed {

namespace {

static_assert(std::endian::native == std::endian::little, "as the files that are read");

using Variable = CTranslate2Reader::Variable;

constexpr uint32_t kNewestVersion = 6;
constexpr uint8_t kMostAxes = 8;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw_error(ErrorKind::kModel, "{}: is not a whole model.bin of CTranslate2: {}; copy it again",
              path.string(), what);
}

// Reads from the beginning to the end.
class Cursor {
 public:
  Cursor(const Descriptor& file, const std::filesystem::path& path)
      : file_(file), path_(path), size_(file.size()) {}

  uint64_t at() const { return at_; }
  uint64_t left() const { return size_ - at_; }
  // Names the next part of the file, for messages.
  void begin(std::string what) { what_ = std::move(what); }

  template <class Number>
  Number number() {
    Number value;
    read(reinterpret_cast<char*>(&value), sizeof(value));
    return value;
  }
  // With its length, which counts a closing zero, before it.
  std::string text() {
    std::string text(number<uint16_t>(), '\0');
    read(text.data(), text.size());
    if (text.empty() || text.back() != '\0') refuse(path_, fmt::format("{} has no name", what_));
    text.pop_back();
    return text;
  }
  void skip(uint64_t bytes) {
    if (bytes > left()) refuse_end();
    at_ += bytes;
  }

 private:
  [[noreturn]] void refuse_end() const {
    refuse(path_, fmt::format("its {} bytes end within {}",
                              format_count(static_cast<int64_t>(size_)), what_));
  }
  void read(char* to, uint64_t count) {
    if (count > left()) refuse_end();
    for (uint64_t found = 0; found < count;) {
      const size_t more = file_.read_at(at_ + found, to + found, count - found);
      if (more == 0) refuse_end();  // it was cut since
      found += more;
    }
    at_ += count;
  }

  const Descriptor& file_;
  const std::filesystem::path& path_;
  uint64_t size_, at_ = 0;
  std::string what_ = "the version";
};

torch::ScalarType type_of_id(uint8_t id, const std::string& name,
                             const std::filesystem::path& path) {
  constexpr torch::ScalarType kTypes[] = {torch::kFloat, torch::kChar, torch::kShort,
                                          torch::kInt,   torch::kHalf, torch::kBFloat16};
  if (id >= std::size(kTypes)) refuse(path, fmt::format("{} has the unknown type {}", name, id));
  return kTypes[id];
}

// Before version 4 a type was known by the size of its numbers.
torch::ScalarType type_of_size(uint8_t size, const std::string& name,
                               const std::filesystem::path& path) {
  if (size == 4) return torch::kFloat;
  if (size == 2) return torch::kShort;
  if (size != 1) refuse(path, fmt::format("{} has numbers of {} bytes", name, size));
  return torch::kChar;
}

// Elements of a shape times their size; nullopt: more than the file has bytes.
std::optional<uint64_t> bytes_of(const Variable& variable, uint64_t most) {
  uint64_t bytes = c10::elementSize(variable.type);
  for (const int64_t size : variable.shape) {
    if (size != 0 && bytes > most / static_cast<uint64_t>(size)) return std::nullopt;
    bytes *= static_cast<uint64_t>(size);
  }
  return bytes;
}

Variable read_variable(Cursor& cursor, uint32_t version, const std::string& name,
                       const std::filesystem::path& path) {
  Variable variable;
  const auto rank = cursor.number<uint8_t>();
  if (rank > kMostAxes)
    refuse(path,
           fmt::format("{} has {} dimensions, at most {} are possible", name, rank, kMostAxes));
  for (uint8_t i = 0; i < rank; ++i) variable.shape.push_back(cursor.number<uint32_t>());
  const auto kind = cursor.number<uint8_t>();
  variable.type = version >= 4 ? type_of_id(kind, name, path) : type_of_size(kind, name, path);
  variable.bytes = cursor.number<uint32_t>();
  if (version < 4) variable.bytes *= kind;
  variable.offset = cursor.at();
  cursor.skip(variable.bytes);
  if (bytes_of(variable, cursor.at()) != variable.bytes)
    refuse(path, fmt::format("{} has {} bytes, but the shape [{}]", name,
                             format_count(static_cast<int64_t>(variable.bytes)),
                             fmt::join(variable.shape, ",")));
  return variable;
}

}  // namespace

CTranslate2Reader::CTranslate2Reader(const std::filesystem::path& path)
    : path_(path), file_(Descriptor::open_regular(path)) {
  Cursor cursor(file_, path_);
  version_ = cursor.number<uint32_t>();
  if (version_ < 1 || version_ > kNewestVersion)
    refuse(path_, fmt::format("it is of version {}, expected 1 to {}", version_, kNewestVersion));
  cursor.begin("the name of the architecture");
  if (version_ >= 2) {
    spec_ = printable(cursor.text());
    revision_ = cursor.number<uint32_t>();
  }
  const auto count = cursor.number<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    cursor.begin(fmt::format("variable {} of {}", i + 1, count));
    const std::string name = printable(cursor.text());
    if (!variables_.emplace(name, read_variable(cursor, version_, name, path_)).second)
      refuse(path_, fmt::format("{} is there twice", name));
  }
  cursor.begin("the number of aliases");
  const uint32_t aliases = version_ >= 3 ? cursor.number<uint32_t>() : 0;
  for (uint32_t i = 0; i < aliases; ++i) {
    cursor.begin(fmt::format("alias {} of {}", i + 1, aliases));
    const std::string alias = printable(cursor.text()), named = printable(cursor.text());
    const auto other = aliases_.find(named);
    const std::string& name = other == aliases_.end() ? named : other->second;
    if (!variables_.contains(name))
      refuse(path_, fmt::format("{} is an alias of {}, which is not there", alias, named));
    if (variables_.contains(alias) || !aliases_.emplace(alias, name).second)
      refuse(path_, fmt::format("{} is there twice", alias));
  }
  if (cursor.left() > 0)
    refuse(path_, fmt::format("{} bytes are left behind its last variable",
                              format_count(static_cast<int64_t>(cursor.left()))));
}

Tensor CTranslate2Reader::read(const std::string& name) const {
  const Variable& variable = variables_.at(name);
  Tensor tensor = torch::empty(variable.shape, variable.type);
  auto* to = static_cast<char*>(tensor.mutable_data_ptr());
  for (uint64_t found = 0; found < variable.bytes;) {
    const size_t more = file_.read_at(variable.offset + found, to + found, variable.bytes - found);
    if (more == 0) refuse(path_, fmt::format("it ends within {}", name));
    found += more;
  }
  return tensor;
}

}  // namespace heed
