#include "run/distill_config.h"

#include <algorithm>

#include "config/sizes.h"

namespace heed {

namespace {

const Words<BestTranslation> kBest{{"score", BestTranslation::kScore},
                                   {"bleu", BestTranslation::kBleu},
                                   {"chrf", BestTranslation::kChrf}};
const Words<StudentPrecision> kPrecisions{{"int8", StudentPrecision::kInt8},
                                          {"bf16", StudentPrecision::kBf16},
                                          {"fp32", StudentPrecision::kFp32}};

template <class E>
std::string word_in(const Words<E>& words, E value) {
  return std::ranges::find(words, value, &std::pair<const char*, E>::second)->first;
}

}  // namespace

std::optional<std::string> metric_of(BestTranslation best) {
  if (best == BestTranslation::kScore) return std::nullopt;
  return word_in(kBest, best);
}

std::string word_of(StudentPrecision precision) { return word_in(kPrecisions, precision); }

std::vector<std::string> DistilledModelConfig::settings() const {
  std::vector<std::string> settings = set;
  settings.insert(settings.end(), {"sweep=~", "distill=~"});
  return settings;
}

void DistilledModelConfig::fields(Fields& f) {
  f.path("config", config, PathRoot::kConfigFolder,
         "config of the model, which is trained in FOLDER/teacher or FOLDER/reverse");
  f.list("set", set, "KEY=VALUE instead of the value in that config, as --set of `heed train`");
  f.paths("model", model, "model", PathRoot::kConfigFolder,
          "a run, a checkpoint, a model folder or a packed model instead; several by name are an "
          "ensemble");
}

void DistilledModelConfig::validate(Problems& problems) const {
  if (!set.empty() && !config) problems.add("set", "is for `config`: leave it out");
  if (config.has_value() == model.empty()) return;
  problems.add("", config ? "has both `config` and `model`: leave one out"
                          : "needs `config`, the config of a model to train, or `model`, a model "
                            "that is there");
}

void DistilledTextConfig::fields(Fields& f) {
  f.paths("source", source, "source", PathRoot::kConfigFolder,
          "files of further source text, a sentence a line, plain or compressed");
  f.paths("target", target, "target", PathRoot::kConfigFolder,
          "files of further target text, which `reverse` translates back: its translations are "
          "source text, whose reference is known");
}

void TeachingConfig::fields(Fields& f) {
  f.field("beam", beam, IntRange{1, 1000}, "beam size of the teacher");
  f.field("nbest", nbest, IntRange{1, 1000},
          "translations of a line from which `best` chooses, at most the beam size");
  f.choice("best", best, kBest,
           "which translation of a line with a reference the student learns: score, that of the "
           "teacher's best score; bleu or chrf, the one that is most like the reference (Kim and "
           "Rush 2016: sequence-level interpolation)");
  f.field("shards", shards, IntRange{1, 10'000},
          "parts in which the text is translated, so that other machines can translate some of "
          "them (docs/tasks.md#distillation)");
}

void TeachingConfig::validate(Problems& problems) const {
  if (nbest > beam)
    problems.add("nbest", fmt::format("found {}, expected at most the beam size, {}", nbest, beam));
  if (best != BestTranslation::kScore && nbest == 1)
    problems.add("best", "chooses among several translations: set `nbest`, such as 8");
}

void StudentAlignmentConfig::fields(Fields& f) {
  f.field(
      "weight", weight, kAboveZero,
      "train.guided_alignment.weight of the student, whose attention over the source learns the "
      "alignment of words");
}

void StudentPackConfig::fields(Fields& f) {
  f.choice("precision", precision, kPrecisions, "number format of the weights");
  f.field("shortlist", shortlist,
          "packs a lexicon, so that translation computes scores only of probable tokens");
}

void DistillConfig::fields(Fields& f) {
  f.path("folder", folder, PathRoot::kConfigFolder,
         "folder of all stages and of the packed student; ~: `run`, with -distill at its end");
  f.section("teacher", teacher, "the large model");
  f.section("reverse", reverse,
            "a model from the target to the source language: it translates text.target back, and "
            "scores pairs for the filter `scores`");
  f.section("text", text, "text besides the source side of data.train");
  f.section("translation", translation, "translation of the source text by the teacher");
  f.tree("filters", filters,
         "filters of the translated text, with the keys of `heed clean --show`; `scores` needs "
         "`reverse`");
  f.section("alignment", alignment,
            "guided alignment of the student, by `heed align` of the text that it learns from");
  f.field("references", references,
          "true: the student also learns from the pairs of data.train as they are");
  f.section("pack", pack, "the packed student");
  f.required("teacher");
}

void DistillConfig::validate(Problems& problems) const {
  if (!text.target.empty() && !reverse)
    problems.add("text.target", "needs `reverse`, a model that translates it back");
  const Node* scores = filters.find("scores");
  if (reverse && scores == nullptr && text.target.empty())
    problems.add("reverse", "is used by `text.target` and `filters.scores` alone: leave it out");
  if (scores != nullptr && !reverse)
    problems.add("filters.scores", "needs `reverse`, whose scores it compares with the teacher's");
}

}  // namespace heed
