// Arrays aligned to 64 bytes, the width of a vector and of a cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace heed {

template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* array, size_t) { ::operator delete(array, kAlignment); }
  // resize() leaves new elements uninitialized.
  template <class U>
  void construct(U*) {}
  template <class U, class V>
  void construct(U* at, V&& value) {
    ::new (static_cast<void*>(at)) U(static_cast<V&&>(value));
  }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using Aligned = std::vector<T, AlignedAllocator<T>>;
using AlignedFloats = Aligned<float>;

// The next multiple of `multiple`.
inline int64_t filled_up(int64_t count, int64_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

}  // namespace heed
