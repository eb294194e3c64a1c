#include "train/train_config.h"

#include "config/sizes.h"

namespace heed {

namespace {

const Words<TrainPrecision>& precision_words() {
  static const Words<TrainPrecision> words = {{"auto", TrainPrecision::kAuto},
                                              {"fp32", TrainPrecision::kFp32},
                                              {"bf16", TrainPrecision::kBf16}};
  return words;
}

// Checks that later phases begin later.
void check_order(const std::vector<PhaseConfig>& phases, Problems& problems) {
  for (size_t i = 1; i < phases.size(); ++i) {
    if (phases[i].after > phases[i - 1].after) continue;
    problems.add(fmt::format("phases[{}].after", i),
                 fmt::format("is {}, expected more than that of the phase before, {}",
                             phases[i].after, phases[i - 1].after));
  }
}

}  // namespace

const char* precision_name(TrainPrecision precision) {
  return precision_words()[static_cast<size_t>(precision)].first;
}

void KeepConfig::fields(Fields& f) {
  f.field("best", best, kPositive, "number of best checkpoints kept");
  f.field("last", last, kPositive, "number of latest checkpoints kept");
  f.affects(Effect::kValidations, {"best"});
  f.peers("best", {.joeynmt = "keep_best_ckpts", .marian = "keep-best"});
  f.peers("last", {.opennmt = "keep_checkpoint"});
}

void AverageConfig::fields(Fields& f) {
  f.field(
      "decay", decay, kDropout,
      "weight d of the average in d · average + (1 - d) · parameters after each update; less in "
      "the first updates");
}

void TrainConfig::fields(Fields& f) {
  LearningConfig::fields(f);
  f.field("max_updates", max_updates, kPositive, "maximum number of updates");
  f.field("max_epochs", max_epochs, kPositive, "maximum number of epochs");
  f.duration("max_time", max_time,
             "maximum training time, including the time before a resume; the update and the "
             "validation at the end come on top");
  f.section("validate", validation, "validation");
  f.section("keep", keep, "number of checkpoints kept");
  f.field("save_every", save_every, kPositive,
          "updates between checkpoints, in addition to those after validations and at the end");
  f.field("log_every", log_every, kPositive, "updates between log lines");
  f.field("tensorboard", tensorboard,
          "write the figures of metrics.jsonl to the folder tensorboard/ of the run as well, for "
          "`tensorboard --logdir`");
  f.field("workers", workers, kThreads,
          "training workers: threads that each process a shard of the batch on a CPU; ~: one for "
          "each core that the process may use. The number changes results by rounding only");
  f.choice(
      "precision", precision, precision_words(),
      "number format of the products of linear layers, recurrent cells and the vocabulary in "
      "training: fp32, or bf16 with sums, parameters and everything else in fp32; auto: bf16 on "
      "a CPU that has instructions for it, else fp32. A resumed run keeps that of its start");
  f.field("gradient_checkpointing", gradient_checkpointing,
          "gradient checkpointing (Chen 2016): the backward pass computes the activations inside "
          "the layers of encoder and decoder again in place of keeping them; less memory, about a "
          "third more time, the same numbers");
  f.section("average", average,
            "exponential moving average of the parameters, which is validated and saved as the "
            "model; the parameters themselves are kept beside it for --resume");
  f.section(
      "lora", lora,
      "low-rank adaptation (LoRA, Hu 2021) of the model in init.model: of each adapted matrix "
      "only a change B A of low rank is trained, and nothing else; W + s B A is the matrix");
  f.field("shard_optimizer", shard_optimizer,
          "ZeRO stage 1 (Rajbhandari 2020): each of several processes keeps the optimizer state of "
          "its shard of the parameters; equal results, 50 % more communication");
  f.section("reduction", reduction, "how several processes sum their gradients");
  f.field("max_skipped", max_skipped, kPositive,
          "training fails after this many consecutive updates with a loss or gradient that is not "
          "finite");
  f.list("phases", phases,
         "phases of the training after the first: other data, objective or learning rate from an "
         "update on");
  f.may_change(ChangeAt::kResume, {"max_updates", "max_epochs", "max_time", "max_skipped",
                                   "validate", "keep", "save_every", "log_every", "tensorboard",
                                   "shard_optimizer", "gradient_checkpointing"});
  f.affects(Effect::kValidations, {"validate"});
  f.peers("max_updates", {.joeynmt = "updates",
                          .opennmt = "train_steps",
                          .marian = "after: Nu",
                          .also = "steps, max_steps, updates, after_batches, after"});
  f.peers("max_epochs",
          {.joeynmt = "epochs", .marian = "after: Ne", .also = "after_epochs, after"});
  f.peers("max_time", {.also = "after"});
  f.peers("validate", {.also = "validation", .note = "the validation set is data.valid"});
  f.peers("save_every", {.opennmt = "save_checkpoint_steps", .marian = "save-freq"});
  f.peers("log_every",
          {.joeynmt = "logging_freq", .opennmt = "report_every", .marian = "disp-freq"});
  f.peers("tensorboard", {.joeynmt = "(always on)", .opennmt = "tensorboard"});
  f.peers("workers", {.marian = "cpu-threads", .also = "num_workers"});
  f.peers("precision", {.joeynmt = "fp16: true (on a GPU)",
                        .opennmt = "model_dtype: fp16 (on a GPU)",
                        .marian = "precision: float16 float32 (on a GPU)",
                        .note = "`auto` and `bf16` on a CPU, too"});
  f.peers("gradient_checkpointing", {.opennmt = "use_ckpting", .marian = "gradient-checkpointing"});
  f.peers("lora", {.opennmt = "lora_layers, lora_rank, lora_alpha"});
  f.peers("phases: [{after: N, train: {accumulate: K}}]", {.opennmt = "accum_steps"});
  f.peers("phases: [{after: N, model: {… dropout}}]", {.opennmt = "dropout_steps"});
}

void TrainConfig::validate(Problems& problems) const {
  if (!has_limit() && !validation.patience) {
    problems.add("",
                 "nothing ends the training; give at least one of max_updates, max_epochs, "
                 "max_time and validate.patience");
  }
  if (shard_optimizer && !optimizer->updates_elements())
    problems.add("shard_optimizer",
                 fmt::format("{} needs whole matrices, and its state is small: leave it out",
                             optimizer->type));
  if (lora && average)
    problems.add("average", "is that of all parameters, which train.lora keeps: leave one out");
  if (lora && !freeze.empty())
    problems.add("freeze",
                 "train.lora keeps all parameters and trains changes of those that lora.layers "
                 "names: leave freeze out");
  check_order(phases, problems);
  LearningConfig::validate(problems);
}

}  // namespace heed
