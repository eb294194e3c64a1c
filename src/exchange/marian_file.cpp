#include "exchange/marian_file.h"

#include "nn/torch.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>

#include "base/compression/zip_archive.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "base/printable.h"

namespace heed {

namespace {

static_assert(std::endian::native == std::endian::little, "as the files that are read");

[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& what) {
  throw_error(ErrorKind::kModel, "{}: is not a whole model of Marian: {}; copy it again",
              path.string(), what);
}

// Bytes of a shape; nullopt for a negative size, or more than `most`. Of a shape with a 0, such as that of
// decoder_c_tt of amun, [1,0], torch multiplies the other sizes too.
std::optional<uint64_t> bytes_of_shape(const std::vector<int64_t>& shape, uint64_t element,
                                       uint64_t most) {
  constexpr uint64_t kMostEmpty = uint64_t{1} << 40;
  const bool is_empty = std::ranges::count(shape, 0) > 0;
  const uint64_t bound = is_empty ? kMostEmpty : std::max(most, element);
  uint64_t bytes = element;
  for (const int64_t size : shape) {
    if (size < 0 || (size != 0 && bytes > bound / static_cast<uint64_t>(size))) return std::nullopt;
    if (size != 0) bytes *= static_cast<uint64_t>(size);
  }
  if (is_empty) return 0;
  return bytes <= most ? std::optional(bytes) : std::nullopt;
}

Tensor tensor_of(std::string_view bytes, const std::vector<int64_t>& shape,
                 torch::ScalarType type) {
  Tensor tensor = torch::empty(shape, type);
  if (tensor.nbytes() > 0) std::memcpy(tensor.mutable_data_ptr(), bytes.data(), tensor.nbytes());
  return tensor;
}

// An array of numpy, as np.save() writes it: a magic number, the length of the header, the header,
// which is a dictionary in Python, and the numbers.
class NumpyArray {
 public:
  NumpyArray(const std::filesystem::path& path, const std::string& name, std::string_view bytes)
      : path_(path), name_(name) {
    constexpr std::string_view kMagic = "\x93NUMPY";
    constexpr size_t kShortest = 10;
    if (!bytes.starts_with(kMagic) || bytes.size() < kShortest) fail("is no array of numpy");
    const auto number = [bytes](size_t at) { return static_cast<uint8_t>(bytes[at]); };
    const int version = number(kMagic.size());
    if (version < 1 || version > 3 || (version > 1 && bytes.size() < kShortest + 2))
      fail("is of an unknown version of numpy's format");
    size_t begin = kShortest, length = number(8) + (size_t{number(9)} << 8);
    if (version > 1) {
      length += (size_t{number(10)} << 16) + (size_t{number(11)} << 24);
      begin += 2;
    }
    if (bytes.size() - begin < length) fail("ends in its header");
    header_ = bytes.substr(begin, length);
    data_ = bytes.substr(begin + length);
  }

  Tensor tensor() const {
    if (value("'fortran_order'").starts_with("True")) fail("is stored by columns");
    const torch::ScalarType type = read_type();
    const std::vector<int64_t> shape = read_shape();
    const auto size = bytes_of_shape(shape, c10::elementSize(type), data_.size());
    if (!size || *size != data_.size())
      fail(fmt::format("has {} bytes, but the shape [{}]", data_.size(), fmt::join(shape, ",")));
    return tensor_of(data_, shape, type);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    refuse_file(path_, fmt::format("{} {}", printable(name_), what));
  }
  // The header behind a key.
  std::string_view value(std::string_view key) const {
    const size_t at = header_.find(key);
    const size_t colon = at == std::string_view::npos ? at : header_.find(':', at);
    const size_t begin =
        colon == std::string_view::npos ? colon : header_.find_first_not_of(' ', colon + 1);
    if (begin == std::string_view::npos) fail(fmt::format("has no {} in its header", key));
    return header_.substr(begin);
  }
  torch::ScalarType read_type() const {
    const std::string_view text = value("'descr'");
    for (const auto& [name, type] : {std::pair{"'<f4'", torch::kFloat},
                                     {"'<f2'", torch::kHalf},
                                     {"'<f8'", torch::kDouble},
                                     {"'|i1'", torch::kChar},
                                     {"'|u1'", torch::kByte},
                                     {"'|S1'", torch::kChar},
                                     {"'<i4'", torch::kInt},
                                     {"'<i8'", torch::kLong}}) {
      if (text.starts_with(name)) return type;
    }
    fail(fmt::format("has numbers of another type than float32: {}",
                     printable(std::string(text.substr(0, text.find(','))))));
  }
  std::vector<int64_t> read_shape() const {
    std::string_view text = value("'shape'");
    std::vector<int64_t> shape;
    if (text.empty() || text.front() != '(') fail("has no shape");
    for (text.remove_prefix(1); !text.empty() && text.front() != ')';) {
      if (text.front() == ',' || text.front() == ' ' || text.front() == 'L') {
        text.remove_prefix(1);
        continue;
      }
      int64_t size = 0;
      const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), size);
      if (error != std::errc()) fail("has a damaged shape");
      shape.push_back(size);
      text.remove_prefix(static_cast<size_t>(behind - text.data()));
    }
    return shape;
  }

  const std::filesystem::path& path_;
  const std::string& name_;
  std::string_view header_, data_;
};

// Types of the binary format: a class, and the bytes of an element.
constexpr uint64_t kSigned = 0x0100, kFloatClass = 0x0400, kIntgemm = 0x4000;
constexpr uint64_t kInt8 = kSigned + 1, kFloat16 = kFloatClass + 2, kFloat32 = kFloatClass + 4,
                   kIntgemm8 = kIntgemm + kSigned + 1, kIntgemm16 = kIntgemm + kSigned + 2;
constexpr uint64_t kBinaryVersion = 1, kAlignment = 256;

std::string type_name(uint64_t type) {
  constexpr uint64_t kPacked = 0x0800;
  if ((type & kPacked) != 0) return "a packed type of FBGEMM, which is of one processor";
  return fmt::format("the type {:#x}", type);
}

struct BinaryHeader {
  uint64_t name = 0, type = 0, axes = 0, data = 0;  // lengths, and the type
};

class BinaryFile {
 public:
  BinaryFile(const std::filesystem::path& path, std::string_view bytes)
      : path_(path), size_(bytes.size()), rest_(bytes) {}

  struct Item {
    std::string name;
    uint64_t type = 0;
    std::vector<int64_t> shape;
    std::string_view bytes;
  };

  std::vector<Item> read() {
    if (const auto version = number<uint64_t>("the version"); version != kBinaryVersion)
      refuse_file(path_, fmt::format("its version is {}, expected {}", version, kBinaryVersion));
    const auto count = number<uint64_t>("the number of parameters");
    if (count > rest_.size() / sizeof(BinaryHeader)) refuse_end("the list of parameters");
    std::vector<BinaryHeader> headers(count);
    for (BinaryHeader& header : headers) header = number<BinaryHeader>("the list of parameters");
    std::vector<Item> items(count);
    for (size_t i = 0; i < count; ++i) read_name(headers[i], items[i]);
    for (size_t i = 0; i < count; ++i) read_shape(headers[i], items[i]);
    take(number<uint64_t>("the padding"), "the padding");
    for (size_t i = 0; i < count; ++i) items[i].bytes = take(headers[i].data, items[i].name);
    if (!rest_.empty())
      refuse_file(path_, fmt::format("{} bytes follow the last parameter, {}",
                                     format_count(std::ssize(rest_)),
                                     items.empty() ? "of none" : items.back().name));
    return items;
  }

 private:
  [[noreturn]] void refuse_end(const std::string& what) const {
    refuse_file(path_, fmt::format("its {} bytes end within {}",
                                   format_count(static_cast<int64_t>(size_)), what));
  }
  std::string_view take(uint64_t count, const std::string& what) {
    if (count > rest_.size()) refuse_end(what);
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  template <class Number>
  Number number(const std::string& what) {
    Number value;
    std::memcpy(&value, take(sizeof(value), what).data(), sizeof(value));
    return value;
  }
  // With a closing zero.
  void read_name(const BinaryHeader& header, Item& item) {
    const std::string_view text = take(header.name, "the names of its parameters");
    item.name = printable(std::string(text.substr(0, text.find('\0'))));
    item.type = header.type;
    if (item.name.empty()) refuse_file(path_, "a parameter has no name");
  }
  void read_shape(const BinaryHeader& header, Item& item) {
    constexpr uint64_t kMostAxes = 8;
    if (header.axes > kMostAxes)
      refuse_file(path_, fmt::format("{} has {} dimensions, at most {} are possible", item.name,
                                     header.axes, kMostAxes));
    for (uint64_t i = 0; i < header.axes; ++i)
      item.shape.push_back(number<int32_t>("the shape of " + item.name));
  }

  const std::filesystem::path& path_;
  size_t size_;
  std::string_view rest_;
};

// The numbers of an item, which may be followed by padding. `behind`: bytes that follow them.
Tensor numbers_of(const std::filesystem::path& path, const BinaryFile::Item& item,
                  torch::ScalarType type, uint64_t behind = 0) {
  const auto size = bytes_of_shape(item.shape, c10::elementSize(type), item.bytes.size());
  if (!size || item.bytes.size() - *size < behind)
    refuse_file(path, fmt::format("{} has {} bytes, but the shape [{}]", item.name,
                                  item.bytes.size(), fmt::join(item.shape, ",")));
  return tensor_of(item.bytes, item.shape, type);
}

// q divided by the scale, which follows the numbers. Matrices are stored transposed, with the shape
// that they had before.
Tensor dequantized_item(const std::filesystem::path& path, const BinaryFile::Item& item) {
  const bool is_short = item.type == kIntgemm16;
  const Tensor numbers =
      numbers_of(path, item, is_short ? torch::kShort : torch::kChar, sizeof(float));
  float scale = 0;
  std::memcpy(&scale, item.bytes.data() + numbers.nbytes(), sizeof(scale));
  if (!(scale > 0 && std::isfinite(scale)))
    refuse_file(path, fmt::format("the scale of {} is {}", item.name, scale));
  const Tensor values = numbers.to(torch::kFloat) * (1 / scale);
  if (is_marian_embedding(item.name) || values.dim() != 2) return values;
  return values.reshape({values.size(1), values.size(0)}).t().contiguous();
}

Tensor tensor_of_item(const std::filesystem::path& path, const BinaryFile::Item& item) {
  switch (item.type) {
    case kFloat32:
      return numbers_of(path, item, torch::kFloat);
    case kFloat16:
      return numbers_of(path, item, torch::kHalf);
    case kInt8:
      return numbers_of(path, item, torch::kChar);
    case kIntgemm8:
    case kIntgemm16:
      return dequantized_item(path, item);
    default:
      throw_error(ErrorKind::kModel,
                  "{}: {} has {}, expected float32, float16, intgemm8 or intgemm16; convert "
                  "model.npz in its place",
                  path.string(), item.name, type_name(item.type));
  }
}

}  // namespace

bool is_marian_embedding(const std::string& name) { return name.find("Wemb") != std::string::npos; }

MarianFile::MarianFile(const std::filesystem::path& path) : path_(path) {
  if (is_zip(path)) {
    read_zip(path, [this](const std::string& member, const std::string& bytes) {
      constexpr std::string_view kEnding = ".npy";
      if (!member.ends_with(kEnding))
        refuse_file(path_,
                    fmt::format("it has the file {}, expected arrays of numpy", printable(member)));
      const std::string name = member.substr(0, member.size() - kEnding.size());
      add(printable(name), NumpyArray(path_, name, bytes).tensor());
    });
    return;
  }
  const MappedFile mapped(path);
  for (const BinaryFile::Item& item : BinaryFile(path_, mapped.bytes()).read()) {
    // Only products in 8 bits read the scales of activations.
    if (item.name.ends_with(kMarianScale)) continue;
    is_quantized_ |= item.type == kIntgemm8 || item.type == kIntgemm16;
    add(item.name, tensor_of_item(path_, item));
  }
}

void MarianFile::add(const std::string& name, const Tensor& tensor) {
  if (!tensors_.emplace(name, tensor).second)
    refuse_file(path_, fmt::format("{} is there twice", name));
}

void MarianFile::rename(const std::map<std::string, std::string>& names) {
  std::map<std::string, Tensor> before = std::move(tensors_);
  tensors_.clear();
  for (const auto& [name, tensor] : before) {
    const auto found = names.find(name);
    add(found == names.end() ? name : found->second, tensor);
  }
}

std::vector<std::string> MarianFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors_) {
    if (name != kMarianSettings) names.push_back(name);
  }
  return names;
}

std::vector<int64_t> MarianFile::shape(const std::string& name) const {
  return tensors_.at(name).sizes().vec();
}

Tensor MarianFile::read(const std::string& name) { return tensors_.at(name); }

std::string MarianFile::settings() const {
  const auto found = tensors_.find(kMarianSettings);
  if (found == tensors_.end() || found->second.element_size() != 1)
    throw_error(ErrorKind::kModel,
                "{}: has no {}, the settings of the model; is it a model of Marian?",
                path_.string(), kMarianSettings);
  const std::string text(static_cast<const char*>(found->second.const_data_ptr()),
                         static_cast<size_t>(found->second.numel()));
  return text.substr(0, text.find('\0'));
}

namespace {

// In front of an array: the magic number, the version, the length of the header, and the header, which
// ends at a multiple of 64 bytes.
std::string numpy_bytes(const Tensor& array) {
  std::vector<std::string> sizes;
  for (const int64_t size : array.sizes()) sizes.push_back(fmt::format("{},", size));
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                  array.scalar_type() == torch::kFloat ? "<f4" : "|i1", fmt::join(sizes, " "));
  constexpr size_t kMagic = 10, kUnit = 64;
  header.append(kUnit - (kMagic + header.size() + 1) % kUnit, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", kMagic - 2);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  const Tensor numbers = array.contiguous();
  return bytes.append(static_cast<const char*>(numbers.const_data_ptr()), numbers.nbytes());
}

Tensor text_tensor(const std::string& text) {
  return tensor_of({text.c_str(), text.size() + 1}, {std::ssize(text) + 1}, torch::kChar);
}

// Adds bytes to a file.
class BytesWriter {
 public:
  explicit BytesWriter(const std::filesystem::path& path) : file_(path) {}
  void bytes(std::string_view bytes) {
    file_.write(bytes);
    size_ += bytes.size();
  }
  template <class Number>
  void number(Number value) {
    bytes({reinterpret_cast<const char*>(&value), sizeof(value)});
  }
  // At least one byte, so that the next one is at a multiple of kAlignment behind a number of 64 bits.
  void pad() {
    const uint64_t behind = size_ + sizeof(uint64_t),
                   offset = (behind / kAlignment + 1) * kAlignment - behind;
    number(offset);
    bytes(std::string(offset, '\0'));
  }
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
  uint64_t size_ = 0;
};

BinaryFile::Item item_of(const std::string& name, const Tensor& tensor, std::string& storage,
                         const std::optional<float>& scale) {
  const bool is_float = tensor.scalar_type() == torch::kFloat;
  // Behind 8 bits is their scale; matrices are transposed and keep their shape.
  const bool is_transposed = scale && !is_marian_embedding(name);
  const Tensor numbers = (is_transposed ? tensor.t() : tensor).contiguous();
  storage.assign(static_cast<const char*>(numbers.const_data_ptr()), numbers.nbytes());
  if (scale) storage.append(reinterpret_cast<const char*>(&*scale), sizeof(*scale));
  storage.resize((storage.size() + kAlignment - 1) / kAlignment * kAlignment);
  return {.name = name,
          .type = scale      ? kIntgemm8
                  : is_float ? kFloat32
                             : kInt8,
          .shape = tensor.sizes().vec(),
          .bytes = storage};
}

}  // namespace

void write_marian_npz(const std::filesystem::path& path, const MarianTensors& model) {
  std::map<std::string, Tensor> all = model.tensors;
  all[kMarianSettings] = text_tensor(model.settings);
  std::vector<ZipContent> files;
  for (const auto& [name, tensor] : all)
    files.push_back({name + ".npy", [&tensor = tensor] { return numpy_bytes(tensor); }});
  write_stored_zip(path, files);
}

void write_marian_bin(const std::filesystem::path& path, const MarianTensors& model) {
  std::map<std::string, Tensor> all = model.tensors;
  all[kMarianSettings] = text_tensor(model.settings);
  std::vector<std::string> storages(all.size());
  std::vector<BinaryFile::Item> items;
  for (const auto& [name, tensor] : all) {
    const auto scale = model.scales.find(name);
    items.push_back(
        item_of(name, tensor, storages[items.size()],
                scale == model.scales.end() ? std::nullopt : std::optional(scale->second)));
  }
  BytesWriter file(path);
  file.number(kBinaryVersion);
  file.number(static_cast<uint64_t>(items.size()));
  for (const BinaryFile::Item& item : items)
    file.number(
        BinaryHeader{item.name.size() + 1, item.type, item.shape.size(), item.bytes.size()});
  for (const BinaryFile::Item& item : items) file.bytes({item.name.c_str(), item.name.size() + 1});
  for (const BinaryFile::Item& item : items) {
    for (const int64_t size : item.shape) file.number(static_cast<int32_t>(size));
  }
  file.pad();
  for (const BinaryFile::Item& item : items) file.bytes(item.bytes);
  file.commit();
}

}  // namespace heed
