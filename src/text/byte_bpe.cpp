#include "text/byte_bpe.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "text/byte_bpe_words.h"
#include "text/line.h"
#include "text/line_language.h"

namespace heed {

namespace {

constexpr int kBytes = 256;

// The character of each byte: itself if it is printable, else one from U+0100 on.
struct ByteAlphabet {
  std::array<std::string, kBytes> characters;
  std::map<char32_t, char> bytes;
  std::vector<int> order;  // of the bytes: printable ones first

  ByteAlphabet() {
    const auto is_printable = [](int byte) {
      return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
    };
    for (const bool printable : {true, false}) {
      for (int byte = 0; byte < kBytes; ++byte)
        if (is_printable(byte) == printable) order.push_back(byte);
    }
    int next = kBytes;
    for (const int byte : order) {
      const auto character = static_cast<char32_t>(is_printable(byte) ? byte : next++);
      append_code_point(characters[static_cast<size_t>(byte)], character);
      bytes.emplace(character, static_cast<char>(byte));
    }
  }
};

const ByteAlphabet& alphabet() {
  static const ByteAlphabet all;
  return all;
}

bool is_white_space(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (!is_of_kind(next_code_point(text, at).value_or(0xFFFD), CharacterKind::kWhiteSpace))
      return false;
  }
  return true;
}

bool begins_with_white_space(std::string_view text) {
  size_t end = 0;
  if (text.empty()) return false;
  next_code_point(text, end);
  return is_white_space(text.substr(0, end));
}

// Calls take(line, left, right) for the lines of valid merges; left and right are empty in a line that
// is no merge.
template <class Take>
void for_each_merge(std::string_view merges, const Take& take) {
  for (size_t begin = 0; begin < merges.size();) {
    const size_t end = std::min(merges.find('\n', begin), merges.size());
    const std::string_view line = merges.substr(begin, end - begin);
    const size_t space = line.find(' ');
    if (space == std::string_view::npos || (begin == 0 && line.starts_with("#version")))
      take(line, std::string(), std::string());
    else
      take(line, std::string(line.substr(0, space)), std::string(line.substr(space + 1)));
    begin = end + 1;
  }
}

}  // namespace

std::vector<std::string> byte_pieces() {
  return {alphabet().characters.begin(), alphabet().characters.end()};
}

std::unordered_map<std::string, std::vector<std::string>> merged_parts(std::string_view merges) {
  std::unordered_map<std::string, std::vector<std::string>> parts;
  for_each_merge(merges, [&](std::string_view, const std::string& left, const std::string& right) {
    if (left.empty()) return;
    std::vector<std::string>& own = parts[left + right];
    own.insert(own.end(), {left, right});
  });
  return parts;
}

std::string trimmed_merges(std::string_view merges,
                           const std::function<bool(const std::string& piece)>& stays) {
  std::string trimmed;
  for_each_merge(merges,
                 [&](std::string_view line, const std::string& left, const std::string& right) {
                   if (!left.empty() && !(stays(left) && stays(right) && stays(left + right)))
                     return;
                   trimmed.append(line).append("\n");
                 });
  return trimmed;
}

ByteBpeTokenizer::ByteBpeTokenizer(std::string merges, const std::string& name, bool prefix_space,
                                   bool lower)
    : merges_(std::move(merges)), prefix_space_(prefix_space), lower_(lower) {
  for (const int byte : alphabet().order)
    number_of(alphabet().characters[static_cast<size_t>(byte)]);
  read_merges(name);
}

int32_t ByteBpeTokenizer::number_of(const std::string& piece) {
  const auto [found, is_new] = numbers_.emplace(piece, static_cast<int32_t>(pieces_.size()));
  if (is_new) pieces_.push_back(piece);
  return found->second;
}

void ByteBpeTokenizer::read_merges(const std::string& name) {
  const auto wrong = [&](int64_t line, const std::string& problem) {
    throw_error(ErrorKind::kModel,
                "{}: line {}: {}, expected the two pieces of a merge with a space between them, as "
                "in merges.txt of GPT-2",
                name, line, problem);
  };
  int64_t number = 0;
  for (size_t begin = 0; begin < merges_.size();) {
    const size_t end = std::min(merges_.find('\n', begin), merges_.size());
    const std::string line = merges_.substr(begin, end - begin);
    begin = end + 1;
    if (++number == 1 && line.starts_with("#version")) continue;
    if (line.empty() && begin >= merges_.size()) break;
    const size_t space = line.find(' ');
    if (!is_utf8(line) || space == 0 || space == std::string::npos || space + 1 == line.size() ||
        line.find_first_of(" \r", space + 1) != std::string::npos)
      wrong(number, fmt::format("found '{}'", replace_malformed(line)));
    const std::string left = line.substr(0, space), right = line.substr(space + 1);
    for (const std::string& part : {left, right})
      if (!numbers_.contains(part))
        wrong(number, fmt::format("no byte and no earlier merge makes '{}'", part));
    const auto key = key_of(numbers_.at(left), numbers_.at(right));
    const auto rank = static_cast<int32_t>(merge_of_.size());
    if (!merge_of_.emplace(key, Merge{rank, number_of(left + right)}).second)
      wrong(number, fmt::format("'{}' is there twice", line));
  }
}

std::vector<std::string> ByteBpeTokenizer::encode(std::string_view line) const {
  std::string text = prepare_line(line, lower_);
  if (is_white_space(text)) return {};
  if (prefix_space_ && !begins_with_white_space(text)) text.insert(0, 1, ' ');
  std::vector<std::string> pieces;
  for (const std::string_view word : byte_bpe_words(text)) append_pieces(word, pieces);
  return pieces;
}

// Makes the first merge of the list wherever it is possible, from left to right, then the next.
void ByteBpeTokenizer::append_pieces(std::string_view word,
                                     std::vector<std::string>& pieces) const {
  constexpr int32_t kGone = -1;
  struct Symbol {
    int32_t number;
    int64_t before, behind;  // neighbours, from -1 to the size of the word
  };
  struct Candidate {
    int32_t rank;
    int64_t left;
    int32_t first, second, result;
    bool operator>(const Candidate& other) const {
      return std::tie(rank, left) > std::tie(other.rank, other.left);
    }
  };
  const int64_t size = std::ssize(word);
  std::vector<Symbol> symbols;
  for (const char byte : word) {
    const std::string& character = alphabet().characters[static_cast<unsigned char>(byte)];
    symbols.push_back({numbers_.at(character), std::ssize(symbols) - 1, std::ssize(symbols) + 1});
  }
  std::vector<Candidate> found;
  const auto find = [&](int64_t left) {
    if (left < 0 || symbols[left].behind == size) return;
    const int32_t first = symbols[left].number, second = symbols[symbols[left].behind].number;
    const auto merge = merge_of_.find(key_of(first, second));
    if (merge != merge_of_.end())
      found.push_back({merge->second.rank, left, first, second, merge->second.result});
  };
  for (int64_t i = 0; i < size; ++i) find(i);
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  while (!found.empty() || !queue.empty()) {
    for (const Candidate& one : found) queue.push(one);
    found.clear();
    for (const int32_t rank = queue.top().rank; !queue.empty() && queue.top().rank == rank;) {
      const Candidate best = queue.top();
      queue.pop();
      Symbol& left = symbols[best.left];
      if (left.number != best.first || left.behind == size ||
          symbols[left.behind].number != best.second)
        continue;
      Symbol& right = symbols[left.behind];
      left.number = best.result;
      left.behind = right.behind;
      right.number = kGone;
      if (left.behind < size) symbols[left.behind].before = best.left;
      find(left.before);
      find(best.left);
    }
  }
  for (int64_t i = 0; i < size; i = symbols[i].behind)
    pieces.push_back(pieces_[static_cast<size_t>(symbols[i].number)]);
}

std::string ByteBpeTokenizer::text_of(std::string_view piece) const {
  if (piece == kUnknownPiece) return std::string(piece);
  std::string text;
  for (size_t at = 0; at < piece.size();) {
    const size_t begin = at;
    const std::optional<char32_t> character = next_code_point(piece, at);
    const auto byte = alphabet().bytes.find(character.value_or(0));
    if (character && byte != alphabet().bytes.end())
      text += byte->second;
    else
      text += piece.substr(begin, at - begin);
  }
  return text;
}

std::string ByteBpeTokenizer::decode(const std::vector<std::string>& pieces) const {
  std::string text;
  for (const std::string& piece : pieces) text += text_of(piece);
  if (prefix_space_ && text.starts_with(' ')) text.erase(0, 1);
  return replace_malformed(text);
}

void ByteBpeTokenizer::save(const std::filesystem::path& folder, const std::string& stem) const {
  write_file(folder / (stem + ".merges"), merges_);
}

void ByteBpeConfig::own_fields(Fields& f) {
  f.path("merges", merges, PathRoot::kConfigFolder,
         "merges.txt of GPT-2 or BART: the two pieces of a merge a line, the first merge first");
  f.field("prefix_space", prefix_space,
          "a line begins with a space unless it has white space there");
  f.field(
      "begin", begin,
      "an encoded line begins with `>>s<<`, the token <s> of BART, which is left out of decoded "
      "text; of the target it is forced in translation");
  f.section("vocabulary", vocabulary,
            "separate vocabulary; by default the bytes and what the merges make of them");
}

void ByteBpeConfig::validate(Problems& problems) const {
  TokenizerConfig::validate(problems);
  if (!begin) return;
  if (marker) problems.add("begin", "a marker between sentences is not possible with it");
  if (features) problems.add("begin", "feature labels are not possible with it");
  if (!vocabulary)
    problems.add("begin", "needs a separate vocabulary (vocabulary.file) that has >>s<<");
}

LineLanguage ByteBpeConfig::line_language() const { return {.otherwise = begin ? "s" : ""}; }

std::shared_ptr<Tokenizer> ByteBpeConfig::make(const LineSource&, uint64_t) const {
  if (!merges)
    throw Error(ErrorKind::kUsage,
                "byte_bpe: merges is missing, expected a file such as merges.txt of GPT-2; `type: "
                "sentencepiece` learns subwords from the training text");
  return std::make_shared<ByteBpeTokenizer>(read_file(*merges), *merges, prefix_space, lower);
}

std::shared_ptr<Tokenizer> ByteBpeConfig::load(const std::filesystem::path& folder,
                                               const std::string& stem) const {
  const std::filesystem::path path = folder / (stem + ".merges");
  return std::make_shared<ByteBpeTokenizer>(read_file(path), path.string(), prefix_space, lower);
}

void ByteBpeConfig::take_files(const std::filesystem::path& folder, const std::string& stem) {
  if (vocabulary) TokenizerConfig::take_files(folder, stem);
  merges = (folder / (stem + ".merges")).string();
}

}  // namespace heed
