// Reads Python pickles as plain data, as far as torch.save() writes them for parameters and
// settings: protocol 2. heed has its own reader because Python runs a pickle as a program, and because
// libtorch's reader (torch::pickle_load) drops collections.OrderedDict, which such files consist
// of. This reader runs nothing: a global is its name, a call is a node with its arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heed {

// Error that describes the fault without the name of the file.
class PickleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Pickle {
 public:
  struct Node;
  // None is std::monostate. Texts point into the bytes, names and nodes into the pickle.
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string_view, Node*>;
  struct Node {
    enum class Kind { kTuple, kList, kDict, kGlobal, kCall, kPersistent };
    Kind kind;
    std::string_view name{};          // of a global, and of what a call calls: "module.name"
    const Node* arguments = nullptr;  // of a call: a tuple
    Value attributes{};               // of a call: those that are set on its result
    // Values of a tuple or list, or the one value of a persistent id. A dictionary, and a call on
    // whose result items are set, have keys and values in turn.
    std::vector<Value> items{};
  };

  using Names = std::set<std::string, std::less<>>;

  // Reads a pickle at the beginning of `bytes`, which must outlive the object. globals: allowed
  // names; nullptr: all. Throws PickleError with the offset of the byte for another global, an
  // unexpected opcode or a truncated pickle. Time and memory are linear in the bytes read.
  Pickle(std::string_view bytes, const Names* globals);
  Pickle(const Pickle&) = delete;
  Pickle& operator=(const Pickle&) = delete;

  const Value& value() const { return value_; }
  size_t size() const { return size_; }  // number of bytes of the pickle

 private:
  Names names_;             // of its globals
  std::deque<Node> nodes_;  // flat, so that depth costs no stack when it is destroyed
  Value value_;
  size_t size_ = 0;
};

// Node of a value if it has this kind, otherwise nullptr.
const Pickle::Node* node_of(const Pickle::Value& value, Pickle::Node::Kind kind);

}  // namespace heed
