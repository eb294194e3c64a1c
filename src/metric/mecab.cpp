#include "metric/mecab.h"

#include <dlfcn.h>

#include <mutex>

#include "base/error.h"
#include "base/utf8.h"
#include "metric/words.h"

namespace heed {

namespace {

// MeCab's C interface (mecab.h of 0.996).
struct Dictionary {
  const char *filename, *charset;
  unsigned int size;
  int type;
  unsigned int lsize, rsize;
  unsigned short version;
  Dictionary* next;
};

[[noreturn]] void refuse(const std::string& reason) {
  throw_error(ErrorKind::kUsage,
              "ja-mecab: {}; install MeCab with the IPA dictionary (Debian: libmecab2 "
              "mecab-ipadic-utf8), or use char",
              reason);
}

template <class Function>
Function* find_function(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) refuse(fmt::format("libmecab.so.2 has no {}", name));
  return reinterpret_cast<Function*>(found);
}

class MeCab {
 public:
  MeCab() : library_(dlopen("libmecab.so.2", RTLD_NOW)) {
    if (library_ == nullptr) refuse("libmecab.so.2 is not found");
    version_ = find_function<const char*()>(library_, "mecab_version")();
    parse_ = find_function<Parse>(library_, "mecab_sparse_tostr2");
    const auto make = find_function<void*(const char*)>(library_, "mecab_new2");
    const auto dictionary_of =
        find_function<const Dictionary*(void*)>(library_, "mecab_dictionary_info");
    tagger_ = make("-Owakati");
    if (tagger_ == nullptr) refuse("MeCab finds no dictionary");
    // Recognized by its size, as in sacreBLEU; Debian's has one entry more, 令和.
    constexpr unsigned int kIpaEntries = 392'126;
    const Dictionary* dictionary = dictionary_of(tagger_);
    if (dictionary == nullptr || dictionary->size - kIpaEntries > 1 ||
        dictionary->next != nullptr || !lower_case(dictionary->charset).starts_with("utf"))
      refuse("MeCab's dictionary is not the IPA dictionary in UTF-8");
  }

  const std::string& version() const { return version_; }
  std::string words_of(std::string_view line) {
    const std::lock_guard lock(mutex_);
    const char* words = parse_(tagger_, line.data(), line.size());
    HEED_CHECK(words != nullptr, "MeCab cannot read a line of {} bytes", line.size());
    return words;
  }

 private:
  using Parse = const char*(void*, const char*, size_t);

  void* library_;
  std::string version_;
  Parse* parse_ = nullptr;
  void* tagger_ = nullptr;
  std::mutex mutex_;
};

MeCab& mecab() {
  static MeCab one;  // until the end of the process, as the library
  return one;
}

}  // namespace

std::string mecab_version() { return mecab().version() + "-IPA"; }

std::string tokenize_mecab(std::string_view line) {
  return std::string(strip(mecab().words_of(strip(line))));
}

}  // namespace heed
