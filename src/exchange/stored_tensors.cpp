#include "exchange/stored_tensors.h"

#include "nn/torch.h"

#include <algorithm>
#include <limits>

#include <spdlog/fmt/fmt.h>

#include "base/printable.h"
#include "exchange/pickle.h"

namespace heed {

namespace {

using Part = Pickle::Node;
using PartKind = Pickle::Node::Kind;

constexpr const char *kOrderedDict = "collections.OrderedDict",
                     *kRebuildTensor = "torch._utils._rebuild_tensor_v2",
                     *kRebuildParameter = "torch._utils._rebuild_parameter",
                     *kParameter = "torch.nn.parameter.Parameter",
                     *kNamespace = "argparse.Namespace";

constexpr size_t kMostDimensions = 8;
// Limit for keys, which are numbers or addresses: each tensor stores a copy of its key.
constexpr size_t kLongestKey = 100;
// Maximum number of elements: their number times 8 bytes does not overflow.
constexpr int64_t kMostElements = std::numeric_limits<int64_t>::max() / 8;

const std::map<std::string, torch::ScalarType, std::less<>>& storage_types() {
  static const std::map<std::string, torch::ScalarType, std::less<>> types = {
      {"torch.FloatStorage", torch::kFloat}, {"torch.DoubleStorage", torch::kDouble},
      {"torch.HalfStorage", torch::kHalf},   {"torch.BFloat16Storage", torch::kBFloat16},
      {"torch.LongStorage", torch::kLong},   {"torch.IntStorage", torch::kInt},
      {"torch.ShortStorage", torch::kShort}, {"torch.CharStorage", torch::kChar},
      {"torch.ByteStorage", torch::kByte}};
  return types;
}

const Pickle::Names& known_globals() {
  static const Pickle::Names names = [] {
    Pickle::Names all = {kOrderedDict, kRebuildTensor, kRebuildParameter, kParameter};
    for (const auto& [name, type] : storage_types()) all.insert(name);
    return all;
  }();
  return names;
}

template <class T>
T value_as(const Pickle::Value& value, const char* what) {
  const T* found = std::get_if<T>(&value);
  if (found == nullptr) throw PickleError(fmt::format("{} is of another type", what));
  return *found;
}

int64_t count_in(const Pickle::Value& value, const char* what) {
  const auto count = value_as<int64_t>(value, what);
  if (count < 0 || count > kMostElements)
    throw PickleError(fmt::format("{} is {}, expected a number of elements", what, count));
  return count;
}

const std::vector<Pickle::Value>& items_of(const Pickle::Value& value, PartKind kind, size_t least,
                                           const char* what) {
  const Part* part = node_of(value, kind);
  if (part == nullptr || part->items.size() < least)
    throw PickleError(fmt::format("{} is of another form", what));
  return part->items;
}

std::vector<int64_t> counts_in(const Pickle::Value& value, const char* what) {
  const std::vector<Pickle::Value>& items = items_of(value, PartKind::kTuple, 0, what);
  if (items.size() > kMostDimensions) throw PickleError(fmt::format("{} is too long", what));
  std::vector<int64_t> counts;
  for (const Pickle::Value& item : items) counts.push_back(count_in(item, what));
  return counts;
}

// Range of a storage that a tensor may use.
struct Extent {
  std::string key;
  int64_t begin = 0, elements = 0;
};

bool is_call(const Pickle::Value& value, std::string_view name) {
  const Part* call = node_of(value, PartKind::kCall);
  return call != nullptr && call->name == name;
}

bool is_dictionary(const Pickle::Value& value) {
  return node_of(value, PartKind::kDict) != nullptr || is_call(value, kOrderedDict);
}

// Keys and values in turn.
const std::vector<Pickle::Value>& entries_of(const Pickle::Value& value) {
  if (!is_dictionary(value)) throw PickleError("is not a dictionary of parameters");
  return std::get<Part*>(value)->items;
}

class StateDictReader {
 public:
  // Adds the tensors of a state dict, each with the prefix.
  void add(const Pickle::Value& dictionary, const std::string& prefix) {
    const std::vector<Pickle::Value>& entries = entries_of(dictionary);
    for (size_t i = 0; i + 1 < entries.size(); i += 2) {
      const auto name = value_as<std::string_view>(entries[i], "the name of a parameter");
      try {
        result_.tensors[prefix + std::string(name)] = tensor(entries[i + 1]);
      } catch (const PickleError& error) {
        throw PickleError(fmt::format("{}: {}", printable(name), error.what()));
      }
    }
  }
  StateDict take(const Pickle& pickle) {
    if (result_.tensors.empty()) throw PickleError("has no parameters");
    result_.size = pickle.size();
    return std::move(result_);
  }

 private:
  // Reads [storage, offset, sizes, strides, …].
  StoredTensor tensor(const Pickle::Value& value) {
    const Pickle::Value& inner = is_call(value, kRebuildParameter) || is_call(value, kParameter)
                                     ? arguments_of(value, 1)[0]
                                     : value;
    if (!is_call(inner, kRebuildTensor)) throw PickleError("is no tensor");
    const std::vector<Pickle::Value>& from = arguments_of(inner, 4);
    const Extent extent = storage(from[0]);
    StoredTensor tensor{.storage = extent.key,
                        .offset = count_in(from[1], "its offset"),
                        .sizes = counts_in(from[2], "its shape"),
                        .strides = counts_in(from[3], "its strides")};
    if (!fits(tensor, extent.elements)) throw PickleError("lies outside its storage");
    tensor.offset += extent.begin;
    return tensor;
  }
  static const std::vector<Pickle::Value>& arguments_of(const Pickle::Value& call, size_t least) {
    const Part* arguments = std::get<Part*>(call)->arguments;
    if (arguments->items.size() < least) throw PickleError("has too few arguments");
    return arguments->items;
  }

  static bool fits(const StoredTensor& tensor, int64_t elements) {
    if (tensor.sizes.size() != tensor.strides.size()) return false;
    int64_t last = tensor.offset, count = 1;
    for (size_t i = 0; i < tensor.sizes.size(); ++i) {
      if (__builtin_mul_overflow(count, tensor.sizes[i], &count)) return false;
      int64_t reach = 0;
      if (tensor.sizes[i] > 1 &&
          (__builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &reach) ||
           __builtin_add_overflow(last, reach, &last)))
        return false;
    }
    return count == 0 ? tensor.offset <= elements : last < elements;
  }

  // Reads ("storage", type, key, device, elements). Older files add the used part, (key, begin,
  // elements), or None.
  Extent storage(const Pickle::Value& value) {
    const auto& tuple = items_of(items_of(value, PartKind::kPersistent, 1, "its storage")[0],
                                 PartKind::kTuple, 5, "its storage");
    const Part* type = node_of(tuple[1], PartKind::kGlobal);
    const auto found = type == nullptr ? storage_types().end() : storage_types().find(type->name);
    if (found == storage_types().end()) throw PickleError("has a storage of unknown type");
    const auto stored_as = value_as<std::string_view>(tuple[2], "the key of its storage");
    if (stored_as.size() > kLongestKey) throw PickleError("has a storage with too long a key");
    const std::string key(stored_as);
    const TensorStorage whole{found->second, count_in(tuple[4], "the size of its storage")};
    const auto [known, is_new] = result_.storages.emplace(key, whole);
    if (known->second.type != whole.type || known->second.elements != whole.elements)
      throw PickleError("has a storage of two types or sizes");
    if (tuple.size() < 6 || std::holds_alternative<std::monostate>(tuple[5]))
      return {key, 0, whole.elements};
    const auto& part = items_of(tuple[5], PartKind::kTuple, 3, "the part of its storage");
    const Extent extent{key, count_in(part[1], "the part of its storage"),
                        count_in(part[2], "the part of its storage")};
    if (extent.begin > whole.elements || extent.elements > whole.elements - extent.begin)
      throw PickleError("has a part outside its storage");
    return extent;
  }

  StateDict result_;
};

// Plain values as JSON. A pickle may refer to a value many times: the number of all is limited.
class PlainValues {
 public:
  Json of(const Pickle::Value& value, size_t depth = 0) {
    constexpr size_t kMostValues = 4'000'000, kDeepest = 64;
    if (++count_ > kMostValues || depth > kDeepest)
      throw PickleError("has settings that are nested too deep, or too many");
    if (const auto* truth = std::get_if<bool>(&value)) return *truth;
    if (const auto* whole = std::get_if<int64_t>(&value)) return *whole;
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
    if (is_dictionary(value)) return object(std::get<Part*>(value)->items, depth);
    if (is_call(value, kNamespace))
      return is_dictionary(std::get<Part*>(value)->attributes)
                 ? object(entries_of(std::get<Part*>(value)->attributes), depth)
                 : Json::object();
    for (const PartKind kind : {PartKind::kList, PartKind::kTuple}) {
      const Part* list = node_of(value, kind);
      if (list == nullptr) continue;
      Json items = Json::array();
      for (const Pickle::Value& item : list->items) items.push_back(of(item, depth + 1));
      return items;
    }
    return nullptr;
  }

 private:
  // Skips keys that are not text.
  Json object(const std::vector<Pickle::Value>& entries, size_t depth) {
    Json result = Json::object();
    for (size_t i = 0; i + 1 < entries.size(); i += 2) {
      if (const auto* key = std::get_if<std::string_view>(&entries[i]))
        result[std::string(*key)] = of(entries[i + 1], depth + 1);
    }
    return result;
  }
  size_t count_ = 0;
};

}  // namespace

uint64_t TensorStorage::bytes() const {
  return static_cast<uint64_t>(elements) * torch::elementSize(type);
}

StateDict read_state_dict(std::string_view bytes) {
  const Pickle pickle(bytes, &known_globals());
  StateDictReader reader;
  reader.add(pickle.value(), "");
  return reader.take(pickle);
}

CheckpointContents read_checkpoint(std::string_view bytes, const CheckpointKeys& keys) {
  const Pickle pickle(bytes, nullptr);
  CheckpointContents contents;
  contents.values = Json::object();
  StateDictReader reader;
  PlainValues values;
  const std::vector<Pickle::Value>& entries = entries_of(pickle.value());
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    const auto* text = std::get_if<std::string_view>(&entries[i]);
    const Pickle::Value& value = entries[i + 1];
    if (text == nullptr || std::holds_alternative<std::monostate>(value)) continue;
    const std::string key(*text);
    const auto state_dict = keys.state_dicts.find(key);
    if (state_dict != keys.state_dicts.end()) reader.add(value, state_dict->second);
    if (std::ranges::count(keys.values, key) > 0) contents.values[key] = values.of(value);
  }
  contents.tensors = reader.take(pickle);
  return contents;
}

}  // namespace heed
