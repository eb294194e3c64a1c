// Python pickles as plain data, as far as torch.save() writes them for the parameters of a model:
// protocol 2. Own reader because a pickle is a program, which Python runs, and because libtorch's
// reader (torch::pickle_load) drops collections.OrderedDict, which such files consist of. Here
// nothing is run: a global is its name, a call is a node with its arguments.
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

// What is wrong, without the name of the file.
class PickleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Pickle {
 public:
  struct Node;
  // None is std::monostate. Texts point into the bytes, nodes into the pickle.
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string_view, Node*>;
  struct Node {
    enum class Kind { kTuple, kList, kDict, kGlobal, kCall, kPersistent };
    Kind kind;
    std::string_view name{};          // of a global, and of what a call calls: "module.name"
    const Node* arguments = nullptr;  // of a call: a tuple
    // Of a tuple or a list; the one value of a persistent id; of a dictionary keys and values in
    // turn, as those that are set on the result of a call.
    std::vector<Value> items{};
  };

  using Names = std::set<std::string, std::less<>>;

  // From the beginning of the bytes. globals: those that it may name. Both have to outlive it.
  // Throws PickleError that names the byte for another global, an opcode that such files do not
  // have, and what ends early. Time and memory are linear in the bytes that are read.
  Pickle(std::string_view bytes, const Names& globals);
  Pickle(const Pickle&) = delete;
  Pickle& operator=(const Pickle&) = delete;

  const Value& value() const { return value_; }
  size_t size() const { return size_; }  // bytes that it takes

 private:
  std::deque<Node> nodes_;  // flat, so that depth costs no stack when it is destroyed
  Value value_;
  size_t size_ = 0;
};

// The node of this kind that a value is; nullptr if it is something else.
const Pickle::Node* node_of(const Pickle::Value& value, Pickle::Node::Kind kind);

}  // namespace heed
