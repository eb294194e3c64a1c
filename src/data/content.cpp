#include "data/content.h"

#include <algorithm>

#include "base/compression/stored_text.h"

namespace heed {

namespace {

std::vector<std::filesystem::path> paths_of(const SideText& side) {
  std::vector<std::filesystem::path> paths;
  for (size_t i = 0; i < side.files(); ++i) paths.push_back(side.path(i));
  return paths;
}

// Texts that are parallel to the lines of a part, with their use.
std::vector<std::pair<const char*, const SideText*>> texts_of(const TextPart& part) {
  std::vector<std::pair<const char*, const SideText*>> texts;
  for (const SideText& side : part.sides) texts.emplace_back("side", &side);
  if (part.edges) texts.emplace_back("edges", &*part.edges);
  if (part.alignment) texts.emplace_back("alignment", &*part.alignment);
  if (part.supporting_facts) texts.emplace_back("supporting_facts", &*part.supporting_facts);
  for (const SideText& factor : part.factors) texts.emplace_back("factor", &factor);
  return texts;
}

}  // namespace

std::optional<std::string> content_of(const std::vector<std::filesystem::path>& files,
                                      DataCache& cache) {
  if (!std::ranges::all_of(files, is_stored_text)) return std::nullopt;
  std::string content;
  for (const auto& file : files) content += " " + cache.facts(file).hash;
  return content;
}

std::optional<std::string> content_of(const TrainingText& text, DataCache& cache) {
  std::string content;
  for (const TextPart& part : text.parts()) {
    content += "corpus:";
    for (const auto& [use, side] : texts_of(part)) {
      const auto own = content_of(paths_of(*side), cache);
      if (!own) return std::nullopt;
      content += fmt::format(" {}{}{}", use, side->view().identity(), *own);
    }
  }
  return content;
}

}  // namespace heed
