#include "run/attention_pages.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/suggest.h"
#include "config/outline.h"
#include "config/peer_names.h"
#include "config/reader.h"
#include "config/synonyms.h"
#include "nn/attention/staged_config.h"
#include "run/run_config.h"

namespace heed {

namespace {

struct AnyAttention final : Settings {
  std::shared_ptr<AttentionConfig> attention = std::make_shared<StagedConfig>();
  void fields(Fields& f) override { f.one_of("attention", attention, attentions(), "attention"); }
};

// A key of an attention whose values are in one table, and the heading of the table.
struct Table {
  const char* key;
  const char* heading;
};
constexpr Table kTables[] = {
    {"score", "Scores of a query and a key"},
    {"terms", "Terms: restrict the mask, are added to the scores, or rescale the weights"},
    {"normalizer", "Normalizers: from scores to weights"},
    {"read", "Read-outs: from weights and values to the context vector"},
    {"head_combination", "Combinations of heads"},
    {"attention", "Types of attention"},
};

// Topics outside the tables: name → description, and how to configure it.
constexpr const char* kNotesHeading = "Around attention";
const std::map<std::string, std::string>& notes() {
  static const std::map<std::string, std::string> notes = {
      {"padding", "always on: positions behind the end of a sentence have weight 0"},
      {"causal",
       "always on in the self_attention of a decoder: no position attends to a later one"},
      {"deep_context",
       "attention with the state of the first decoder layer, whose context vector is an input of "
       "every layer above it (GNMT, Wu 2016): model.decoder.deep_context: true"},
      {"disan",
       "directional multi_dim attention with fusion gates as an encoder (Shen 2018): encoder: "
       "disan"},
      {"self_attentive",
       "self-attentive pooling of the encoder states to a few rows (Lin 2017, Shen 2018): "
       "model.join: {type: self_attentive, pool: rows}; pool: source2token and max give one row"},
      {"key_value",
       "attention of a recurrent decoder over its previous states, split into key and value "
       "(Daniluk 2017): model.decoder.past: {parts: key_value}"},
      {"key_value_predict",
       "attention of a recurrent decoder over its previous states, split into key, value and "
       "prediction (Daniluk 2017): model.decoder.past: {parts: key_value_predict}"},
      {"conditional",
       "attention with the state after the first of two cells, whose context vector is the input "
       "of the second (conditional GRU, Firat 2016, Sennrich 2017): model.decoder.attend: "
       "conditional"},
      {"co_attention",
       "two sources attend to each other before the decoder reads them (Parikh 2016): model.join: "
       "co_attention"},
      {"alternating_co_attention",
       "the summary of one source guides the attention over the other, and back (Lu 2016): "
       "model.join: alternating_co_attention"},
      {"parallel_co_attention",
       "summaries of two sources by their affinity matrix (Lu 2016): model.join: "
       "parallel_co_attention"},
      {"attentive_pooling",
       "summaries of two sources by the greatest affinity of each position to the other (dos "
       "Santos "
       "2016): model.join: attentive_pooling"},
      {"attention_flow",
       "context-to-query and query-to-context attention of two sources (BiDAF, Seo 2017): "
       "model.join: attention_flow"},
      {"intra_attention",
       "attention of word embeddings to each other, with a bias for each distance (Parikh 2016): "
       "encoder: {type: embeddings, intra_attention: {}}"},
      {"gat",
       "graph attention network over the edges of a sentence (Veličković 2018): encoder: graph"},
      {"basic",
       "initial decoder state from several sources by a projection (Zoph 2016): model.join: basic"},
      {"child_sum",
       "initial decoder state from several sources by a child-sum LSTM (Zoph 2016): model.join: "
       "child_sum"},
      {"hierarchical",
       "words to sentence vectors, sentence vectors to a document (Yang 2016): encoder: "
       "hierarchical; terms: [chunks] combines the weights of words and sentences"},
      {"pointer_generator",
       "copies source words by attention (See 2017): model.output: pointer_generator; also copynet "
       "(Gu 2016), pointer (Vinyals 2015) and pointer_sum (Kadlec 2016)"},
      {"multi_step",
       "attention in every layer, over values z + e (Gehring 2017): decoder: convolution with "
       "encoder: convolution"},
  };
  return notes;
}

struct Mechanism {
  const Table* table;
  KindOutline kind;
  std::vector<std::string> words;  // values of its keys: `predictive`, `performer`
  // The kinds under each key: "reinforce: REINFORCE with a baseline (Xu 2015); keys: weight"
  std::map<std::string, std::vector<std::string>> kinds;
};

// A place of an attention. The widths are arbitrary but have to agree.
struct Where {
  const char* name;
  Place place;
  bool in_block;
};
constexpr Where kPlaces[] = {
    {"self_attention of an encoder", Place::kEncoderSelf, true},
    {"self_attention of a decoder", Place::kDecoderSelf, true},
    {"attention of a Transformer over its source", Place::kCross, true},
    {"attention of a recurrent or convolutional decoder", Place::kCross, false},
};

// Dimensions at a place. several: the attention reads two sources. Cross-attention also has
// sentence vectors.
AttentionDims dims_of(const Where& where, bool several) {
  constexpr int64_t kWidth = 64;
  AttentionDims dims{.place = where.place,
                     .query = kWidth,
                     .source = {.key = kWidth, .value = kWidth},
                     .block = where.in_block ? kWidth : 0};
  if (where.place != Place::kCross) return dims;
  dims.source.chunk = kWidth;
  if (several) dims.sources = {{"document", {kWidth, kWidth}}, {"query", {kWidth, kWidth}}};
  return dims;
}

struct Reasons final : Problems {
  std::vector<std::string> list;
  void add(const std::string&, const std::string& message) override {
    if (std::find(list.begin(), list.end(), message) == list.end()) list.push_back(message);
  }
  bool is_set(const std::string&) const override { return false; }
};

std::string yaml_of(const std::vector<const Mechanism*>& parts) {
  std::vector<std::string> entries;
  for (const Mechanism* part : parts) {
    const std::string key = part->table->key, &name = part->kind.name;
    if (key == "attention") return name;
    entries.push_back(key == "terms" ? fmt::format("terms: [{}]", name)
                                     : fmt::format("{}: {}", key, name));
  }
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

// Reason why the config reader refuses these mechanisms together at a place; "" if it accepts them,
// with one head or with two.
std::string refusal(const std::vector<const Mechanism*>& parts, const Where& where) {
  AnyAttention any;
  read_config_text(fmt::format("{{attention: {}}}", yaml_of(parts)), "attention", any);
  const auto reasons_with = [&](int64_t heads) {
    if (auto* staged = dynamic_cast<StagedConfig*>(any.attention.get())) staged->heads = heads;
    Reasons reasons;
    any.attention->check(dims_of(where, any.attention->reads_several()), reasons);
    return fmt::format("{}", fmt::join(reasons.list, "; "));
  };
  const std::string reasons = reasons_with(1);
  return reasons.empty() ? reasons : reasons_with(2);
}

// The kinds under a key, except those listed in a table.
std::vector<KindOutline> kinds_under(const KeyOutline& key) {
  const auto is_of_key = [&](const Table& table) { return key.registry->title == table.key; };
  if (key.registry == nullptr || std::ranges::any_of(kTables, is_of_key)) return {};
  return key.registry->kinds;
}

// Values of the keys of a kind, and names of the kinds under its keys.
std::vector<std::string> kind_words(const KindOutline& kind) {
  std::vector<std::string> words;
  for (const KeyOutline& key : kind.body.keys) {
    words.insert(words.end(), key.words.begin(), key.words.end());
    for (const KindOutline& inner : kinds_under(key)) words.push_back(inner.name);
  }
  return words;
}

// "; keys: weight, entropy"
std::string keys_of(const KindOutline& kind) {
  std::vector<std::string> names;
  for (const KeyOutline& key : kind.body.keys) names.push_back(key.name);
  return names.empty() ? "" : fmt::format("; keys: {}", fmt::join(names, ", "));
}

std::map<std::string, std::vector<std::string>> kinds_of(const KindOutline& kind) {
  std::map<std::string, std::vector<std::string>> lines;
  for (const KeyOutline& key : kind.body.keys) {
    for (const KindOutline& inner : kinds_under(key))
      lines[key.name].push_back(fmt::format("{}: {}{}", inner.name, inner.help, keys_of(inner)));
  }
  return lines;
}

std::vector<Mechanism> all_mechanisms() {
  AnyAttention any;
  const Outline outline(any);
  std::vector<Mechanism> list;
  for (const Table& table : kTables) {
    for (const RegistryOutline& registry : outline.registries()) {
      if (registry.title != table.key) continue;
      for (const KindOutline& kind : registry.kinds)
        list.push_back({&table, kind, kind_words(kind), kinds_of(kind)});
    }
  }
  return list;
}

// Mechanisms that work at a place alone but not together with `one`, with the reason.
std::vector<std::string> misfits(const Mechanism& one, const std::vector<Mechanism>& all) {
  std::vector<std::string> lines;
  if (std::string(one.table->key) == "attention") return lines;
  for (const Mechanism& other : all) {
    if (other.table == one.table || std::string(other.table->key) == "attention") continue;
    for (const Where& where : kPlaces) {
      if (!refusal({&one}, where).empty() || !refusal({&other}, where).empty()) continue;
      const std::string reason = refusal({&one, &other}, where);
      if (!reason.empty())
        lines.push_back(
            fmt::format("{}: {} in {}: {}", other.table->key, other.kind.name, where.name, reason));
    }
  }
  return lines;
}

std::string entry_of(const Mechanism& mechanism, const std::vector<Mechanism>& all) {
  std::string text =
      fmt::format("{}: {}\n  {}\n", mechanism.table->key, mechanism.kind.name, mechanism.kind.help);
  text += fmt::format("\n  in a config   attention: {}\n", yaml_of({&mechanism}));
  if (!mechanism.kind.body.keys.empty()) text += "\n  keys\n";
  for (const KeyOutline& key : mechanism.kind.body.keys) {
    text += fmt::format("    {:<16} {}\n", key.name, key.help);
    if (!key.type.empty())
      text += fmt::format("    {:<16} {}; default {}\n", "", key.type,
                          key.fallback == "~" ? "none" : key.fallback);
    const auto kinds = mechanism.kinds.find(key.name);
    if (kinds == mechanism.kinds.end()) continue;
    for (const std::string& line : kinds->second) text += fmt::format("    {:<16} {}\n", "", line);
  }
  text += "\n  where\n";
  for (const Where& where : kPlaces) {
    const std::string reason = refusal({&mechanism}, where);
    text += fmt::format("    {} {}{}\n", reason.empty() ? "yes" : "no ", where.name,
                        reason.empty() ? "" : ": " + reason);
  }
  const std::vector<std::string> without = misfits(mechanism, all);
  if (!without.empty()) text += "\n  not with\n";
  for (const std::string& line : without) text += "    " + line + "\n";
  return text;
}

std::string key_entry(const KeyOutline& key) {
  return fmt::format("attention: {{{}: …}}\n  {}\n", key.name, key.help);
}

// The keys of staged attention itself: heads, dropout, disagreement.
std::vector<KeyOutline> own_keys(const std::vector<Mechanism>& all) {
  for (const Mechanism& mechanism : all) {
    if (mechanism.kind.name == "staged") return mechanism.kind.body.keys;
  }
  return {};
}

bool has_word(const Mechanism& mechanism, const std::string& word) {
  return std::ranges::find(mechanism.words, word) != mechanism.words.end();
}

std::vector<std::string> all_names(const std::vector<Mechanism>& all) {
  std::vector<std::string> names;
  for (const Mechanism& mechanism : all) {
    names.push_back(mechanism.kind.name);
    names.insert(names.end(), mechanism.words.begin(), mechanism.words.end());
  }
  for (const KeyOutline& key : own_keys(all)) names.push_back(key.name);
  for (const auto& [name, note] : notes()) names.push_back(name);
  return names;
}

// All entries of a name: mechanisms and notes with this name, then a key of attention itself, then
// mechanisms whose keys have it as a value.
std::string entries_of(const std::string& name, const std::vector<Mechanism>& all) {
  std::vector<std::string> entries;
  for (const Mechanism& mechanism : all) {
    if (mechanism.kind.name == name) entries.push_back(entry_of(mechanism, all));
  }
  const auto note = notes().find(name);
  if (note != notes().end()) entries.push_back(fmt::format("{}\n  {}\n", name, note->second));
  for (const KeyOutline& key : own_keys(all)) {
    if (key.name == name) entries.push_back(key_entry(key));
  }
  for (const Mechanism& mechanism : all) {
    if (mechanism.kind.name != name && has_word(mechanism, name))
      entries.push_back(entry_of(mechanism, all));
  }
  return fmt::format("{}", fmt::join(entries, "\n"));
}

// Spellings of "Multi-Head Attention": unchanged, multi_head_attention, multi_head.
std::vector<std::string> spellings(const std::string& name) {
  constexpr std::string_view kEnd = "_attention";
  std::vector<std::string> words = {name, canonical_word(name)};
  const std::string word = words.back();
  if (word.ends_with(kEnd)) words.push_back(word.substr(0, word.size() - kEnd.size()));
  return words;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string attention_list() {
  const std::vector<Mechanism> all = all_mechanisms();
  std::string text;
  for (const Table& table : kTables) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", table.heading);
    for (const Mechanism& mechanism : all) {
      if (mechanism.table != &table) continue;
      text += fmt::format("  {:<16} {}\n", mechanism.kind.name, mechanism.kind.help);
    }
  }
  text += fmt::format("\n{}\n", kNotesHeading);
  for (const auto& [name, note] : notes()) text += fmt::format("  {:<16} {}\n", name, note);
  return text + "\n`heed attention show NAME` describes one of them.\n";
}

namespace {

// The entries of what a key of another toolkit is here, if that belongs to an attention; else "".
std::string entries_of_peers(const std::string& name, const KeyPaths& paths,
                             const std::vector<Mechanism>& all) {
  for (const PeerMeaning& meaning : peer_meanings(name, paths)) {
    std::string entries;
    for (const std::string& value : meaning.values) {
      if (entries.empty() && !value.empty()) entries = entries_of(value, all);
    }
    if (entries.empty() && meaning.path.find("attention") != std::string::npos)
      entries = entries_of(meaning.last_key(), all);
    if (!entries.empty())
      return fmt::format("{}{}\n\n{}", name, meant_by_peers(name, paths, {}), entries);
  }
  return "";
}

}  // namespace

std::string attention_entry(const std::string& name) {
  const std::vector<Mechanism> all = all_mechanisms();
  const Synonym* elsewhere = nullptr;  // meaning of the word outside attention
  for (const std::string& word : spellings(name)) {
    const std::string entries = entries_of(word, all);
    if (!entries.empty()) return entries;
    const Synonym* synonym = find_synonym(word);
    if (synonym != nullptr && *synonym->mechanism != '\0')
      return fmt::format("{}: {} is {}\n\n{}", name, synonym->what, synonym->here,
                         entries_of(synonym->mechanism, all));
    if (elsewhere == nullptr) elsewhere = synonym;
  }
  const RunConfig config;
  const Outline outline(config);
  const KeyPaths paths(outline);
  if (std::string entries = entries_of_peers(name, paths, all); !entries.empty()) return entries;
  std::string hint = elsewhere != nullptr
                         ? fmt::format("; {} is {}", elsewhere->what, elsewhere->here)
                         : meant_by_peers(name, paths, {});
  if (hint.empty()) hint = did_you_mean(canonical_word(name), all_names(all));
  throw_error(ErrorKind::kUsage,
              "'{}' is not an attention mechanism{}; `heed attention list` lists all", name, hint);
}

std::string attention_reference() {
  const std::vector<Mechanism> all = all_mechanisms();
  std::string text =
      "# Attention mechanisms\n\nGenerated by `heed attention reference`; `heed attention show "
      "NAME` prints one entry in the terminal.\n\nAn attention consists of a score, any number of "
      "terms, a normalizer and a read-out:\n`attention: {score: additive, terms: [{type: window, "
      "radius: 5}], normalizer: softmax, heads: 1}`.\nThe last three columns: whether it can be "
      "used in the `self_attention` of an encoder, in the `self_attention` of\na decoder, and in "
      "`decoder.attention`, over the source. The reasons for each `no` are listed below the "
      "table.\n";
  for (const Table& table : kTables) {
    text += fmt::format(
        "\n## {}\n\n| `{}:` | what it is | keys | encoder | decoder | source |\n"
        "|---|---|---|---|---|---|\n",
        table.heading, table.key);
    std::vector<std::string> refused;
    const auto refuse = [&refused](const std::string& line) {
      if (std::find(refused.begin(), refused.end(), line) == refused.end()) refused.push_back(line);
    };
    for (const Mechanism& mechanism : all) {
      if (mechanism.table != &table) continue;
      std::vector<std::string> keys;
      for (const KeyOutline& key : mechanism.kind.body.keys) keys.push_back("`" + key.name + "`");
      text += fmt::format("| `{}` | {} | {} |", mechanism.kind.name, escaped(mechanism.kind.help),
                          fmt::join(keys, ", "));
      for (const Where& where : {kPlaces[0], kPlaces[1], kPlaces[2]}) {
        const std::string reason = refusal({&mechanism}, where);
        text += reason.empty() ? " yes |" : " no |";
        if (!reason.empty()) refuse(fmt::format("`{}`: {}", mechanism.kind.name, reason));
      }
      text += "\n";
      for (const std::string& line : misfits(mechanism, all))
        refuse(fmt::format("`{}` with {}", mechanism.kind.name, line));
    }
    for (const std::string& line : refused)
      text += fmt::format("{}- {}\n", &line == &refused.front() ? "\n" : "", line);
  }
  text += fmt::format("\n## {}\n\n", kNotesHeading);
  for (const auto& [name, note] : notes()) text += fmt::format("- `{}`: {}\n", name, note);
  return text;
}

}  // namespace heed
