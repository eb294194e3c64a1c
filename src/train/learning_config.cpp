#include "train/learning_config.h"

#include "config/sizes.h"

namespace heed {

namespace {

void peer_fields(Fields& f) {
  f.peers("accumulate", {.joeynmt = "batch_multiplier",
                         .opennmt = "accum_count",
                         .marian = "optimizer-delay",
                         .also = "gradient_accumulation"});
  f.peers("optimizer", {.joeynmt = "optimizer", .opennmt = "optim", .marian = "optimizer"});
  f.peers(
      "optimizer: adam, sgd or adagrad",
      {.joeynmt = "(the same names)", .opennmt = "(the same names)", .marian = "(the same names)"});
  f.peers("optimizer: adadelta", {.joeynmt = "(the same name)", .opennmt = "(the same name)"});
  f.peers("optimizer: adamw or rmsprop", {.joeynmt = "(the same names)"});
  f.peers("optimizer: adafactor", {.opennmt = "(the same name)"});
  f.peers("schedule", {.joeynmt = "scheduling",
                       .opennmt = "decay_method, start_decay_steps",
                       .marian = "lr-decay-strategy",
                       .also = "scheduler"});
  f.peers("schedule: {type: vaswani, warmup, width}",
          {.joeynmt = "scheduling: noam", .opennmt = "decay_method: noam"});
  f.peers("schedule: {type: inverse_sqrt, warmup}",
          {.joeynmt = "scheduling: warmupinversesquareroot",
           .opennmt = "decay_method: rsqrt",
           .marian = "lr-decay-inv-sqrt"});
  f.peers("schedule: {type: plateau, decay, patience}",
          {.joeynmt = "scheduling: plateau", .marian = "lr-decay-strategy: stalled"});
  f.peers("schedule: {type: exponential, decay, every}",
          {.joeynmt = "scheduling: exponential",
           .opennmt = "(by `learning_rate_decay` and `decay_steps`)",
           .marian = "lr-decay-strategy: batches"});
  f.peers("clip", {.joeynmt = "clip_grad_norm",
                   .opennmt = "max_grad_norm",
                   .marian = "clip-norm",
                   .also = "grad_clip, gradient_clipping"});
  f.peers(
      "label_smoothing",
      {.joeynmt = "label_smoothing", .opennmt = "label_smoothing", .marian = "label-smoothing"});
  f.peers("r_drop", {});
  f.peers("scheduled_sampling", {});
  f.peers("sequence_loss: {loss: risk}", {.nematus = "objective: MRT"});
}

}  // namespace

LearningConfig::LearningConfig()
    : optimizer(make_kind<AdamConfig>("adam")), schedule(make_kind<ConstantSchedule>("constant")) {}

void LearningConfig::fields(Fields& f) {
  f.section("batch", batch, "batch size");
  f.field("accumulate", accumulate, IntRange{1, 10'000},
          "gradient accumulation: batches for each update");
  f.one_of("optimizer", optimizer, optimizers(), "optimizer");
  f.one_of("schedule", schedule, schedules(),
           "learning rate schedule: a factor of `optimizer.rate`");
  f.field("clip", clip, kZeroOrMore,
          "gradient clipping: maximum of the global gradient norm; 0 turns it off");
  f.field("label_smoothing", label_smoothing, kDropout,
          "label smoothing ε (Szegedy 2016): probability mass distributed uniformly over the "
          "vocabulary");
  f.section("coverage", coverage, "coverage loss (See 2017)");
  f.section(
      "guided_alignment", guided_alignment,
      "guided alignment (Chen 2016): the attention over the source learns the word alignment of "
      "data.train");
  f.section("supporting_facts", supporting_facts,
            "supporting facts (Kumar 2016): each pass of the attention over the sentences of a "
            "story learns the facts of data.train");
  f.field("r_drop", r_drop, kWeights,
          "R-Drop (Liang 2021): weight α of the divergence between two passes of unequal dropout "
          "(the paper: 1 to 5); takes twice the time; 0 turns it off");
  f.field(
      "int8", int8,
      "8-bit training (Jacob 2018): inputs and weights of products are rounded as in "
      "translation with int8, and the steps are learned (LSQ, Esser 2020); for the last updates, "
      "in a phase; products are then in fp32, which is slower than bf16");
  f.section("scheduled_sampling", scheduled_sampling,
            "scheduled sampling (Bengio 2015): some input tokens of the decoder are the model's "
            "own, not the reference's; takes a further forward pass");
  f.section(
      "subword_regularization", subword_regularization,
      "subword regularization: in training, lines are segmented at random each time they "
      "are read, by BPE-dropout or by sampling from a unigram model; train.batch.tokens counts "
      "the best segmentation, so batches become longer");
  f.section(
      "sequence_loss", sequence_loss,
      "training of whole sentences by a metric: minimum risk or self-critical; usually from a "
      "trained model (init.model)");
  f.list("freeze", freeze,
         "parameters that are not trained: the beginning of a name (encoder, decoder.layer_0), its "
         "last part (embedding), or a pattern with *; `heed inspect` lists the parts");
  peer_fields(f);
}

// Reports settings of cross-entropy if cross-entropy has weight 0.
void LearningConfig::validate(Problems& problems) const {
  if (!sequence_loss || sequence_loss->weight < 1 || sequence_loss->after > 0) return;
  const std::pair<const char*, bool> settings[] = {
      {"label_smoothing", label_smoothing > 0},
      {"coverage", coverage.weight > 0},
      {"guided_alignment", guided_alignment.weight > 0},
      {"supporting_facts", supporting_facts.weight > 0},
      {"r_drop", r_drop > 0},
      {"scheduled_sampling", scheduled_sampling.has_value()}};
  for (const auto& [key, is_on] : settings) {
    if (is_on)
      problems.add(key,
                   "is a part of cross-entropy, which `sequence_loss: {weight: 1}` leaves out: "
                   "give a smaller weight, or leave this out");
  }
}

}  // namespace heed
