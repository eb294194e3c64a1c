// Models that are loaded when a request needs them.
#include "serve/served_models.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "base/error.h"
#include "serve/small_server.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

// Counts and delays the loading of models of 100 bytes.
struct Loads {
  std::atomic<int> count = 0;
  std::atomic<bool> may_end = true, has_begun = false;
  std::vector<std::string> names;  // in the order of loading, which one thread does
};

UnloadedModel unloaded(const std::string& name, SmallServer& server, Loads& loads,
                       const std::string& version = "1") {
  return {.name = name,
          .pairs = language_pairs(name, {}),
          .facts = {{"name", name}},
          .bytes = 100,
          .version = version,
          .load = [name, &server, &loads] {
            loads.has_begun = true;
            while (!loads.may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (name == "broken") throw Error(ErrorKind::kModel, "/srv/broken: is cut");
            ++loads.count;
            loads.names.push_back(name);
            return small_model(name, server.line_memory(), {});
          }};
}

int status_of(const SmallServer& server, const std::string& model) {
  return server.post({{"text", "a"}, {"model", model}}).status;
}

bool is_loaded(const SmallServer& server, size_t number) {
  return server.ask("GET", "/models").json()["models"][number]["loaded"];
}

TEST(ModelsOnUse, AreLoadedOnceAndDroppedForOthers) {
  Loads loads;
  SmallServer server(SmallServerOptions{.models = {}, .model_memory = 200});
  server.models().offer(
      {unloaded("a", server, loads), unloaded("b", server, loads), unloaded("c", server, loads)});
  EXPECT_FALSE(is_loaded(server, 0));
  for (const char* name : {"a", "b", "a", "c"}) EXPECT_EQ(status_of(server, name), 200);
  // b was used before a.
  EXPECT_TRUE(is_loaded(server, 0));
  EXPECT_FALSE(is_loaded(server, 1));
  EXPECT_EQ(server.models().loaded_bytes(), 200);
  EXPECT_EQ(status_of(server, "b"), 200);
  EXPECT_FALSE(is_loaded(server, 0));
  EXPECT_THAT(loads.names, ElementsAre("a", "b", "c", "b"));
  EXPECT_EQ(status_of(server, "d"), 404);
  EXPECT_EQ(server.post({{"text", "a"}}).status, 400);  // no model is named
}

TEST(ModelsOnUse, DoNotMakeOthersWait) {
  Loads loads;
  SmallServer server(SmallServerOptions{.models = {"toy"}});
  server.models().offer({unloaded("slow", server, loads)});
  loads.may_end = false;
  std::atomic<int> status = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i)
    clients.emplace_back([&] { EXPECT_EQ(status_of(server, "slow"), 200); });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(status_of(server, "toy"), 200);
  EXPECT_EQ(loads.count, 0);
  loads.may_end = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(loads.count, 1);
}

TEST(ModelsOnUse, OfAPivotAreLoadedTogether) {
  Loads loads;
  // There is room for one: a request keeps those that it needs.
  SmallServer server(SmallServerOptions{.models = {}, .model_memory = 100});
  server.models().offer({unloaded("de-en", server, loads), unloaded("en-fr", server, loads),
                         unloaded("en-de", server, loads)});
  const json answer = server.post({{"q", "a"}, {"source", "de"}, {"target", "fr"}}).json();
  EXPECT_EQ(answer["pivotLanguage"], "en") << answer;
  EXPECT_THAT(loads.names, ElementsAre("de-en", "en-fr"));
  EXPECT_EQ(server.post({{"q", "a"}, {"source", "en"}, {"target", "de"}}).status, 200);
  EXPECT_EQ(server.models().loaded_bytes(), 100);
}

TEST(ModelsOnUse, OfOneRequestFitIntoTheMemory) {
  Loads loads;
  SmallServer server(SmallServerOptions{.models = {}, .model_memory = 250});
  server.models().offer({unloaded("de-en", server, loads), unloaded("fr-en", server, loads),
                         unloaded("es-en", server, loads)});
  const std::string german = "Der Hund schläft heute den ganzen Tag im Garten.",
                    french = "Le chien dort toute la journée dans le jardin.",
                    spanish = "El perro duerme todo el día en el jardín.";
  const auto status = [&](const std::vector<std::string>& texts) {
    return server.post({{"text", texts}, {"target_lang", "EN"}}, "/v2/translate").status;
  };
  EXPECT_EQ(status({german, french}), 200);
  EXPECT_EQ(status({spanish}), 200);
  server.expect_error({{"text", {german, french, spanish}}, {"target_lang", "EN"}}, 422,
                      "need 3 models or more, which do not fit into memory together",
                      "/v2/translate");
  EXPECT_LE(server.models().loaded_bytes(), 250);
}

// Attention maps of 70 bytes.
struct ToyMaps final : AttentionMapsSource {
  explicit ToyMaps(std::atomic<int>& count) : living(count) { ++living; }
  ~ToyMaps() override { --living; }
  std::vector<AttentionMap> maps(const SourceLine&, const std::string&) const override {
    return {};
  }
  int64_t bytes() const override { return 70; }
  std::atomic<int>& living;
};

TEST(ModelsOnUse, CountTheirAttentionMapsAndDropThem) {
  Loads loads;
  std::atomic<int> living = 0;
  SmallServer server(SmallServerOptions{.models = {}, .model_memory = 250});
  const auto with_maps = [&](const std::string& name) {
    UnloadedModel model = unloaded(name, server, loads);
    model.load = [&living, load = model.load] {
      ServedModel loaded = load();
      loaded.attention = std::make_unique<AttentionMapsOnUse>(
          [&living] { return std::make_unique<ToyMaps>(living); });
      return loaded;
    };
    return model;
  };
  server.models().offer({with_maps("a"), with_maps("b"), with_maps("c")});
  EXPECT_EQ(server.post({{"text", "a"}, {"model", "a"}}, "/attention").status, 200);
  EXPECT_EQ(server.models().loaded_bytes(), 170);
  EXPECT_EQ(living, 1);
  EXPECT_EQ(status_of(server, "b"), 200);  // takes the place of a
  EXPECT_EQ(server.models().loaded_bytes(), 100);
  EXPECT_EQ(living, 0);
}

TEST(ModelsOnUse, ThatAreBrokenAreNamed) {
  Loads loads;
  SmallServer server(SmallServerOptions{.models = {}});
  server.models().offer({unloaded("broken", server, loads), unloaded("a", server, loads)});
  const HttpAnswer answer = server.post({{"text", "a"}, {"model", "broken"}});
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr("broken: the model cannot be loaded; the log says why"));
  EXPECT_THAT(answer.body, testing::Not(HasSubstr("/srv")));
  EXPECT_EQ(status_of(server, "a"), 200);
}

TEST(ModelsOnUse, ChangeWithTheirFiles) {
  Loads loads;
  SmallServer server(SmallServerOptions{.models = {"toy"}});
  server.models().offer({unloaded("a", server, loads), unloaded("b", server, loads)});
  for (const char* name : {"a", "b"}) EXPECT_EQ(status_of(server, name), 200);
  // a is the same, b has changed, c is new.
  server.models().offer({unloaded("a", server, loads), unloaded("b", server, loads, "2"),
                         unloaded("c", server, loads)});
  for (const char* name : {"a", "b", "c", "toy"}) EXPECT_EQ(status_of(server, name), 200);
  EXPECT_THAT(loads.names, ElementsAre("a", "b", "b", "c"));
  server.models().offer({unloaded("c", server, loads)});
  EXPECT_EQ(status_of(server, "a"), 404);
  for (const char* name : {"c", "toy"}) EXPECT_EQ(status_of(server, name), 200);
}

TEST(ModelsOnUse, AreGivenUpWhenTheTimeIsOver) {
  Loads loads;
  SmallServer server(
      SmallServerOptions{.limits = {.time = std::chrono::milliseconds(20)}, .models = {}});
  server.models().offer({unloaded("a", server, loads), unloaded("b", server, loads)});
  loads.may_end = false;
  std::thread first([&] { EXPECT_THAT(status_of(server, "a"), testing::AnyOf(200, 504)); });
  while (!loads.has_begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::thread second([&] { EXPECT_EQ(status_of(server, "b"), 504); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  loads.may_end = true;
  first.join();
  second.join();
}

}  // namespace
}  // namespace heed
