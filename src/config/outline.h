// Outline of all keys: settings as a description instead of values. The reference page and
// `explain` are written from it.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/preset.h"
#include "config/settings.h"

namespace heed {

struct RegistryOutline;
struct StructOutline;

// Names in other toolkits of a key, of a path inside it or of one of its values.
struct PeerOutline {
  std::string inside;  // "", "attention.score"
  std::string value;   // "", "additive", "{type: rnn, bidirectional: true}"
  Peers names;
};

struct KeyOutline {
  enum class Many { kOne, kList, kMap };

  std::string name, help;
  Many many = Many::kOne;
  std::string type{};                // allowed values of a scalar, other forms of a struct
  std::vector<std::string> words{};  // allowed words of an enumeration
  std::optional<PathRoot> root{};    // of a path, or of the paths of a map
  std::string fallback{};            // the default as YAML; "~": none
  bool required = false;
  std::vector<PeerOutline> peers{};
  std::shared_ptr<StructOutline> body{};      // of a struct
  const RegistryOutline* registry = nullptr;  // of a kind
  const Presets* presets = nullptr;           // of a key whose value is one of them
};

struct StructOutline {
  std::vector<KeyOutline> keys{};
  std::string shorthand{};  // the key that a plain value stands for, or ""
};

struct KindOutline {
  std::string name, help;
  StructOutline body;
};

// Kinds of one registry. They are described once however often the registry is used, so the outline
// of kinds that contain their own registry is finite.
struct RegistryOutline {
  const void* id;
  std::string title;     // the shortest name of a key that it is used for
  std::string inside{};  // the kind that has this key, where another registry has the same title
  std::vector<KindOutline> kinds{};
};

class Outline {
 public:
  explicit Outline(const Visited& settings);
  const StructOutline& root() const { return root_; }
  // Registries in the order of their first use.
  const std::list<RegistryOutline>& registries() const { return registries_; }

 private:
  std::list<RegistryOutline> registries_;  // filled while the root is described
  StructOutline root_;
};

}  // namespace heed
