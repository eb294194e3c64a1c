// Shared libraries that are opened while a program runs, and stay open.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace heed {

class SharedLibrary {
 public:
  // Calls `refuse`, which throws, with the reason of dlopen() if the file cannot be opened.
  SharedLibrary(std::filesystem::path path,
                const std::function<void(const std::string& reason)>& refuse);

  // An exported function. Throws Error(kFailure) if there is none of this name.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  std::filesystem::path path_;
  void* handle_;
};

}  // namespace heed
