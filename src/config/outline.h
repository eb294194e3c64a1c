// What keys there are: settings seen as a description instead of values. The reference and
// `explain` are written from it.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.h"

namespace heed {

struct RegistryOutline;
struct StructOutline;

struct KeyOutline {
  enum class Many { kOne, kList, kMap };

  std::string name, help;
  Many many = Many::kOne;
  std::string type{};                // of a scalar: what it allows; of a struct: beside itself
  std::vector<std::string> words{};  // the same of an enumeration, one by one
  std::string fallback{};            // the default as YAML; "~": none
  bool required = false;
  std::shared_ptr<StructOutline> body{};      // of a struct
  const RegistryOutline* registry = nullptr;  // of a kind
};

struct StructOutline {
  std::vector<KeyOutline> keys{};
  std::string shorthand{};  // the key that a plain value stands for, or ""
};

struct KindOutline {
  std::string name, help;
  StructOutline body;
};

// The kinds of one registry, described once however often it is used; so kinds that hold their own
// registry end.
struct RegistryOutline {
  const void* id;
  std::string title;     // the shortest name of a key that it is used for
  std::string inside{};  // the kind that has this key, where another registry has the same title
  std::vector<KindOutline> kinds{};
};

class Outline {
 public:
  explicit Outline(const Settings& settings);
  const StructOutline& root() const { return root_; }
  // In the order in which they are met.
  const std::list<RegistryOutline>& registries() const { return registries_; }

 private:
  std::list<RegistryOutline> registries_;  // filled while the root is described
  StructOutline root_;
};

}  // namespace heed
