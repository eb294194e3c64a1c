// The recipes in configs/ whose models are computed without libtorch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "network/engine_comparison.h"

namespace heed {
namespace {

// The key `section` of a config and what is below it.
std::string section_of(const std::string& yaml, const std::string& section) {
  std::string text;
  bool inside = false;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ' && line[0] != '#') inside = line.starts_with(section + ":");
    if (inside) text += line + "\n";
  }
  return text;
}

struct WholeModel final : Settings {
  ModelConfig model;
  void fields(Fields& f) override { f.section("model", model, "the model"); }
};

SavedModelConfig model_of_recipe(const std::filesystem::path& path) {
  const std::string yaml = read_plainly(path);
  WholeModel whole;
  read_config_text(section_of(yaml, "model"), path.string(), whole);
  SavedModelConfig config;
  config.model = whole.model;
  config.sources = whole.model.sources();
  if (section_of(yaml, "data").find("tag: ") != std::string::npos) config.tags = {"de", "fr"};
  return config;
}

TEST(Recipes, RunWithoutLibtorchIfTheyAreListed) {
  std::set<std::string> with_engine;
  const char* folder = std::getenv("HEED_SOURCE");
  ASSERT_NE(folder, nullptr);
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(folder) / "configs")) {
    if (entry.path().extension() == ".yaml" && engine_shape(model_of_recipe(entry.path())))
      with_engine.insert(entry.path().stem().string());
  }
  EXPECT_EQ(with_engine, (std::set<std::string>{"bbc-news",
                                                "cloze",
                                                "demo",
                                                "distill-demo",
                                                "distill-tatoeba",
                                                "distill-tatoeba-teacher",
                                                "g2p",
                                                "headlines-copynet",
                                                "headlines-pointer-generator",
                                                "headlines-pointer-generator-coverage",
                                                "headlines-rnn",
                                                "headlines-transformer-pointer",
                                                "hull",
                                                "inflection",
                                                "inflection-hard-monotonic",
                                                "multi30k-multilingual",
                                                "multi30k-rnn-bahdanau",
                                                "multi30k-rnn-luong",
                                                "multi30k-transformer",
                                                "multi30k-two-sources",
                                                "multi30k-wait-k",
                                                "reuters-language-model",
                                                "reuters-r8",
                                                "scan",
                                                "sick",
                                                "sorting",
                                                "symbols-rnn-rnn",
                                                "symbols-rnn-transformer",
                                                "symbols-transformer-rnn",
                                                "symbols-transformer-transformer",
                                                "tatoeba-transformer",
                                                "unseen-words"}));
}

}  // namespace
}  // namespace heed
