// Mistakes in configs of several sources, tags, source factors, alignments, supporting facts, phases
// and language models. Each test names the settings that do not fit and the message.
#include <gmock/gmock.h>

#include "run/checked_config.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class KindsOfConfig : public CheckedConfig {
 protected:
  struct Row {
    Texts set;
    std::string part;
  };
  static void expect_mistakes(const std::string& config, const std::vector<Row>& rows) {
    write("c.yaml", config);
    EXPECT_EQ(mistakes(), "");
    for (const auto& [set, part] : rows) EXPECT_THAT(mistakes(set), HasSubstr(part));
  }
};

TEST_F(KindsOfConfig, OfSeveralSources) {
  expect_mistakes(
      "run: r\n"
      "data: {train: [{source: {text: train.src, hint: train.src}, target: train.tgt}]}\n"
      "text: {text: words, hint: words, target: {share: text}}\n"
      "model:\n"
      "  encoders: {text: {type: rnn, cell: gru, width: 16}, hint: {type: rnn, cell: gru, width: "
      "16}}\n"
      "  join: basic\n"
      "  decoder: {type: rnn, cell: gru, width: 16, attention: multi_source}\n"
      "train: {max_updates: 1}\n",
      {{{"data.valid={source: valid.src, target: valid.tgt}"},
        "data.valid.source: has source, but train[0] has hint, text"},
       {{"model.encoders={text: rnn}"},
        "model.encoders: are those of text, but data.train has the sources hint, text"},
       {{"model.encoders={text: rnn, hint: {type: shared, with: texts}}"},
        "model.encoders.hint.with: there is no encoder of 'texts'"},
       {{"model.decoder.attention={score: dot}"}, "type: multi_source"},
       {{"model.decoder.attention={type: one_source, source: texts}"},
        "'texts' is not one of hint, text; did you mean 'text'?"},
       {{"text={source: words, target: words}"}, "unknown source; there are hint, text and target"},
       {{"model.encoder=rnn"}, "model.encoder: unknown key; did you mean 'encoders'?"},
       {{"model.encoders={text: hierarchical, hint: {type: shared, with: text}}",
         "text.text.marker='|'"},
        "text.hint: has no `marker`, which the hierarchical encoder of hint"},
       {{"model.decoder.bridge_from=title"}, "there is no source 'title'"},
       {{"model.join=child_sum"}, "use basic"},
       {{"data.train=[{source: {target: train.src}, target: train.tgt}]"},
        "is not allowed as the name of a source"}});
}

TEST_F(KindsOfConfig, OfOneSourceThatIsReadAsIfThereWereMore) {
  for (const std::string attention :
       {"one_source", "{type: one_source, source: x}", "{type: multi_source, combine: parallel}"})
    EXPECT_THAT(mistakes({"model.decoder.attention=" + attention}),
                HasSubstr("needs several sources, and there is one"));
}

TEST_F(KindsOfConfig, OfTags) {
  expect_mistakes(
      "run: r\n"
      "data:\n"
      "  train:\n"
      "    - {source: train.src, target: train.tgt, tag: same}\n"
      "    - {source: train.src, target: train.tgt, tag: back}\n"
      "  valid:\n"
      "    - {source: valid.src, target: valid.tgt, tag: same}\n"
      "    - {source: valid.src, target: valid.tgt, tag: back}\n"
      "text: {source: words, target: {share: source}}\n"
      "model: {decoder: {type: rnn, attention: {type: task_specific, attention: {score: dot}}}}\n"
      "train: {max_updates: 1}\n",
      {{{"data.valid[1].tag=beck"},
        "data.valid[1].tag: no corpus of train has this tag: 'beck' is not one of back, same; did "
        "you mean 'back'?"},
       {{"data.valid={source: valid.src, target: valid.tgt}"}, "data.valid: has no tag"},
       {{"data.train=[{source: train.src, target: train.tgt}]"},
        "data.train[0]: has no `tag`, but an attention of the model"},
       {{"model.decoder.attention={score: dot}", "model.embedding.tag=none"},
        "model.embedding.tag: is none, and no attention is task_specific"},
       {{"model={decoder: {type: transformer, self_attention: task_specific}}"},
        "use it over the source, or in the encoder's self_attention"},
       {{"model.encoder={type: hierarchical, word_encoder: {type: transformer, self_attention: "
         "task_specific}}"},
        "tags belong to the whole text"}});
}

TEST_F(KindsOfConfig, OfSourceFactors) {
  write("form", "");
  expect_mistakes(
      "run: r\n"
      "data:\n"
      "  train: [{source: train.src, target: train.tgt, factors: {form: form}}]\n"
      "  valid: {source: valid.src, target: valid.tgt, factors: {form: form}}\n"
      "text: {source: words, target: words}\n"
      "model: {embedding: {width: 32, source_factors: {form: {width: 8}}}}\n"
      "train: {max_updates: 1}\n",
      {{{"model.embedding.source_factors={}"},
        "data.train[0].factors.form: is not a factor of model.embedding"},
       {{"model.embedding.source_factors={form: {width: 8}, pos: {width: 8}}"},
        "model.embedding.source_factors.pos: data.train[0] has no labels for it"},
       {{"data.valid={source: valid.src, target: valid.tgt}"},
        "has nothing, but train[0] has form"},
       {{"data.train[0].factors.form=no.such"}, "there is no file"},
       {{"data.train[0].factors=form"}, "expected a map"},
       {{"model.embedding.source_factors={form: {}}"}, "form.width: is missing"}});
}

TEST_F(KindsOfConfig, OfGuidedAlignment) {
  write("links", "");
  expect_mistakes(
      "run: r\n"
      "data: {train: [{source: train.src, target: train.tgt, alignment: links}]}\n"
      "text: {source: words, target: {share: source}}\n"
      "model: {decoder: {type: rnn, attend: before, attention: {score: additive}}}\n"
      "train: {max_updates: 1, guided_alignment: {weight: 1}}\n",
      {{{"data.train=[{source: train.src, target: train.tgt}]"},
        "data.train[0]: has no `alignment`, but train.guided_alignment.weight"},
       {{"model.decoder.attention=none", "model.decoder.attend=after"},
        "train.guided_alignment.weight: needs attention weights over the source"},
       {{"data.train=[{source: train.src, target: train.tgt, alignment: links}, {source: "
         "train.src, target: train.tgt}]"},
        "train[1]: has no alignment, but train[0] does"},
       {{"data.train[0].alignment=no.such"}, "there is no file"},
       {{"model.decoder.attention.normalizer=hard"},
        "trains nothing: hard attention by REINFORCE has weights without gradient"},
       {{"train.guided_alignment.weight=0", "train.coverage.weight=1",
         "model.decoder.attention.normalizer=hard"},
        "trains nothing: hard attention by REINFORCE has weights without gradient"},
       {{"model.decoder.attention={type: linear, features: linformer}"},
        "train.guided_alignment.weight: needs attention weights from 0 to 1, but those of "
        "`features: linformer` may be negative"},
       {{"train.guided_alignment.weight=0", "search.coverage_penalty=0.2",
         "model.decoder.attention={type: linear, features: linformer}"},
        "search.coverage_penalty: needs attention weights from 0 to 1"},
       {{"train.guided_alignment.cost=cee"}, "did you mean 'ce'?"},
       {{"data.train=[{tmx: links, source: en, target: de, alignment: links}]"},
        "data.train[0].tmx: a translation memory has no word alignment; convert it to files"},
       {{"model.encoder={type: hierarchical, word_encoder: {type: rnn, width: 16}, "
         "sentence_encoder: {type: rnn, width: 16}}",
         "text.source={type: words, marker: '|'}"},
        "needs attention weights over source tokens"}});
}

TEST_F(KindsOfConfig, OfSupportingFacts) {
  write("facts", "");
  expect_mistakes(
      "run: r\n"
      "data: {train: [{source: {story: train.src, question: train.src}, target: train.tgt, "
      "supporting_facts: facts}]}\n"
      "text: {story: {type: words, marker: '|'}, question: {share: story}, target: words}\n"
      "model: {preset: dmn_plus}\n"
      "train: {max_updates: 1, supporting_facts: {weight: 1}}\n",
      {{{"data.train=[{source: {story: train.src, question: train.src}, target: train.tgt}]"},
        "data.train[0]: has no `supporting_facts`, but train.supporting_facts.weight is not 0: "
        "give the file"},
       {{"data.train=[{source: {story: train.src, question: train.src}, target: train.tgt, "
         "supporting_facts: facts}, {source: {story: train.src, question: train.src}, target: "
         "train.tgt}]"},
        "train[1]: has no supporting facts, but train[0] does: give all corpora of train one, or "
        "none"},
       {{"data.train=[{source: {story: train.src, question: train.src}, target: train.tgt}, "
         "{source: {story: train.src, question: train.src}, target: train.tgt, supporting_facts: "
         "facts}]"},
        "train[1]: has supporting facts, but train[0] does not"},
       {{"data.train[0].supporting_facts=no.such"}, "there is no file"},
       {{"data.train=[{tmx: facts, source: {story: en, question: de}, target: fr, "
         "supporting_facts: facts}]"},
        "data.train[0].tmx: a translation memory has no supporting facts"},
       {{"model={encoders: {story: {type: rnn, width: 16}, question: {type: rnn, width: 16}}, "
         "decoder: {type: rnn, width: 16, attention: {type: one_source, source: story, attention: "
         "{score: general}}}}"},
        "train.supporting_facts.weight: needs attention over the sentences of a source, but the "
        "decoder attends to other positions: give this source `encoder: {type: hierarchical, "
        "states: sentences}`"},
       {{"model={encoders: {story: {type: hierarchical, states: words}, question: {type: rnn, "
         "width: 16}}, decoder: {type: rnn, width: 16, attention: {type: one_source, source: "
         "story, attention: {score: additive}}}}"},
        "needs attention over the sentences of a source"},
       // The source that the decoder attends to counts.
       {{"model.decoder.attention.source=question"},
        "needs attention over the sentences of a source"},
       // A joiner has other rows.
       {{"model={encoders: {story: {type: hierarchical}, question: {type: rnn, width: 16}}, join: "
         "self_attentive, decoder: {type: rnn, width: 16, attention: {type: one_source, source: "
         "story, attention: {score: general}}}}"},
        "needs attention over the sentences of a source"},
       {{"model.encoders={story: {type: hierarchical}, question: {type: rnn, width: 16}}",
         "model.preset=~", "model.decoder={type: rnn, width: 16, attention: none}"},
        "train.supporting_facts.weight: needs attention weights over the source"},
       {{"data.augment={upper_case: 0.1}"},
        "text.story.marker: data.augment cannot change lines with a marker between sentences"}});
}

TEST_F(KindsOfConfig, OfCopyingAndCoverage) {
  expect_mistakes(
      kSmallConfig,
      {{{"model.output=pointer_generator", "model.decoder.attention=none"},
        "needs attention weights"},
       {{"model.output={type: pointer_generator, head: 3}"}, "has 1"},
       {{"model.output=copynet", "model.join=self_attentive"}, "leave join out"},
       {{"model.output=pointer", "text.target={type: characters}"}, "use one type for both"},
       {{"train.coverage={weight: 1}", "model.decoder.attention=none"},
        "needs attention weights over the source"},
       {{"search.coverage_penalty=0.2", "model.decoder.attention=none"},
        "needs attention weights over the source"}});
}

TEST_F(KindsOfConfig, OfPhases) {
  const auto of_phases = [](const std::string& phases, Texts more = {}) {
    more.push_back("train.phases=" + phases);
    return mistakes(more);
  };
  EXPECT_THAT(
      of_phases("[{after: 4, train: {clip: -1, optimizer: {rat: 1}}}, {after: 3, data: {train: "
                "[{source: no.src, target: train.tgt}]}, reset: [optimiser]}]",
                {"search.beam=0"}),
      AllOf(HasSubstr("train.phases[0].train.clip"),
            HasSubstr("train.phases[0].train.optimizer.rat: unknown key"),
            HasSubstr("train.phases[1].after: is 3, expected more than that of the phase"),
            HasSubstr("train.phases[1].data.train[0].source: there is no file"),
            HasSubstr("train.phases[1].reset[0]: found 'optimiser'"), HasSubstr("search.beam")));
  for (const auto& [phase, part] : std::vector<std::pair<std::string, std::string>>{
           {"train: {clip: 2}", "train.phases[0].after: is missing"},
           {"after: 4", "train.phases[0]: changes nothing of the phase before"},
           {"after: 4, train: {clip: 1}", "train.phases[0]: changes nothing of the phase before"},
           {"after: 4, train: {max_updates: 7}",
            "train.phases[0].train.max_updates: is a setting of the whole run; a phase can change "
            "batch, accumulate"},
           {"after: 4, data: {valid: {source: valid.src, target: valid.tgt}}",
            "train.phases[0].data.valid: is a setting of the whole run"},
           {"after: 4, model: {decoder: {width: 32}}",
            "train.phases[0].model.decoder.width: cannot change during the training"},
           {"after: 4, train: {optimizer: sgd}",
            "train.phases[0].train.optimizer: has another state"},
           {"after: 4, train: {guided_alignment: {weight: 1}}",
            "train.phases[0]: with these settings data.train[0] has no `alignment`"},
           {"after: 4, train: {sequence_loss: {weight: 1}, label_smoothing: 0.1}",
            "train.phases[0].train.label_smoothing: is a part of cross-entropy"},
           {"after: 4, search: {beam: 2}", "train.phases[0].search: unknown key"}})
    EXPECT_THAT(of_phases("[{" + phase + "}]"), HasSubstr(part));
  // Marian and OpenNMT have such a delay, so users may expect this key.
  EXPECT_THAT(mistakes({"train.coverage={weight: 1, after: 4}"}),
              HasSubstr("train.coverage.after: is not a setting: write `train: {phases: [{after: "
                        "N, train: {coverage: {weight: λ}}}]}`"));
}

TEST_F(KindsOfConfig, OfLanguageModels) {
  const std::string reads_none = "needs a source, and there is none";
  std::vector<Row> rows{
      {{"model.encoder=rnn"},
       "data.train[0]: has no `source`: give its file, or for a language model write `encoder: "
       "none`"},
      {{"data.train=[{source: train.src, target: train.tgt}]", "data.valid=~",
        "text={source: words, target: words}"},
       "model.encoder: `none` has no source, but data.train has source"},
      {{"data.valid={source: valid.src, target: valid.tgt}"},
       "data.valid.source: has source, but train[0] has nothing"},
      {{"text={source: words, target: words}"},
       "text.source: a language model has no source: write `text: {target: {type"},
      {{"model.decoder.attention={score: dot}"}, reads_none + ": write `attention: none`"},
      {{"model.output=hard_monotonic"}, "aligns the target with a source"},
      {{"data.train=[{target: train.tgt, tag: a}]", "data.valid=~"},
       "data.train[0].tag: needs a source"},
      {{"model.join=self_attentive"}, reads_none},
      {{"model.embedding.tie=all"}, "'all' needs a source"},
      {{"model.decoder.bridge_from=source"}, "needs a source"},
      {{"model.decoder.past={attention: none}"}, "has no effect with `none`: leave `past` out"},
      {{"train.validate.metric=bleu"}, "bleu needs translations, which a language model lacks"},
      {{"train.sequence_loss={metric: chrf}"}, "needs translations, which a language model lacks"},
      {{"model.encoders={a: none}"}, "`encoder: none` lacks"}};
  for (const std::string output : {"pointer_generator", "copynet", "pointer", "pointer_sum"})
    rows.push_back({{"model.output=" + output}, "copies from the source"});
  expect_mistakes(
      "run: r\n"
      "data: {train: [{target: train.tgt}], valid: {target: valid.tgt}}\n"
      "text: {target: {type: words}}\n"
      "model:\n"
      "  encoder: none\n"
      "  decoder: {type: rnn, width: 24, attention: none, past: {attention: {score: dot}}}\n"
      "train: {max_updates: 1, validate: {metric: loss}}\n",
      rows);
  for (const std::string attention :
       {"one_source", "multi_source", "attention_over_attention", "hops", "linear"})
    EXPECT_THAT(mistakes({"model.decoder.attention=" + attention}), Not(HasSubstr("unexpected")))
        << attention;
}

}  // namespace
}  // namespace heed
