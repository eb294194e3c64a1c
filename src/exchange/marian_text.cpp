#include "exchange/marian_text.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/small_file.h"
#include "data/example.h"
#include "exchange/sentencepiece_choice.h"
#include "text/line_language.h"
#include "text/sentencepiece.h"

namespace heed {

namespace {

constexpr const char *kEndToken = "</s>", *kUnknownToken = "<unk>";
// A line feed: no vocabulary has these tokens.
constexpr const char *kOwnPad = "\n<pad>", *kOwnBegin = "\n<s>";

bool has_ending(const fs::path& path, std::initializer_list<const char*> endings) {
  return std::ranges::count(endings, path.extension().string()) > 0;
}

std::string list_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(path.filename().string());
  return fmt::format("{}", fmt::join(names, ", "));
}

// The files of a folder that a test holds for, in the order of their names.
template <class Test>
std::vector<fs::path> files_with(const fs::path& folder, Test test) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_plain_file(entry.path()) && test(entry.path())) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

fs::path find_marian_model(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  const std::vector<fs::path> found = files_with(path, [](const fs::path& file) {
    const std::string name = file.filename().string();
    return has_ending(file, {".npz", ".bin"}) && !name.starts_with("lex.") &&
           name.find("optimizer.npz") == std::string::npos;
  });
  if (found.size() == 1) return found.front();
  if (found.empty())
    refuse_model_of_toolkit("the folder has no model, expected model.npz or model.bin");
  refuse_model_of_toolkit(
      fmt::format("the folder has several models: {}; name one", list_of(found)));
}

YamlFile read_decoder(const fs::path& model) {
  for (const fs::path& path :
       {fs::path(model.string() + ".decoder.yml"), model.parent_path() / "decoder.yml",
        model.parent_path() / "config.yml"}) {
    if (is_plain_file(path)) return read_yaml_map(path);
  }
  return {};
}

bool names_any(const fs::path& path, std::initializer_list<const char*> words) {
  const std::string name = path.filename().string();
  return std::ranges::any_of(
      words, [&](const char* word) { return name.find(word) != std::string::npos; });
}
bool names_target(const fs::path& path) { return names_any(path, {"trg", "tgt", "target"}); }
bool names_one_side(const fs::path& path) {
  return names_target(path) || names_any(path, {"src", "source"});
}

// The vocabularies of a folder: one, or one of the source and one of the target by their names.
std::vector<fs::path> find_vocabularies(const fs::path& folder) {
  const auto is_vocabulary = [](const fs::path& file) {
    return file.filename().string().find("vocab") != std::string::npos &&
           has_ending(file, {".spm", ".yml", ".yaml", ".json", ".txt"});
  };
  std::vector<fs::path> found = files_with(folder, is_vocabulary);
  if (found.size() == 1 && !names_one_side(found.front())) return {found.front(), found.front()};
  if (found.size() == 2) {
    if (names_target(found[0])) std::swap(found[0], found[1]);
    if (!names_target(found[0]) && names_target(found[1])) return found;
  }
  refuse_model_of_toolkit(
      fmt::format("{}: found {}; name the vocabularies by --source-vocab and --target-vocab",
                  (folder / "vocab*").string(), found.empty() ? "no file" : list_of(found)));
}

void find_vocabularies(MarianFiles& files, const MarianTextOptions& options) {
  const fs::path folder = folder_of(files.model);
  files.source_vocabulary = options.source_vocabulary;
  files.target_vocabulary = options.target_vocabulary;
  const Json named = setting(files.decoder.values, "vocabs", Json::array());
  std::vector<fs::path> found;
  if (files.source_vocabulary.empty() || files.target_vocabulary.empty()) {
    if (named.is_array() && named.size() > 2)
      refuse_model_of_toolkit(fmt::format("{}: found {} vocabularies, expected one source",
                                          files.decoder.place("vocabs"), named.size()));
    if (named.is_array() && named.size() == 2)
      found = {find_near(named[0], folder), find_near(named[1], folder)};
    if (found.empty() || found[0].empty() || found[1].empty()) found = find_vocabularies(folder);
  }
  if (files.source_vocabulary.empty()) files.source_vocabulary = found[0];
  if (files.target_vocabulary.empty()) files.target_vocabulary = found[1];
}

[[noreturn]] void refuse_line(const fs::path& path, int64_t number, const std::string& line) {
  throw_error(ErrorKind::kModel, "{}:{}: expected a token and its id, as in  Haus: 12, found  {}",
              path.string(), number, line);
}

// A key of YAML: plain, or in quotes.
std::string key_of(const std::string& text, const fs::path& path, int64_t number) {
  const char quote = text.empty() ? '\0' : text.front();
  if (quote != '"' && quote != '\'') return text;
  if (text.size() < 2 || text.back() != quote) refuse_line(path, number, text);
  if (quote == '"') {
    const Json key = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!key.is_string()) refuse_line(path, number, text);
    return key.get<std::string>();
  }
  std::string key = text.substr(1, text.size() - 2);
  for (size_t at = 0; (at = key.find("''", at)) != std::string::npos; ++at) key.erase(at, 1);
  return key;
}

// Lines TOKEN: ID, as Marian writes vocab.yml, which may be larger than other YAML files.
std::map<int64_t, std::string> read_yaml_vocabulary(const fs::path& path) {
  const std::string text = read_file(path);
  std::map<int64_t, std::string> tokens;
  int64_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line == "---") continue;
    const size_t colon = line.rfind(": ");
    if (colon == std::string::npos) refuse_line(path, number, line);
    int64_t id = -1;
    const char* last = line.data() + line.size();
    const auto [behind, error] = std::from_chars(line.data() + colon + 2, last, id);
    if (error != std::errc() || behind != last || id < 0) refuse_line(path, number, line);
    if (!tokens.emplace(id, key_of(line.substr(0, colon), path, number)).second)
      throw_error(ErrorKind::kModel, "{}:{}: the id {} is there twice", path.string(), number, id);
  }
  return tokens;
}

std::map<int64_t, std::string> numbered_tokens(const std::vector<std::string>& tokens) {
  std::map<int64_t, std::string> by_id;
  for (const std::string& token : tokens) by_id.emplace(std::ssize(by_id), token);
  return by_id;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  LineReader reader(path);
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::map<int64_t, std::string> read_tokens(const fs::path& path) {
  if (has_ending(path, {".spm", ".model"}))
    return numbered_tokens(
        SentencePieceTokenizer(read_file(path), path.string(), /*lower=*/false).all_pieces());
  if (has_ending(path, {".yml", ".yaml", ".json"})) {
    const std::string text = read_file(path);
    const size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] == '{' ? read_token_ids(path)
                                                            : read_yaml_vocabulary(path);
  }
  if (has_ending(path, {".fsv"}))
    refuse_model_of_toolkit(
        fmt::format("{}: is a vocabulary with factors, which heed cannot read", path.string()));
  return numbered_tokens(lines_of(path));
}

fs::path model_of_side(const fs::path& vocabulary, const fs::path& spm, const std::string& name,
                       const std::vector<std::string>& tokens) {
  if (!spm.empty()) return spm;
  if (has_ending(vocabulary, {".spm", ".model"})) return vocabulary;
  const auto found =
      choose_sentencepiece_file(find_sentencepiece_files(folder_of(vocabulary)), name, tokens);
  if (found) {
    spdlog::info("{}: the {} is cut by {}", vocabulary.string(), name, found->path.string());
    return found->path;
  }
  spdlog::warn(
      "{}: lines of the {} are tokens between spaces; name a SentencePiece model by --{}-spm",
      vocabulary.string(), name, name);
  return {};
}

}  // namespace

MarianFiles find_marian_files(const fs::path& path, const MarianTextOptions& options) {
  MarianFiles files;
  files.model = find_marian_model(path);
  files.decoder = read_decoder(files.model);
  find_vocabularies(files, options);
  return files;
}

ToolkitSide read_marian_side(const fs::path& vocabulary, const fs::path& spm,
                             const std::string& name, int64_t rows) {
  const std::map<int64_t, std::string> tokens = read_tokens(vocabulary);
  if (!tokens.empty() && tokens.rbegin()->first >= rows)
    refuse_model_of_toolkit(
        fmt::format("{}: has the id {}, but the embeddings {} rows; it is of another model",
                    vocabulary.string(), tokens.rbegin()->first, rows));
  ToolkitSide side;
  side.specials = {kOwnPad, kUnknownToken, kOwnBegin, kEndToken};
  for (int64_t id = 0; id < rows; ++id) {
    const auto found = tokens.find(id);
    side.tokens.push_back(found == tokens.end() ? fmt::format("<id:{}>", id) : found->second);
  }
  if (const int64_t without = rows - std::ssize(tokens); without > 0)
    spdlog::warn(
        "{}: has {} tokens, but the embeddings {} rows: {} tokens have no text, and become <id:N>; "
        "is it the vocabulary of this model?",
        vocabulary.string(), format_count(std::ssize(tokens)), format_count(rows),
        format_count(without));
  for (const char* token : {kEndToken, kUnknownToken}) {
    if (std::ranges::count(side.tokens, token) == 0)
      refuse_model_of_toolkit(fmt::format("{}: has no {}", vocabulary.string(), token));
  }
  side.model = model_of_side(vocabulary, spm, name, side.tokens);
  side.language_codes = std::ranges::any_of(
      side.tokens, [](const std::string& token) { return is_language_piece(token); });
  side.tokens.insert(side.tokens.end(), {kOwnPad, kOwnBegin});
  return side;
}

}  // namespace heed
