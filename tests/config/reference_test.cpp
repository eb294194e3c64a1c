#include "config/reference.h"

#include <cctype>
#include <set>
#include <sstream>

#include "example.h"

namespace heed::example {
namespace {

struct DefaultsConfig final : Settings {
  std::shared_ptr<LayerConfig> layer;
  DefaultsConfig() {
    auto attention = make_kind<AttentionConfig>("attention");
    attention->heads = 4;
    layer = attention;
  }
  void fields(Fields& f) override { f.one_of("layer", layer, layers(), "the network"); }
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ConfigReference, HasARowForEveryKey) {
  RootConfig config;
  const std::string page = config_reference(config);
  for (
      const std::string row : {
          "| `run` | a path | **required** | where it goes |",
          "| `seed` | a whole number, at least 0 | `1` | of every draw |",
          "| `name` | a text | `\"a name\"` | any text |",
          "| `note` | a text, or ~ for none | none | more text |",
          "| `pause` | a time such as 90s, 45m, 2h or 1d | `90s` | between two looks |",
          "| `sides` | list of texts | `[source]` | names |",
          "| `train` | list of [settings](#train) | `[]` | what is learned from |",
          "| `valid` | [settings](#valid) | none | what is scored |",
          "| `test` | map from names to [settings](#testname) | `{}` | what is scored at the end |",
          "| `batch` | [settings](#batch), or the value of `tokens` |  | how much at once |",
          "| `tie` | none, target or all | `target` | what shares weights |",
          "| `dropout` | a number, at least 0 and below 1 | `0.1` | probability |",
          "| `layer` | [`attention`, `hops`](#kinds-of-layer) | `attention` | the network |",
          "| `extra` | [`additive`, `dot`](#kinds-of-score) | none | one more score |",
          "| `scorers` | map from names to [`additive`, `dot`](#kinds-of-score) | `{}` | by name |",
          "| `terms` | list of [`additive`, `dot`](#kinds-of-score) | `[]` | what is added to the "
          "scores |",
          "| `heads` | a whole number, from 1 to 64 | `8` | attentions side by side |",
      }) {
    EXPECT_TRUE(holds(page, row + "\n")) << row << "\n" << page;
  }
  for (const std::string heading :
       {"## `model`", "## `train[]`", "## `test.NAME`", "## Kinds of `layer`", "### `layer: hops`",
        "## Kinds of `score`", "### `score: dot`"}) {
    EXPECT_TRUE(holds(page, "\n" + heading + "\n")) << heading;
  }
}

// A heading's anchor: lower case, hyphens for spaces, no punctuation.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-') {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

TEST(ConfigReference, LinksToHeadingsThatExist) {
  RootConfig config;
  std::istringstream page(config_reference(config));
  std::set<std::string> anchors, links;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) {
      EXPECT_TRUE(anchors.insert(anchor_of(line.substr(line.find(' ') + 1))).second) << line;
    }
    for (size_t at = line.find("](#"); at != std::string::npos; at = line.find("](#", at + 1)) {
      links.insert(line.substr(at + 3, line.find(')', at) - at - 3));
    }
  }
  EXPECT_GE(links.size(), 7u);
  for (const std::string& link : links) EXPECT_TRUE(anchors.contains(link)) << link;
}

TEST(ConfigReference, LeavesTheSettingsAsTheyAre) {
  RootConfig config = read("valid: {source: a, target: b}\nmodel: {layer: {type: hops, count: 7}}");
  config_reference(config);
  EXPECT_EQ(config.valid->source, "a");
  EXPECT_EQ(dynamic_cast<const HopsConfig&>(*config.model.layer).count, 7);
  EXPECT_TRUE(config.train.empty());
  EXPECT_EQ(config.model.extra, nullptr);
}

TEST(ConfigReference, ShowsDefaultsThatDifferFromThoseOfTheKind) {
  DefaultsConfig config;
  EXPECT_TRUE(holds(config_reference(config), "| `{type: attention, heads: 4}` |"));
}

TEST(ConfigExplain, FindsAKeyByItsWholePathOrItsEnd) {
  RootConfig config;
  const std::string whole = explain_key(config, "model.layer.heads");
  EXPECT_EQ(whole,
            "model.layer.heads   (layer: attention)\n"
            "  attentions side by side\n"
            "  value:   a whole number, from 1 to 64\n"
            "  default: 8\n");
  EXPECT_EQ(explain_key(config, "heads"), whole);
  EXPECT_EQ(explain_key(config, "layer.heads"), whole);
}

TEST(ConfigExplain, ListsWhatIsInside) {
  RootConfig config;
  const std::string text = explain_key(config, "model.layer");
  EXPECT_TRUE(holds(text, "hops                 several looks")) << text;
  EXPECT_EQ(explain_key(config, "model.layer.type"), text);
  EXPECT_TRUE(holds(explain_key(config, "batch"), "sentences            of any length"));
}

TEST(ConfigExplain, ReachesIntoListsAndMaps) {
  RootConfig config;
  EXPECT_TRUE(explain_key(config, "train[3].source").starts_with("train.source\n  what is read\n"));
  EXPECT_TRUE(explain_key(config, "train.source").starts_with("train.source\n"));
  EXPECT_TRUE(explain_key(config, "test.flickr.weight").starts_with("test.NAME.weight\n"));
  EXPECT_TRUE(explain_key(config, "scorers.x.hidden")
                  .starts_with("scorers.NAME.hidden   (scorers: additive)\n"));
}

TEST(ConfigExplain, TakesTheWholePathBeforeItsEndAndAKeyBeforeAnyName) {
  RootConfig config;
  EXPECT_TRUE(
      explain_key(config, "scorers.source").starts_with("scorers.NAME\n"));  // no test.NAME.source
  EXPECT_TRUE(explain_key(config, "train.target").starts_with("train.target\n"));
  EXPECT_TRUE(explain_key(config, "layer.heads").starts_with("model.layer.heads   "));
}

TEST(ConfigExplain, ExplainsAKindByItsName) {
  RootConfig config;
  EXPECT_EQ(explain_key(config, "additive"),
            "score: additive\n"
            "  a hidden layer (Bahdanau 2015)\n"
            "    hidden               width of the projections\n");
}

TEST(ConfigExplain, NamesEachPlaceOnce) {
  RootConfig config;
  std::istringstream text(explain_key(config, "hidden"));
  std::set<std::string> lines;
  for (std::string line; std::getline(text, line);) EXPECT_TRUE(lines.insert(line).second) << line;
}

TEST(ConfigExplain, SaysAtHowManyPlacesAKeyOfAKindStands) {
  RootConfig config;
  const std::string text = explain_key(config, "hidden");
  EXPECT_TRUE(holds(text, "  also at: ")) << text;
}

TEST(ConfigExplain, RefusesWhatIsUnknownOrMayBeSeveral) {
  RootConfig config;
  const auto message = [&config](const std::string& key) -> std::string {
    try {
      explain_key(config, key);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(message("haeds"), "there is no key 'haeds'; did you mean 'heads'?");
  EXPECT_EQ(message("model.layr.heads"),
            "there is no key 'model.layr.heads'; did you mean 'model.layer.heads'?");
  EXPECT_EQ(message("train.weig"),
            "there is no key 'train.weig'; keys that begin with it: train.weight");
  EXPECT_EQ(message("sc"),
            "there is no key 'sc'; keys that begin with it: scale, scaled, score, scorers");
  EXPECT_EQ(message("xyzzy"), "there is no key 'xyzzy'");
  EXPECT_EQ(message("source"), "nothing was thrown") << "all that end so";
  for (const char* path : {"train.source", "valid.source", "test.NAME.source"})
    EXPECT_NE(explain_key(config, "source").find(path), std::string::npos) << path;
  EXPECT_TRUE(message("").starts_with("there is no key ''"));
}

}  // namespace
}  // namespace heed::example
