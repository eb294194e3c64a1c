#include "markup/marked_line.h"

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "markup/character_references.h"
#include "markup/text_units.h"

namespace heed {

namespace {

using TokenKind = MarkupToken::Kind;
using NodeKind = MarkupNode::Kind;
using Tokens = std::vector<MarkupToken>;
constexpr std::string_view kMarkupSpaces = " \t\n\f\r";

std::string_view leading_space(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of(kMarkupSpaces), text.size()));
}
std::string_view trailing_space(std::string_view text) {
  const size_t last = text.find_last_not_of(kMarkupSpaces);
  return text.substr(last == std::string_view::npos ? 0 : last + 1);
}

bool has_text(const std::string& text) { return !units_of(text).empty(); }
bool has_words(const std::string& text) {
  return std::ranges::any_of(units_of(text), &TextUnit::is_word);
}

// Elements inside each other. What is deeper is kept, as its pairs could not be followed.
constexpr size_t kDeepest = 200;

void limit_to(size_t size, std::vector<MarkupNode>& nodes) {
  for (MarkupNode& node : nodes) {
    node.begin = std::min(node.begin, size);
    node.end = std::min(node.end, size);
    limit_to(size, node.children);
  }
}

// For each start tag the number of the token behind its element, whose end tag is the one that as many
// tags of its name lead to; for other tokens, and without an end tag, that of the next token.
std::vector<size_t> ends_of_elements(const Tokens& tokens) {
  std::vector<size_t> ends(tokens.size());
  std::map<std::string_view, std::vector<size_t>> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    ends[i] = i + 1;
    std::vector<size_t>& own = open[tokens[i].name];
    if (tokens[i].kind == TokenKind::kOpen) own.push_back(i);
    if (tokens[i].kind != TokenKind::kClose || own.empty()) continue;
    ends[own.back()] = i + 1;
    own.pop_back();
  }
  return ends;
}

class MarkedLineReader {
 public:
  MarkedLineReader(std::string_view line, const MarkupOptions& options)
      : line_(line),
        options_(options),
        tokens_(read_markup(line, options.format)),
        ends_(ends_of_elements(tokens_)) {}

  MarkedLine read() {
    result_.encodes = options_.format != MarkupFormat::kNone;
    result_.encodes_greater = result_.encodes && !has_bare_greater();
    for (size_t i = 0; i < tokens_.size(); i = take(i)) {
    }
    end_block(line_.size(), line_.size());
    for (const std::string& open : carried_tags_) result_.lone.push_back(open);
    return std::move(result_);
  }

 private:
  struct Open {
    MarkupNode node;
    std::string name;
  };

  size_t offset_of(size_t token) const {
    return token < tokens_.size() ? static_cast<size_t>(tokens_[token].raw.data() - line_.data())
                                  : line_.size();
  }
  bool has_bare_greater() const {
    return std::ranges::any_of(tokens_, [](const MarkupToken& token) {
      return token.kind == TokenKind::kText && token.raw.find('>') != std::string_view::npos;
    });
  }
  bool separates(const MarkupToken& token) const {
    return options_.format == MarkupFormat::kHtml && is_tag(token) && is_block_element(token.name);
  }

  // Takes what begins with this token. Returns the number of the next.
  size_t take(size_t i) {
    const MarkupToken& token = tokens_[i];
    if (separates(token)) {
      const size_t end = keeps_text(token, options_.format) ? ends_[i] : i + 1;
      end_block(offset_of(i), offset_of(end));
      return end;
    }
    switch (token.kind) {
      case TokenKind::kText:
      case TokenKind::kReference:
        return take_text(i);
      case TokenKind::kOpen:
        if (stack_.size() == kDeepest || keeps_text(token, options_.format)) return take_kept(i);
        stack_.push_back({{.kind = NodeKind::kElement,
                           .begin = text_.size(),
                           .end = text_.size(),
                           .open = std::string(token.raw),
                           .open_space = space_around(i, i + 1)},
                          token.name});
        return i + 1;
      case TokenKind::kClose:
        take_close(i);
        return i + 1;
      default:
        // Behind what may have no end nothing is written.
        if (token.kind == TokenKind::kVerbatim && i + 1 == tokens_.size())
          end_block(offset_of(i), line_.size());
        else
          add_point(i);
        return i + 1;
    }
  }

  void add_point(size_t i) {
    siblings().push_back({.kind = NodeKind::kPoint,
                          .begin = text_.size(),
                          .end = text_.size(),
                          .open = std::string(tokens_[i].raw),
                          .open_space = space_around(i, i + 1)});
  }

  std::vector<MarkupNode>& siblings() {
    return stack_.empty() ? nodes_ : stack_.back().node.children;
  }

  // White space around tokens of the line.
  OuterSpace space_around(size_t begin, size_t end) const {
    OuterSpace space;
    if (begin > 0 && tokens_[begin - 1].kind == TokenKind::kText)
      space.before = trailing_space(tokens_[begin - 1].raw);
    if (end < tokens_.size() && tokens_[end].kind == TokenKind::kText)
      space.behind = leading_space(tokens_[end].raw);
    return space;
  }

  // Tags that are next to each other take no space twice.
  void append(std::string_view text) {
    if (text_.empty() || !trailing_space(text_).empty())
      text.remove_prefix(leading_space(text).size());
    text_ += text;
  }

  // Takes text with its references.
  size_t take_text(size_t i) {
    std::string text;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == TokenKind::kText) {
        text += tokens_[i].raw;
      } else if (tokens_[i].kind == TokenKind::kReference) {
        const auto character = decoded_reference(tokens_[i].raw, options_.format);
        if (character) {
          text += *character;
          continue;
        }
        add_text(text);
        text.clear();
        add_point(i);
      } else {
        break;
      }
    }
    add_text(text);
    return i;
  }

  void add_text(const std::string& text) {
    size_t done = 0;
    for (const TextRange& range : find_protected(text, options_.protects)) {
      append(std::string_view(text).substr(done, range.begin - done));
      const std::string own = text.substr(range.begin, range.end - range.begin);
      MarkupNode node{.kind = NodeKind::kKept,
                      .begin = text_.size(),
                      .end = 0,
                      .open = encoded(own),
                      .open_space = {std::string(trailing_space(text.substr(0, range.begin))),
                                     std::string(leading_space(text.substr(range.end)))}};
      append(own);
      node.end = text_.size();
      siblings().push_back(std::move(node));
      done = range.end;
    }
    append(std::string_view(text).substr(done));
  }
  std::string encoded(const std::string& text) const {
    return result_.encodes ? encoded_text(text, result_.encodes_greater) : text;
  }

  size_t take_kept(size_t i) {
    const size_t end = ends_[i];
    const auto begin = tokens_.begin();
    if (std::any_of(begin + std::ptrdiff_t(i), begin + std::ptrdiff_t(end),
                    [this](const MarkupToken& one) { return separates(one); })) {
      end_block(offset_of(i), offset_of(end));
      return end;
    }
    MarkupNode node{.kind = NodeKind::kKept,
                    .begin = text_.size(),
                    .end = 0,
                    .open = std::string(line_.substr(offset_of(i), offset_of(end) - offset_of(i))),
                    .open_space = space_around(i, end)};
    for (size_t k = i; k < end; ++k) {
      if (tokens_[k].kind == TokenKind::kText) append(tokens_[k].raw);
      if (tokens_[k].kind == TokenKind::kReference)
        append(decoded_reference(tokens_[k].raw, options_.format).value_or(""));
    }
    node.end = text_.size();
    if (!has_text(text_.substr(node.begin))) node.kind = NodeKind::kPoint;
    siblings().push_back(std::move(node));
    return end;
  }

  void take_close(size_t i) {
    const MarkupToken& token = tokens_[i];
    const auto found = std::ranges::find(stack_.rbegin(), stack_.rend(), token.name, &Open::name);
    if (found == stack_.rend()) return take_lone_close(i);
    const auto inner = static_cast<size_t>(found - stack_.rbegin());
    for (size_t k = 0; k < inner; ++k) {
      result_.lone.push_back(stack_.back().node.open);
      close_last({}, {});
    }
    close_last(std::string(token.raw), space_around(i, i + 1));
  }

  void close_last(std::string tag, OuterSpace space) {
    MarkupNode node = std::move(stack_.back().node);
    stack_.pop_back();
    node.end = text_.size();
    node.close = std::move(tag);
    node.close_space = std::move(space);
    siblings().push_back(std::move(node));
  }

  // Its element began before the block, or nowhere.
  void take_lone_close(size_t i) {
    const auto carried = std::ranges::find(carried_.rbegin(), carried_.rend(), tokens_[i].name);
    if (carried == carried_.rend()) {
      result_.lone.emplace_back(tokens_[i].raw);
    } else {
      const auto at = carried_.rend() - carried - 1;
      carried_.erase(carried_.begin() + at);
      carried_tags_.erase(carried_tags_.begin() + at);
    }
    if (++lone_in_block_ > kDeepest) return add_point(i);
    std::vector<MarkupNode>& before = siblings();
    MarkupNode node{.kind = NodeKind::kElement,
                    .begin = stack_.empty() ? 0 : stack_.back().node.begin,
                    .end = text_.size(),
                    .open = {},
                    .close = std::string(tokens_[i].raw),
                    .close_space = space_around(i, i + 1),
                    .children = std::move(before)};
    before.clear();
    before.push_back(std::move(node));
  }

  // Ends the block before `end`, and makes what is up to `next` part of what is between blocks.
  void end_block(size_t end, size_t next) {
    while (!stack_.empty()) {
      carried_.push_back(stack_.back().name);
      carried_tags_.push_back(stack_.back().node.open);
      close_last({}, {});
    }
    const std::string_view raw = line_.substr(block_begin_, end - block_begin_);
    if (options_.format == MarkupFormat::kNone ? has_text(text_) : has_words(text_)) {
      text_.resize(text_.size() - trailing_space(text_).size());
      limit_to(text_.size(), nodes_);
      result_.between.back() += leading_space(raw);
      result_.blocks.push_back({std::move(text_), std::move(nodes_)});
      result_.between.emplace_back(trailing_space(raw));
    } else {
      result_.between.back() += raw;
    }
    result_.between.back() += line_.substr(end, next - end);
    text_.clear();
    nodes_.clear();
    lone_in_block_ = 0;
    block_begin_ = next;
  }

  std::string_view line_;
  MarkupOptions options_;
  Tokens tokens_;
  std::vector<size_t> ends_;
  MarkedLine result_;
  size_t block_begin_ = 0;
  std::string text_;  // of the block
  std::vector<MarkupNode> nodes_;
  std::vector<Open> stack_;
  size_t lone_in_block_ = 0;  // end tags
  // Elements that began in earlier blocks of the line and go on, and their tags.
  std::vector<std::string> carried_, carried_tags_;
};

}  // namespace

MarkedLine read_marked_line(std::string_view line, const MarkupOptions& options) {
  return MarkedLineReader(line, options).read();
}

}  // namespace heed
