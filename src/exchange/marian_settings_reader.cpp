#include "exchange/marian_settings_reader.h"

#include <algorithm>

#include "base/log.h"
#include "config/ranges.h"
#include "config/sizes.h"

namespace heed {

namespace {

// Keys that have no effect on a translation with the other settings.
const std::set<std::string>& idle_keys() {
  static const std::set<std::string> keys = {
      "type",
      "version",
      "special-vocab",
      "bert-train-type-embeddings",
      "bert-type-vocab-size",
      "char-conv-filters-num",
      "char-conv-filters-widths",
      "char-highway",
      "char-stride",
      "factors-combine",
      "factors-dim-emb",
      "lemma-dependency",
      "separator-symbol",
      "transformer-alibi-shift",
      "transformer-alibi-trainable",
      "transformer-depth-scaling",
      "transformer-guided-alignment-layer",
      "ulr-dim-emb",
      "ulr-trainable-transformation",
      "original-type",
  };
  return keys;
}

}  // namespace

Json MarianSettingsReader::get(const std::string& key, const Json& otherwise) {
  read_.insert(key);
  return setting(settings_, key, otherwise);
}

int64_t MarianSettingsReader::count(const std::string& key, int64_t otherwise) {
  const Json found = get(key, otherwise);
  if (!found.is_number_integer()) problems_.expect(key, found, {"a whole number"});
  return found.is_number_integer() ? found.get<int64_t>() : 0;
}

int64_t MarianSettingsReader::size(const std::string& key, int64_t otherwise) {
  const int64_t found = count(key, otherwise);
  const IntRange range = otherwise == 0 ? kWidthsOrNone : kWidths;
  if (contains(range, found)) return found;
  problems_.add(
      fmt::format("{}: found {}, expected a whole number {}", key, found, range_text(range)));
  return std::max<int64_t>(otherwise, 1);
}

bool MarianSettingsReader::flag(const std::string& key) {
  const Json found = get(key, false);
  problems_.expect(key, found, {true, false, 0, 1});
  return is_set(found);
}

int64_t MarianSettingsReader::depth(const std::string& key, int64_t otherwise) {
  constexpr int64_t kMostLayers = 1000;
  const int64_t found = count(key, otherwise);
  if (found >= 1 && found <= kMostLayers) return found;
  problems_.add(fmt::format("{}: found {}, expected 1 to {}", key, found, kMostLayers));
  return 0;
}

void MarianSettingsReader::require(const std::string& key, std::initializer_list<Json> expected,
                                   const Json& otherwise) {
  problems_.expect(key, get(key, otherwise), expected);
}

void MarianSettingsReader::require_plain() {
  for (const char* key : {"ulr", "right-left", "input-join-fields"})
    problems_.expect(key, flag(key), {false});
  require("lemma-dim-emb", {0}, 0);
  for (const char* key : {"input-types", "output-approx-knn", "input-reorder"})
    require(key, {Json::array()}, Json::array());
}

void MarianSettingsReader::read_tables(MarianTables& tables) {
  const bool all = flag("tied-embeddings-all"), output = flag("tied-embeddings"),
             inputs = flag("tied-embeddings-src");
  tables.tie = all || (output && inputs) ? "all" : output ? "target" : inputs ? "inputs" : "none";
  tables.bias = !flag("output-omit-bias");
  tables.width = size("dim-emb", 512);
  known({"dim-vocabs"});
}

void MarianSettingsReader::warn_of_rest(const std::string& ignored) const {
  std::vector<std::string> rest;
  for (const auto& [key, value] : settings_.items()) {
    if (!read_.contains(key) && !idle_keys().contains(key) && !key.starts_with(ignored))
      rest.push_back(fmt::format("{} ({})", key, value.dump()));
  }
  if (!rest.empty())
    spdlog::warn("{}: settings that heed does not know: {}; check that translations are the same",
                 "special:model.yml", fmt::join(rest, ", "));
}

}  // namespace heed
