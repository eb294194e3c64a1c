// Shared libraries that are opened while a program runs, and stay open.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed {

class SharedLibrary {
 public:
  // Opens the file of this name in the first of the folders that has it. Throws Error(kFailure):
  // "NAME: not found in FOLDER; REMEDY", or the reason why it cannot be opened.
  SharedLibrary(const std::string& name, const std::vector<std::filesystem::path>& folders,
                const std::string& remedy);

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
