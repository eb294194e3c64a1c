#include "exchange/torch_file.h"

#include <caffe2/serialize/inline_container.h>
#include "nn/torch.h"

#include <algorithm>
#include <bit>

#include "base/descriptor.h"
#include "base/error.h"
#include "exchange/pickle.h"
#include "exchange/stored_tensors.h"

namespace heed {

namespace {

static_assert(std::endian::native == std::endian::little, "as the files that are read");

// Maximum size of the pickles, which have a few hundred bytes for each parameter. Those of
// checkpoints may have vocabularies as well.
constexpr uint64_t kLongestPickle = 8 << 20, kLongestCheckpoint = 32 << 20;
// Pickled number at the beginning of files in the old format.
constexpr std::string_view kOldMagic =
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e";
constexpr std::string_view kZipMagic = "PK\x03\x04";

void read_bytes(const Descriptor& file, uint64_t offset, uint64_t count, char* to) {
  uint64_t found = 0;
  while (found < count) {
    const size_t read = file.read_at(offset + found, to + found, count - found);
    if (read == 0) throw PickleError("ends early");
    found += read;
  }
}

std::string bytes_at(const Descriptor& file, uint64_t offset, uint64_t count) {
  std::string bytes(count, '\0');
  read_bytes(file, offset, count, bytes.data());
  return bytes;
}

// A file by its path, and what it is expected to hold.
struct NamedFile {
  std::filesystem::path path;
  bool is_checkpoint = false;

  [[noreturn]] void refuse(const std::string& what) const {
    if (is_checkpoint)
      throw_error(ErrorKind::kModel,
                  "{}: is incomplete, or no checkpoint of parameters and plain settings: {}",
                  path.string(), what);
    throw_error(
        ErrorKind::kModel,
        "{}: is not a file of torch.save() with nothing but parameters: {}; copy it again, or "
        "convert it in Python: "
        "transformers.AutoModelForSeq2SeqLM.from_pretrained(FOLDER).save_pretrained(NEW)",
        path.string(), what);
  }
};

// Calls work() and adds the path to its errors.
template <class Work>
auto named(const NamedFile& file, Work work) {
  try {
    return work();
  } catch (const PickleError& error) {
    file.refuse(error.what());
  } catch (const c10::Error& error) {  // of libtorch's reader of zip archives
    file.refuse(first_line(error.what_without_backtrace()));
  }
}

// Base class of both file formats.
class TorchFile : public TensorFile {
 public:
  explicit TorchFile(NamedFile file) : named_(std::move(file)) {}
  std::vector<std::string> names() const final {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : dict_.tensors) names.push_back(name);
    return names;
  }
  std::vector<int64_t> shape(const std::string& name) const final {
    return dict_.tensors.at(name).sizes;
  }
  Tensor read(const std::string& name) final {
    const StoredTensor& tensor = dict_.tensors.at(name);
    const TensorStorage& storage = dict_.storages.at(tensor.storage);
    Tensor elements = torch::empty({storage.elements}, storage.type);
    named(named_, [&] { read_storage(tensor.storage, elements.mutable_data_ptr()); });
    return elements.as_strided(tensor.sizes, tensor.strides, tensor.offset);
  }

 protected:
  virtual void read_storage(const std::string& key, void* to) = 0;
  StateDict dict_;

 private:
  NamedFile named_;
};

class ZippedTorchFile final : public TorchFile {
 public:
  // read: of the pickle.
  template <class Read>
  ZippedTorchFile(const NamedFile& file, uint64_t size, uint64_t longest, const Read& read)
      : TorchFile(file), size_(size), longest_(longest), zip_(file.path.string()) {
    if (zip_.hasRecord("byteorder") && record("byteorder") != "little")
      throw PickleError("is of a big-endian machine");
    dict_ = read(record("data.pkl"));
    for (const auto& [key, storage] : dict_.storages) check_size(record_of(key), storage.bytes());
  }

 private:
  static std::string record_of(const std::string& key) { return "data/" + key; }
  void check_size(const std::string& name, uint64_t expected) {
    const uint64_t size = zip_.getRecordSize(name);
    // Storages are not compressed.
    if (size != expected || size > size_)
      throw PickleError(fmt::format("{} has {} bytes, expected {}", name, size, expected));
  }
  std::string record(const std::string& name) {
    const uint64_t size = zip_.getRecordSize(name);
    if (size > longest_) throw PickleError(fmt::format("{} has {} bytes", name, size));
    std::string bytes(size, '\0');
    zip_.getRecord(name, bytes.data(), size);
    return bytes;
  }
  void read_storage(const std::string& key, void* to) override {
    const uint64_t size = dict_.storages.at(key).bytes();
    if (size > 0) zip_.getRecord(record_of(key), to, size);
  }

  uint64_t size_;     // of the file
  uint64_t longest_;  // pickle that is read
  caffe2::serialize::PyTorchStreamReader zip_;
};

// Old format: a sequence of pickles (the magic number, the version, the machine that wrote it, the
// state dict, the keys of the storages in their order); then the number of elements and the
// elements of each storage.
class OldTorchFile final : public TorchFile {
 public:
  OldTorchFile(const NamedFile& named, Descriptor file) : TorchFile(named), file_(std::move(file)) {
    const std::string head = bytes_at(file_, 0, std::min<uint64_t>(file_.size(), kLongestPickle));
    std::string_view rest = std::string_view(head).substr(kOldMagic.size());
    const Pickle::Names none;
    const Pickle version(rest, &none);
    rest.remove_prefix(version.size());
    const Pickle machine(rest, &none);
    check_machine(machine);
    rest.remove_prefix(machine.size());
    dict_ = read_state_dict(rest);
    rest.remove_prefix(dict_.size);
    const Pickle keys(rest, &none);
    rest.remove_prefix(keys.size());
    find_storages(keys, head.size() - rest.size());
  }

 private:
  static void check_machine(const Pickle& pickle) {
    const Pickle::Node* machine = node_of(pickle.value(), Pickle::Node::Kind::kDict);
    for (size_t i = 0; machine != nullptr && i + 1 < machine->items.size(); i += 2) {
      const auto* key = std::get_if<std::string_view>(&machine->items[i]);
      const auto* value = std::get_if<bool>(&machine->items[i + 1]);
      if (key != nullptr && *key == "little_endian" && value != nullptr && *value) return;
    }
    throw PickleError("is of another version or of a big-endian machine");
  }

  void find_storages(const Pickle& keys, uint64_t offset) {
    const Pickle::Node* list = node_of(keys.value(), Pickle::Node::Kind::kList);
    if (list == nullptr) throw PickleError("has no list of storages");
    for (const Pickle::Value& value : list->items) {
      const auto* key = std::get_if<std::string_view>(&value);
      const auto storage =
          key == nullptr ? dict_.storages.end() : dict_.storages.find(std::string(*key));
      if (storage == dict_.storages.end()) throw PickleError("has a storage of no parameter");
      offset = add_storage(storage->first, storage->second, offset);
    }
    if (offsets_.size() != dict_.storages.size()) throw PickleError("lacks a storage");
  }

  // Returns the offset after the storage.
  uint64_t add_storage(const std::string& key, const TensorStorage& storage, uint64_t offset) {
    int64_t elements = 0;
    const std::string count = bytes_at(file_, offset, sizeof elements);
    std::copy(count.begin(), count.end(), reinterpret_cast<char*>(&elements));
    offset += sizeof elements;
    if (elements != storage.elements)
      throw PickleError(
          fmt::format("storage {} has {} elements, expected {}", key, elements, storage.elements));
    if (storage.bytes() > file_.size() - offset) throw PickleError("ends early");
    offsets_[key] = offset;
    return offset + storage.bytes();
  }

  void read_storage(const std::string& key, void* to) override {
    read_bytes(file_, offsets_.at(key), dict_.storages.at(key).bytes(), static_cast<char*>(to));
  }

  Descriptor file_;
  std::map<std::string, uint64_t> offsets_;  // of the elements of each storage
};

}  // namespace

std::unique_ptr<TensorFile> open_torch_file(const std::filesystem::path& path) {
  const NamedFile own{path};
  Descriptor file = Descriptor::open_regular(path);
  const std::string beginning =
      bytes_at(file, 0, std::min<uint64_t>(file.size(), kOldMagic.size()));
  if (beginning.starts_with(kZipMagic))
    return named(own, [&]() -> std::unique_ptr<TensorFile> {
      return std::make_unique<ZippedTorchFile>(own, file.size(), kLongestPickle, read_state_dict);
    });
  if (beginning == kOldMagic)
    return named(own, [&]() -> std::unique_ptr<TensorFile> {
      return std::make_unique<OldTorchFile>(own, std::move(file));
    });
  return nullptr;
}

TorchCheckpoint open_checkpoint(const std::filesystem::path& path, const CheckpointKeys& keys) {
  const NamedFile own{path, /*is_checkpoint=*/true};
  const Descriptor file = Descriptor::open_regular(path);
  return named(own, [&] {
    const uint64_t size = file.size();
    if (bytes_at(file, 0, std::min<uint64_t>(size, kZipMagic.size())) != kZipMagic)
      throw PickleError("it is not a zip archive (PyTorch 1.6 and later write these)");
    TorchCheckpoint checkpoint;
    checkpoint.tensors = std::make_unique<ZippedTorchFile>(
        own, size, kLongestCheckpoint, [&](std::string_view pickle) {
          CheckpointContents contents = read_checkpoint(pickle, keys);
          checkpoint.values = std::move(contents.values);
          return std::move(contents.tensors);
        });
    return checkpoint;
  });
}

}  // namespace heed
