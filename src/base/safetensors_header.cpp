#include "base/safetensors_header.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include <spdlog/fmt/fmt.h>

namespace heed {

namespace {

using Json = nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

struct TypeRow {
  ElementType type;
  const char* word;
  uint64_t bytes;
};
// Element types in the order in which their tensors are written to a file.
constexpr std::array kTypes = {
    TypeRow{ElementType::kInt64, "I64", 8},     TypeRow{ElementType::kFloat64, "F64", 8},
    TypeRow{ElementType::kFloat32, "F32", 4},   TypeRow{ElementType::kInt32, "I32", 4},
    TypeRow{ElementType::kBFloat16, "BF16", 2}, TypeRow{ElementType::kFloat16, "F16", 2},
    TypeRow{ElementType::kInt8, "I8", 1},       TypeRow{ElementType::kUInt8, "U8", 1},
    TypeRow{ElementType::kBool, "BOOL", 1}};

const TypeRow& row_of(ElementType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(),
                       [type](const TypeRow& row) { return row.type == type; });
}

std::string shown(const std::string& name) {
  constexpr size_t kLongest = 80;
  return Json(name.substr(0, kLongest)).dump(-1, ' ', true, Json::error_handler_t::replace);
}

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw std::runtime_error(fmt::format(format, std::forward<Args>(args)...));
}

// Accepts only headers of the form {NAME: {"dtype": WORD, "shape": [N…], "data_offsets": [B, E]}…}
// with a "__metadata__" of words, which is skipped. Refuses everything else as soon as it is seen,
// so the form bounds the depth and size of the parsed data.
class HeaderParser final : public nlohmann::json_sax<Json> {
 public:
  TensorEntries entries;

  bool start_object(size_t) override {
    if (depth_ == 2 || in_array_) return unexpected("an object");
    if (++depth_ == 2) seen_ = {};
    return true;
  }
  bool key(std::string& key) override {
    key_ = key;
    if (depth_ == 1) return start_entry();
    if (in_metadata()) return true;
    const auto* field = std::find(kFields.begin(), kFields.end(), key);
    if (field == kFields.end()) refuse("tensor {}: unknown field {}", shown(name_), shown(key));
    field_ = field - kFields.begin();
    if (seen_[field_]) refuse("tensor {}: {} is given twice", shown(name_), key);
    seen_[field_] = true;
    return true;
  }
  bool end_object() override {
    if (depth_ == 2 && !in_metadata()) finish_entry();
    --depth_;
    return true;
  }
  bool string(std::string& text) override {
    if (in_metadata()) return true;
    if (depth_ != 2 || in_array_ || field_ != kType) return unexpected("a string");
    const auto* found = std::find_if(kTypes.begin(), kTypes.end(),
                                     [&text](const TypeRow& t) { return text == t.word; });
    if (found == kTypes.end()) refuse("tensor {}: unknown type {}", shown(name_), shown(text));
    entries.at(name_).type = found->type;
    return true;
  }
  bool start_array(size_t) override {
    if (depth_ != 2 || in_array_ || in_metadata() || field_ == kType) return unexpected("a list");
    in_array_ = true;
    return true;
  }
  bool end_array() override {
    in_array_ = false;
    return true;
  }
  bool number_unsigned(uint64_t number) override {
    if (!in_array_) return unexpected("a number");
    auto& list = field_ == kShape ? shape_ : offsets_;
    constexpr size_t kMostDimensions = 64;
    if (list.size() == kMostDimensions) refuse("tensor {}: a list is too long", shown(name_));
    list.push_back(number);
    return true;
  }
  bool number_integer(int64_t) override { return unexpected("a negative number"); }
  bool number_float(double, const std::string&) override { return unexpected("a fraction"); }
  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a truth value"); }
  bool binary(Json::binary_t&) override { return unexpected("bytes"); }
  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    refuse("the header is no JSON at byte {}", position);
  }

 private:
  enum Field : size_t { kType, kShape, kOffsets };
  static constexpr std::array<std::string_view, 3> kFields = {"dtype", "shape", "data_offsets"};

  bool in_metadata() const { return depth_ == 2 && name_ == kMetadata; }

  [[noreturn]] bool unexpected(const char* what) const {
    refuse("the header holds {} where the format has none (near {})", what, shown(key_));
  }

  bool start_entry() {
    name_ = key_;
    if (name_.empty()) refuse("a tensor has no name");
    const bool is_new = name_ == kMetadata ? !std::exchange(metadata_seen_, true)
                                           : entries.try_emplace(name_).second;
    if (!is_new) refuse("{} is given twice", shown(name_));
    shape_.clear();
    offsets_.clear();
    return true;
  }

  void finish_entry() {
    for (size_t i = 0; i < kFields.size(); ++i) {
      if (!seen_[i]) refuse("tensor {}: {} is missing", shown(name_), kFields[i]);
    }
    if (offsets_.size() != 2 || offsets_[0] > offsets_[1])
      refuse("tensor {}: data_offsets are not begin and end", shown(name_));
    TensorEntry& entry = entries.at(name_);
    entry.begin = offsets_[0];
    entry.end = offsets_[1];
    entry.shape.assign(shape_.begin(), shape_.end());
    check_size(entry);
  }

  // Checks that neither the size nor the strides exceed 64 bits.
  void check_size(const TensorEntry& entry) const {
    uint64_t bytes = bytes_of(entry.type), extent = bytes;
    for (const uint64_t size : shape_) {
      bytes *= size;
      if (__builtin_mul_overflow(extent, std::max<uint64_t>(size, 1), &extent) || extent >> 62 != 0)
        refuse("tensor {}: its shape is beyond all bounds", shown(name_));
    }
    if (bytes != entry.end - entry.begin) {
      refuse("tensor {}: type and shape need {} bytes, but data_offsets give {}", shown(name_),
             bytes, entry.end - entry.begin);
    }
  }

  int depth_ = 0;
  bool in_array_ = false, metadata_seen_ = false;
  std::string key_, name_;
  size_t field_ = 0;
  std::array<bool, 3> seen_{};
  std::vector<uint64_t> shape_, offsets_;
};

void check_offsets(const TensorEntries& entries, uint64_t data_size) {
  std::vector<const TensorEntries::value_type*> by_offset;
  for (const auto& item : entries) by_offset.push_back(&item);
  std::sort(by_offset.begin(), by_offset.end(), [](const auto* a, const auto* b) {
    return std::pair(a->second.begin, a->second.end) < std::pair(b->second.begin, b->second.end);
  });
  uint64_t end = 0;
  for (const auto* item : by_offset) {
    if (item->second.begin != end) {
      refuse("tensor {}: begins at byte {} of the data, expected {}", shown(item->first),
             item->second.begin, end);
    }
    end = item->second.end;
  }
  if (end != data_size) refuse("the header speaks of {} bytes of data, found {}", end, data_size);
}

}  // namespace

const char* type_word(ElementType type) { return row_of(type).word; }

uint64_t bytes_of(ElementType type) { return row_of(type).bytes; }

std::vector<std::string> file_order(const TensorEntries& entries) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return &row_of(entries.at(a).type) < &row_of(entries.at(b).type);
  });
  return names;
}

std::string make_header(const TensorEntries& entries,
                        const std::map<std::string, std::string>& metadata) {
  std::string header = "{";
  if (!metadata.empty()) header += fmt::format("\"{}\":{}", kMetadata, Json(metadata).dump());
  for (const std::string& name : file_order(entries)) {
    const TensorEntry& entry = entries.at(name);
    if (header.size() > 1) header += ',';
    header += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                          Json(name).dump(), type_word(entry.type), fmt::join(entry.shape, ","),
                          entry.begin, entry.end);
  }
  header += '}';
  constexpr size_t kAlignment = 8;
  header.resize((header.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return header;
}

TensorEntries parse_header(std::string_view header, uint64_t data_size) {
  if (!header.starts_with('{')) refuse("the header does not begin with '{{'");
  HeaderParser parser;
  Json::sax_parse(header.begin(), header.end(), &parser);
  check_offsets(parser.entries, data_size);
  return std::move(parser.entries);
}

}  // namespace heed
