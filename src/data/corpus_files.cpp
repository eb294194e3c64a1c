#include "data/corpus_files.h"

#include <glob.h>

#include <algorithm>
#include <cerrno>

#include "base/compression/stored_text.h"
#include "base/descriptor.h"
#include "base/folder.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

// Prefix that precedes the name in the paths of its files.
std::string prefix_of(const fs::path& root, const std::string& name) {
  return fs::path(name).is_absolute() ? "" : (root / "").string();
}

std::string escape_pattern(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Part of this file's path that matches the only `*` of the name; nullopt if the name is not such a
// pattern.
std::optional<std::string> starred_part(const fs::path& root, const std::string& name,
                                        const fs::path& file) {
  const size_t star = name.find('*');
  const bool plain = star != std::string::npos && star == name.rfind('*') &&
                     name.find_first_of("?[") == std::string::npos;
  if (!plain) return std::nullopt;
  const size_t before = prefix_of(root, name).size();
  const std::string& path = file.native();
  return path.substr(before + star, path.size() - before - (name.size() - 1));
}

void check_pairing(const fs::path& root, const CorpusFiles& files,
                   const std::vector<std::string>& patterns) {
  for (size_t side = 1; side < patterns.size(); ++side) {
    const std::vector<fs::path>&first = files.sides[0].paths, &other = files.sides[side].paths;
    if (other.size() != first.size()) {
      throw_error(ErrorKind::kUsage, "data: {} matches {} files, but {} matches {}; {}",
                  patterns[0], first.size(), patterns[side], other.size(),
                  "each needs its counterpart");
    }
    for (size_t i = 0; i < first.size(); ++i) {
      const auto a = starred_part(root, patterns[0], first[i]);
      const auto b = starred_part(root, patterns[side], other[i]);
      if (a && b && *a != *b) {
        throw_error(ErrorKind::kUsage, "data: {} has no counterpart to {}: found {}",
                    first[i].string(), patterns[side], other[i].string());
      }
    }
  }
}

// Skips folders that this user may not read; other failures are reported.
int stops_at(const char*, int error) { return error == EACCES || error == EPERM ? 0 : error; }

std::vector<fs::path> matching_files(const std::string& pattern) {
  glob_t found{};
  errno = 0;
  const int result = ::glob(pattern.c_str(), GLOB_NOSORT, stops_at, &found);
  const int error = errno;
  std::vector<fs::path> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (result == GLOB_ABORTED) throw_io_error(pattern, "look for files", error);
  return files;
}

// Each side opens the file separately.
void refuse_pipes(const TextFiles& files) {
  if (files.view.form == TextView::Form::kLines) return;
  for (const fs::path& path : files.paths) {
    if (is_stored_text(path)) continue;
    throw_error(ErrorKind::kUsage,
                "data: {} is read once for each side, expected a file, not a pipe", path.string());
  }
}

}  // namespace

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

std::vector<fs::path> expand_pattern(const fs::path& root, const std::string& name) {
  const std::string prefix = prefix_of(root, name);
  const fs::path literal = prefix + name;
  std::error_code unused;
  if (fs::is_directory(literal, unused)) return {};
  if (fs::exists(literal, unused) || !find_stored(literal).member.empty()) return {literal};
  std::vector<fs::path> files;
  if (is_pattern(name)) files = matching_files(escape_pattern(prefix) + name);
  std::erase_if(files, [&](const fs::path& file) { return fs::is_directory(file, unused); });
  std::ranges::sort(files, {}, &fs::path::native);
  return files;
}

CorpusFiles find_corpus_files(const fs::path& root, const CorpusConfig& config) {
  std::vector<std::string> patterns;
  for (const auto& [name, pattern] : config.source) patterns.push_back(pattern);
  patterns.push_back(config.target);
  CorpusFiles files;
  files.name = fmt::format("{}", fmt::join(patterns, " + "));
  if (const auto& table = config.table()) files.name = fmt::format("{} ({})", *table, files.name);
  files.weight = config.weight;
  files.share = config.share;
  files.tag = config.tag;
  files.augment = config.augment;
  for (const auto& annotation : {config.edges, config.alignment, config.supporting_facts}) {
    if (annotation) patterns.push_back(*annotation);
  }
  for (const auto& [name, pattern] : config.factors) patterns.push_back(pattern);
  for (std::string& pattern : patterns) {
    const TextView view = config.view(pattern);
    if (const auto& table = config.table()) pattern = *table;
    files.sides.push_back({expand_pattern(root, pattern), view});
    if (files.sides.back().empty()) {
      throw_error(ErrorKind::kUsage, "data: there is no file {}; check data.dir and the name",
                  (root / pattern).string());
    }
    refuse_pipes(files.sides.back());
  }
  std::vector<TextView*> views;
  for (TextFiles& side : files.sides) views.push_back(&side.view);
  share_header(views);
  check_pairing(root, files, patterns);
  const auto take_last = [&files] {
    auto last = std::move(files.sides.back());
    files.sides.pop_back();
    return last;
  };
  files.factors.resize(config.factors.size());
  for (auto factor = files.factors.rbegin(); factor != files.factors.rend(); ++factor)
    *factor = take_last();
  if (config.supporting_facts) files.supporting_facts = take_last();
  if (config.alignment) files.alignment = take_last();
  if (config.edges) files.edges = take_last();
  return files;
}

std::vector<CorpusFiles> find_training_files(const DataConfig& data,
                                             const fs::path& config_folder) {
  std::vector<CorpusFiles> corpora;
  for (const CorpusConfig& config : data.train) {
    corpora.push_back(find_corpus_files(data.root(config_folder), config));
  }
  return corpora;
}

}  // namespace heed
