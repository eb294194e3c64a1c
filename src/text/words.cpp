#include "text/words.h"

#include "base/utf8.h"
#include "text/line.h"

namespace heed {

std::vector<std::string> WordTokenizer::encode(std::string_view line) const {
  return split_words(prepare_line(line, lower_));
}

std::string WordTokenizer::decode(const std::vector<std::string>& pieces) const {
  std::string text;
  bool continued = true;
  for (const std::string& piece : pieces) {
    if (!continued) text += ' ';
    continued = is_continued(piece);
    text.append(piece, 0, piece.size() - (continued ? joiner_.size() : 0));
  }
  return text;
}

std::string WordTokenizer::joined(std::string_view line) const {
  return joiner_.empty() ? std::string(line) : decode(split_words(line));
}

std::vector<std::string> WordTokenizer::words(std::string_view line) const {
  return split_words(decode(encode(line)));
}

std::string WordTokenizer::text_of(std::string_view piece) const {
  if (!is_continued(piece)) return std::string(piece) + " ";
  return std::string(piece.substr(0, piece.size() - joiner_.size()));
}

void WordsConfig::own_fields(Fields& f) {
  f.field("join", join,
          "joiner of subwords in the text, removed from the output and from the references of "
          "validation and test sets: '@@ ' for subword-nmt; empty: every token is a word");
  f.section("vocabulary", vocabulary, "word vocabulary");
}

void WordsConfig::validate(Problems& problems) const {
  TokenizerConfig::validate(problems);
  const bool is_sign = join.size() > 1 && join.find_first_of(" \t") == join.size() - 1;
  if (!join.empty() && !is_sign) {
    problems.add("join", "'" + join + "' is not a joiner followed by one space, such as '@@ '");
  }
}

std::shared_ptr<Tokenizer> WordsConfig::make(const LineSource&, uint64_t) const {
  return std::make_shared<WordTokenizer>(join.empty() ? "" : join.substr(0, join.size() - 1),
                                         lower);
}

std::shared_ptr<Tokenizer> WordsConfig::load(const std::filesystem::path&,
                                             const std::string&) const {
  return make({}, 0);
}

}  // namespace heed
