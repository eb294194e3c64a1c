// Another model that provides the initial parameters of a run (fine-tuning).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/saved_model.h"
#include "train/init_config.h"

namespace heed {

struct InitialModel {
  LoadedModel model;
  NamedTensors optimizer;  // of its checkpoint; empty if that is reset
  int64_t update = 0;      // of its checkpoint; 0 if the schedule is reset
};

// nullopt without init.model. Throws Error(kModel) that names the file and the fault, also if the
// training state is requested and the model is not in a checkpoint.
std::optional<InitialModel> load_initial_model(const InitConfig& init);

// Copies the tensors of one model to those of another, by name. Tensors with a row for each token
// of a vocabulary, embeddings and the output layer, are copied by token.
class ParameterTransfer {
 public:
  ParameterTransfer(const LoadedModel& from, const SavedModelConfig& to, const Codecs& codecs);

  // Returns the names of the tensors of `to` that `from` lacks or has in another shape; they stay
  // as they are. prefix: precedes the names of parameters in the names of tensors ("mean." of an
  // optimizer).
  std::vector<std::string> copy(const NamedTensors& from, const NamedTensors& to,
                                const std::string& prefix = "") const;
  // "target: 312 of 8,312 tokens are new", for each vocabulary that has new ones.
  std::vector<std::string> notes() const;

 private:
  struct Rows {
    int64_t size = 0, former_size = 0;  // of the vocabularies
    std::vector<int64_t> now, before;   // ids of the tokens in common
  };
  void add_tags(const Tags& from, const Tags& to);
  const Rows* rows_of(const std::string& parameter, const Tensor& tensor) const;

  std::map<std::string, Rows> rows_;  // by side or factor, and of the tags
};

// Fills the parameters of a new network. Throws Error(kUsage) that lists missing tensors, unless
// init.missing is warn. Returns lines for the log.
std::vector<std::string> initialize_from(const InitialModel& initial, const InitConfig& init,
                                         const ParameterTransfer& transfer, const Seq2Seq& network);
// Fills the embedding of a side from a file of word vectors. Returns a line for the log. Throws the
// errors of read_word_vectors(), and Error(kUsage) if the side has no separate embedding.
std::string initialize_embedding(const std::string& side, const std::string& file,
                                 const Codecs& codecs, const Seq2Seq& network);
// Fills the state of a new optimizer, as far as it has the same parts.
NamedTensors optimizer_state_from(const InitialModel& initial, const ParameterTransfer& transfer,
                                  const NamedTensors& fresh);

}  // namespace heed
