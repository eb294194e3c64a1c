#include "base/mapped_file.h"

#include <sys/mman.h>

#include "base/descriptor.h"

namespace heed {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file = Descriptor::open_regular(path);
  const auto size = static_cast<size_t>(file.size());
  if (size == 0) return;  // which mmap refuses
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED) throw_io_error(path, "map it into memory");
  bytes_ = {static_cast<const char*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace heed
