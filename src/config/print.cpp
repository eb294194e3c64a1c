#include "config/print.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "config/print_text.h"

namespace heed {

namespace {

using Form = Node::Form;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Only what no reader of YAML takes for anything but a text.
bool is_plain(std::string_view text) {
  const auto begins = [](char c) { return is_letter(c) || c == '_' || c == '/'; };
  const auto goes_on = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("_/.-+@").find(c) != std::string_view::npos;
  };
  if (text.empty() || !begins(text[0]) || !std::all_of(text.begin(), text.end(), goes_on))
    return false;
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return is_letter(c) ? c | 0x20 : c; });
  constexpr std::string_view kReserved[] = {"null", "true", "false", "yes", "no",
                                            "on",   "off",  "y",     "n"};
  return std::find(std::begin(kReserved), std::end(kReserved), word) == std::end(kReserved);
}

// Code points that some reader takes for the end of a line, or does not take at all.
bool needs_escape(std::string_view c) {
  if (c.size() == 1)
    return static_cast<unsigned char>(c[0]) < ' ' || c[0] == '\x7f' || c[0] == '"' || c[0] == '\\';
  const bool is_c1_control =
      c.size() == 2 && c[0] == '\xc2' && static_cast<unsigned char>(c[1]) < 0xa0;
  return is_c1_control || c == "\u2028" || c == "\u2029" || c == "\ufeff" || c == "\ufffe" ||
         c == "\uffff";
}

std::string escaped(std::string_view c) {
  if (c == "\"") return "\\\"";
  if (c == "\\") return "\\\\";
  if (c == "\n") return "\\n";
  if (c == "\t") return "\\t";
  const auto byte = [c](size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(c[i]));
  };
  if (c.size() == 1) return fmt::format("\\x{:02x}", byte(0));
  if (c.size() == 2) return fmt::format("\\u{:04x}", (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f));
  return fmt::format("\\u{:04x}", (byte(0) & 0xf) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f));
}

std::string quoted(const std::string& text) {
  const std::string valid = replace_malformed(text);
  std::string result = "\"";
  for (std::string_view c : code_points(valid))
    result += needs_escape(c) ? escaped(c) : std::string(c);
  return result + "\"";
}

std::string print_scalar(const Node& node) {
  return node.quoted ? print_text(node.text) : node.text;
}

// Maps of scalars, lists of scalars and of such maps.
bool is_small(const Node& node, bool may_hold_maps) {
  constexpr size_t kMostEntries = 6;
  if (node.entries.size() > kMostEntries) return false;
  return std::all_of(node.entries.begin(), node.entries.end(), [&](const Node::Entry& entry) {
    const Node& value = entry.value;
    return value.entries.empty() ||
           (may_hold_maps && value.is(Form::kMap) && is_small(value, false));
  });
}

class Printer {
 public:
  std::string take() { return std::move(text_); }

  void print_map(const Node& map, size_t indent) {
    for (const Node::Entry& entry : map.entries) {
      begin_line(indent);
      print_value(print_text(entry.key) + ":", entry.value, indent);
    }
  }

 private:
  void begin_line(size_t indent) { text_.append(indent, ' '); }

  void print_list(const Node& list, size_t indent) {
    for (const Node::Entry& entry : list.entries) {
      begin_line(indent);
      print_value("-", entry.value, indent);
    }
  }

  // Behind its key, or behind the dash of an item.
  void print_value(const std::string& head, const Node& node, size_t indent) {
    constexpr size_t kWidth = 100;
    text_ += head;
    const bool is_leaf = node.entries.empty();
    if (is_leaf || is_small(node, node.is(Form::kList))) {
      const std::string line = print_inline(node);
      if (is_leaf || indent + display_width(head) + 1 + display_width(line) <= kWidth) {
        text_ += " " + line + "\n";
        return;
      }
    }
    text_ += "\n";
    if (node.is(Form::kMap)) {
      print_map(node, indent + 2);
    } else {
      print_list(node, indent + 2);
    }
  }

  std::string text_;
};

}  // namespace

std::string print_text(const std::string& text) { return is_plain(text) ? text : quoted(text); }

std::string print_tree(const Node& map) {
  if (map.entries.empty()) return "{}\n";
  Printer printer;
  printer.print_map(map, 0);
  return printer.take();
}

std::string print_inline(const Node& node) {
  if (node.is(Form::kNull)) return "~";
  if (node.is(Form::kScalar)) return print_scalar(node);
  std::string items;
  for (const Node::Entry& entry : node.entries) {
    if (!items.empty()) items += ", ";
    if (node.is(Form::kMap)) items += print_text(entry.key) + ": ";
    items += print_inline(entry.value);
  }
  return node.is(Form::kMap) ? fmt::format("{{{}}}", items) : fmt::format("[{}]", items);
}

}  // namespace heed
