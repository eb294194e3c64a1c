#include "nn/attention/episodic_config.h"

#include "base/error.h"
#include "config/sizes.h"
#include "nn/attention/stage_config.h"

namespace heed {

void EpisodicConfig::fields(Fields& f) {
  static const Words<Features> feature_words = {{"four", Features::kFour},
                                                {"nine", Features::kNine}};
  static const Words<Gate> gates = {{"softmax", Gate::kSoftmax}, {"sigmoid", Gate::kSigmoid}};
  static const Words<Episode> episodes = {{"attention_gru", Episode::kAttentionGru},
                                          {"gated_gru", Episode::kGatedGru},
                                          {"soft_sum", Episode::kSoftSum}};
  static const Words<Update> updates = {{"relu", Update::kRelu}, {"gru", Update::kGru}};
  f.field("passes", passes, kRounds, "passes over the facts");
  f.choice("features", features, feature_words,
           "features of fact, question and memory: four, products and distances (Xiong 2016), or "
           "nine, also the three vectors and two bilinear products (Kumar 2016)");
  f.field("hidden", hidden, kWidthsOrNone,
          "width of the hidden layer of the gate; 0: the width of the query");
  f.choice("gate", gate, gates,
           "softmax over the facts (Xiong 2016), or sigmoid of each fact (Kumar 2016)");
  f.choice("episode", episode, episodes,
           "episode of a pass: last state of a GRU whose update gate is the gate, last state of a "
           "GRU whose steps are gated (Kumar 2016), or weighted sum of the facts");
  f.choice("update", update, updates,
           "next memory: ReLU layer of memory, episode and question (Xiong 2016), or GRU of memory "
           "and episode (Kumar 2016)");
  f.field("shared", shared, "share the parameters of the memory update of all passes");
}

void EpisodicConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.source.key != dims.query) {
    problems.add("", fmt::format("episodic multiplies the features of a fact, of width {}, with "
                                 "those of the query, of width {}: make them equal",
                                 dims.source.key, dims.query));
  }
  if (episode != Episode::kSoftSum && !dims.source.ordered) {
    problems.add("episode", fmt::format("the GRU of an episode reads the facts in order, which the "
                                        "rows of model.join do not have: use soft_sum"));
  }
}

namespace kinds {
Kind<AttentionConfig> episodic() {
  return kind<EpisodicConfig, AttentionConfig>(
      "episodic",
      "passes over facts with a memory (dynamic memory network; Kumar 2016, Xiong 2016)");
}
}  // namespace kinds

}  // namespace heed
