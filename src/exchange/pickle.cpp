#include "exchange/pickle.h"

#include <bit>
#include <unordered_map>

#include <spdlog/fmt/fmt.h>

#include "base/printable.h"

namespace heed {

namespace {

using PickleNode = Pickle::Node;
using PickleValue = Pickle::Value;
using PickleKind = PickleNode::Kind;

constexpr size_t kLongestName = 200;  // of a global

// Opcodes of CPython's pickletools.
struct Opcode {
  enum : uint8_t {
    kMark = '(',
    kEmptyTuple = ')',
    kStop = '.',
    kBinFloat = 'G',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kNone = 'N',
    kBinPersistentId = 'Q',
    kReduce = 'R',
    kBinString = 'T',
    kShortBinString = 'U',
    kBinUnicode = 'X',
    kEmptyList = ']',
    kAppend = 'a',
    kBuild = 'b',
    kGlobal = 'c',
    kAppends = 'e',
    kBinGet = 'h',
    kLongBinGet = 'j',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kSetItem = 's',
    kTuple = 't',
    kSetItems = 'u',
    kEmptyDict = '}',
    kProtocol = 0x80,
    kNewObject = 0x81,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
  };
};

class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const Pickle::Names* globals, Pickle::Names& names,
                std::deque<PickleNode>& nodes)
      : bytes_(bytes), globals_(globals), names_(names), nodes_(nodes) {}

  PickleValue run() {
    if (byte() != Opcode::kProtocol || byte() != 2) fail("is not a pickle of protocol 2");
    for (uint8_t opcode = byte(); opcode != Opcode::kStop; opcode = byte())
      if (!read_scalar(opcode) && !read_memo(opcode) && !read_container(opcode))
        fail(fmt::format("has the opcode 0x{:02x}, which no state dict has", opcode));
    return pop();
  }
  size_t position() const { return at_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw PickleError(fmt::format("{} (byte {} of the pickle)", what, at_));
  }

  std::string_view take(size_t count) {
    if (count > bytes_.size() - at_) fail("ends early");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  uint8_t byte() { return static_cast<uint8_t>(take(1)[0]); }
  // Reads a little-endian number of 1 to 8 bytes.
  uint64_t number(size_t size) {
    uint64_t value = 0;
    const std::string_view bytes = take(size);
    for (size_t i = size; i-- > 0;) value = value << 8U | static_cast<uint8_t>(bytes[i]);
    return value;
  }
  std::string_view line() {
    const size_t end = bytes_.substr(at_, kLongestName).find('\n');
    if (end == std::string_view::npos) fail("has a global without an end");
    const std::string_view text = take(end);
    take(1);
    return text;
  }
  double big_endian_double() {
    const std::string_view bytes = take(8);
    uint64_t value = 0;
    for (const char part : bytes) value = value << 8U | static_cast<uint8_t>(part);
    return std::bit_cast<double>(value);
  }
  int64_t long_number() {
    const size_t size = byte();
    if (size > 8) fail("has a whole number of more than 64 bits");
    const uint64_t value = number(size);
    const bool is_negative = size > 0 && (value >> (8 * size - 1) & 1U) != 0;
    const uint64_t sign = is_negative && size < 8 ? ~uint64_t{0} << (8 * size) : 0;
    return static_cast<int64_t>(value | sign);
  }

  void push(PickleValue value) { stack_.push_back(value); }
  PickleNode& push_node(PickleKind kind, std::vector<PickleValue> items = {}) {
    PickleNode& node = nodes_.emplace_back(PickleNode{.kind = kind, .items = std::move(items)});
    push(&node);
    return node;
  }
  // Fails if the stack holds fewer values above the last mark.
  void need(size_t count) const {
    const size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() < floor + count) fail("takes more from its stack than there is");
  }
  PickleValue pop() {
    need(1);
    const PickleValue value = stack_.back();
    stack_.pop_back();
    return value;
  }
  std::vector<PickleValue> pop_last(size_t count) {
    need(count);
    std::vector<PickleValue> values(stack_.end() - static_cast<ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return values;
  }
  std::vector<PickleValue> pop_to_mark() {
    if (marks_.empty()) fail("has no mark");
    std::vector<PickleValue> values = pop_last(stack_.size() - marks_.back());
    marks_.pop_back();
    return values;
  }
  PickleNode& top_node() const {
    need(1);
    PickleNode* const* node = std::get_if<PickleNode*>(&stack_.back());
    if (node == nullptr) fail("changes a value that has no parts");
    return **node;
  }

  bool read_scalar(uint8_t opcode) {
    switch (opcode) {
      case Opcode::kNone:
        push({});
        break;
      case Opcode::kNewTrue:
        push(true);
        break;
      case Opcode::kNewFalse:
        push(false);
        break;
      case Opcode::kBinInt:
        push(int64_t{static_cast<int32_t>(number(4))});
        break;
      case Opcode::kBinInt1:
        push(static_cast<int64_t>(number(1)));
        break;
      case Opcode::kBinInt2:
        push(static_cast<int64_t>(number(2)));
        break;
      case Opcode::kLong1:
        push(long_number());
        break;
      case Opcode::kBinFloat:
        push(big_endian_double());
        break;
      case Opcode::kBinUnicode:
      case Opcode::kBinString:
        push(take(number(4)));
        break;
      case Opcode::kShortBinString:
        push(take(number(1)));
        break;
      case Opcode::kGlobal:
        read_global();
        break;
      default:
        return false;
    }
    return true;
  }

  bool read_memo(uint8_t opcode) {
    const bool is_long = opcode == Opcode::kLongBinPut || opcode == Opcode::kLongBinGet;
    switch (opcode) {
      case Opcode::kBinPut:
      case Opcode::kLongBinPut:
        need(1);
        memo_[number(is_long ? 4 : 1)] = stack_.back();
        break;
      case Opcode::kBinGet:
      case Opcode::kLongBinGet: {
        const auto found = memo_.find(number(is_long ? 4 : 1));
        if (found == memo_.end()) fail("refers to a value that it does not have");
        push(found->second);
        break;
      }
      default:
        return false;
    }
    return true;
  }

  bool read_container(uint8_t opcode) {
    switch (opcode) {
      case Opcode::kMark:
        marks_.push_back(stack_.size());
        break;
      case Opcode::kEmptyTuple:
        push_node(PickleKind::kTuple);
        break;
      case Opcode::kEmptyList:
        push_node(PickleKind::kList);
        break;
      case Opcode::kEmptyDict:
        push_node(PickleKind::kDict);
        break;
      case Opcode::kTuple:
        push_node(PickleKind::kTuple, pop_to_mark());
        break;
      case Opcode::kTuple1:
        push_node(PickleKind::kTuple, pop_last(1));
        break;
      case Opcode::kTuple2:
        push_node(PickleKind::kTuple, pop_last(2));
        break;
      case Opcode::kTuple3:
        push_node(PickleKind::kTuple, pop_last(3));
        break;
      case Opcode::kAppend:
        append(pop_last(1));
        break;
      case Opcode::kAppends:
        append(pop_to_mark());
        break;
      case Opcode::kSetItem:
        set_items(pop_last(2));
        break;
      case Opcode::kSetItems:
        set_items(pop_to_mark());
        break;
      case Opcode::kReduce:
      case Opcode::kNewObject:
        read_call();
        break;
      case Opcode::kBuild:
        read_state();
        break;
      case Opcode::kBinPersistentId:
        read_persistent_id();
        break;
      default:
        return false;
    }
    return true;
  }

  void read_persistent_id() { push_node(PickleKind::kPersistent, pop_last(1)); }
  void read_global() {
    const std::string_view module = line(), name = line();
    const std::string full = fmt::format("{}.{}", module, name);
    if (globals_ != nullptr && !globals_->contains(full))
      fail(fmt::format("uses {}, expected nothing but tensors by their names", printable(full)));
    push_node(PickleKind::kGlobal).name = *names_.insert(full).first;
  }
  void read_call() {
    const std::vector<PickleValue> values = pop_last(2);
    const PickleNode *called = node_of(values[0], PickleKind::kGlobal),
                     *arguments = node_of(values[1], PickleKind::kTuple);
    if (called == nullptr || arguments == nullptr) fail("calls something that is not a global");
    PickleNode& call = push_node(PickleKind::kCall);
    call.name = called->name;
    call.arguments = arguments;
  }
  void read_state() {
    const PickleValue attributes = pop();
    PickleNode& object = top_node();
    if (object.kind != PickleKind::kCall)
      fail("sets attributes of something that is not an object");
    object.attributes = attributes;
  }
  void append(const std::vector<PickleValue>& values) {
    PickleNode& list = top_node();
    if (list.kind != PickleKind::kList) fail("appends to something that is not a list");
    list.items.insert(list.items.end(), values.begin(), values.end());
  }
  void set_items(const std::vector<PickleValue>& values) {
    PickleNode& dictionary = top_node();
    if (dictionary.kind != PickleKind::kDict && dictionary.kind != PickleKind::kCall)
      fail("sets items of something that is not a dictionary");
    if (values.size() % 2 != 0) fail("has a key without a value");
    dictionary.items.insert(dictionary.items.end(), values.begin(), values.end());
  }

  std::string_view bytes_;
  const Pickle::Names* globals_;
  Pickle::Names& names_;
  std::deque<PickleNode>& nodes_;
  size_t at_ = 0;
  std::vector<PickleValue> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint64_t, PickleValue> memo_;
};

}  // namespace

Pickle::Pickle(std::string_view bytes, const Pickle::Names* globals) {
  PickleMachine machine(bytes, globals, names_, nodes_);
  value_ = machine.run();
  size_ = machine.position();
}

const PickleNode* node_of(const PickleValue& value, PickleKind kind) {
  PickleNode* const* node = std::get_if<PickleNode*>(&value);
  return node != nullptr && (*node)->kind == kind ? *node : nullptr;
}

}  // namespace heed
