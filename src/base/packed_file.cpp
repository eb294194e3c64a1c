#include "base/packed_file.h"

#include <cstring>
#include <mutex>
#include <stdexcept>

#include <sys/stat.h>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/safetensors_file.h"
#include "base/system/system.h"

namespace heed {

namespace {

// Beginning of the header, behind which the hash stands.
constexpr std::string_view kPackedHead = R"({"__metadata__":{"format":"heed","hash":")";
constexpr std::string_view kVersion = R"(","version":"1"})";
constexpr size_t kDigestSize = 32;
constexpr uint64_t kAlignment = 64;
constexpr std::string_view kFilePrefix = "file/";  // begins the names of files

constexpr const char* kPackAgain = "copy it again, or pack the model again";

// Names a file, as long as it does not change.
struct FileIdentity {
  uint64_t device = 0, number = 0, size = 0;
  int64_t nanoseconds = 0;  // of its modification
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

std::optional<FileIdentity> file_identity(const fs::path& path) {
  struct ::stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, static_cast<uint64_t>(status.st_size),
                      modification_nanoseconds(status)};
}

std::string digest_of(std::string_view header, std::string_view data) {
  ContentHash hash;
  hash.add(header.substr(0, kPackedHead.size()));
  hash.add(header.substr(kPackedHead.size() + kDigestSize));
  hash.add(data);
  return hash.digest();
}

uint64_t header_length(std::string_view bytes) {
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  return length;
}

}  // namespace

PackedFile::PackedFile(const fs::path& path) : mapped_(path) {
  const auto refuse = [&](const std::string& what) {
    throw_error(ErrorKind::kModel, "{}: {}; {}", path.string(), what, kPackAgain);
  };
  const std::string_view bytes = mapped_.bytes();
  if (bytes.size() < kHeaderLengthBytes) refuse("ends inside the length of its header");
  const uint64_t length = header_length(bytes);
  if (length > bytes.size() - kHeaderLengthBytes) refuse("ends inside its header");
  const std::string_view header = bytes.substr(kHeaderLengthBytes, length);
  data_ = bytes.substr(kHeaderLengthBytes + length);
  if (!header.starts_with(kPackedHead) || header.size() < kPackedHead.size() + kDigestSize)
    refuse("is not a packed model");
  if (digest_of(header, data_) != header.substr(kPackedHead.size(), kDigestSize))
    refuse("is damaged or cut off: its hash does not match");
  if (!header.substr(kPackedHead.size() + kDigestSize).starts_with(kVersion))
    throw_error(ErrorKind::kModel, "{}: was packed by a later version of heed; use that version",
                path.string());
  try {
    tensors_ = parse_header(header, data_.size());
  } catch (const std::runtime_error& problem) {
    refuse(problem.what());
  }
  for (auto entry = tensors_.begin(); entry != tensors_.end();) {
    const auto& [name, place] = *entry;
    if (!name.starts_with(kFilePrefix)) {
      ++entry;
      continue;
    }
    files_[name.substr(kFilePrefix.size())] = data_.substr(place.begin, place.end - place.begin);
    entry = tensors_.erase(entry);
  }
}

std::shared_ptr<const PackedFile> PackedFile::open(const fs::path& path) try {
  static std::mutex mutex;
  static std::map<FileIdentity, std::weak_ptr<const PackedFile>> opened;
  static std::shared_ptr<const PackedFile> latest;  // is often opened again
  const auto identity = file_identity(path);
  if (!identity) return std::shared_ptr<const PackedFile>(new PackedFile(path));
  const std::scoped_lock lock(mutex);
  std::erase_if(opened, [](const auto& item) { return item.second.expired(); });
  auto file = opened[*identity].lock();
  if (!file) {
    file = std::shared_ptr<const PackedFile>(new PackedFile(path));
    opened[*identity] = file;
  }
  latest = file;
  return file;
} catch (const IoError& error) {
  if (!error.is_about_the_file()) throw;
  throw Error(ErrorKind::kModel, error.what());
}

std::string_view PackedFile::bytes(const std::string& tensor) const {
  const TensorEntry& entry = tensors_.at(tensor);
  return data_.substr(entry.begin, entry.end - entry.begin);
}

std::optional<std::string_view> PackedFile::file(const std::string& name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? std::nullopt : std::optional(found->second);
}

bool is_packed_file(const fs::path& path) try {
  if (!file_identity(path)) return false;
  const Descriptor file = Descriptor::open_regular(path);
  std::string beginning(kHeaderLengthBytes + kPackedHead.size(), '\0');
  return file.read_at(0, beginning.data(), beginning.size()) == beginning.size() &&
         beginning.ends_with(kPackedHead);
} catch (const IoError&) {
  return false;
}

std::optional<std::string> find_packed(const fs::path& path) {
  const fs::path model = path.parent_path();
  if (model.empty() || !is_packed_file(model)) return std::nullopt;
  const auto found = PackedFile::open(model)->file(path.filename().string());
  return found ? std::optional(std::string(*found)) : std::nullopt;
}

void write_packed_file(const fs::path& path, std::span<const PackedTensor> tensors,
                       const std::map<std::string, std::string>& files) {
  std::vector<PackedTensor> all(tensors.begin(), tensors.end());
  for (const auto& [name, text] : files)
    all.push_back({.name = std::string(kFilePrefix) + name,
                   .type = ElementType::kUInt8,
                   .shape = {std::ssize(text)},
                   .bytes = text});
  TensorEntries entries;
  uint64_t end = 0;
  std::string data;
  for (const PackedTensor& tensor : all) {
    const uint64_t begin = end;
    end += tensor.bytes.size();
    entries[tensor.name] = {.type = tensor.type, .shape = tensor.shape, .begin = begin, .end = end};
    data += tensor.bytes;
  }
  std::string header = make_header(
      entries, {{"format", "heed"}, {"hash", std::string(kDigestSize, '0')}, {"version", "1"}});
  while ((kHeaderLengthBytes + header.size()) % kAlignment != 0) header += ' ';
  header.replace(kPackedHead.size(), kDigestSize, digest_of(header, data));
  const uint64_t length = header.size();
  std::string beginning(kHeaderLengthBytes, '\0');
  std::memcpy(beginning.data(), &length, sizeof(length));
  AtomicFile file(path);
  file.write(beginning);
  file.write(header);
  file.write(data);
  file.commit();
}

}  // namespace heed
