#include "train/trimmed_model.h"

#include "nn/torch.h"

#include "base/error.h"
#include "data/example.h"
#include "train/initial_model.h"

namespace heed {

namespace {

// All floating-point tensors of a loaded model have one type.
torch::ScalarType type_of(const Seq2Seq& network) {
  return network.parameters().front().scalar_type();
}

void drop_unknown(std::vector<std::string>& tokens, const Vocabulary& vocabulary) {
  std::erase_if(tokens, [&](const std::string& token) {
    return vocabulary.piece(vocabulary.id(token)) != token;
  });
}

}  // namespace

LoadedModel with_vocabularies(const LoadedModel& model, const Codecs& codecs) {
  LoadedModel smaller = model;
  smaller.codecs = codecs;
  const Vocabulary& target = codecs.at(kTargetSide)->vocabulary();
  drop_unknown(smaller.config.search.suppress_tokens, target);
  drop_unknown(smaller.config.search.begin_suppress_tokens, target);
  smaller.network = std::make_shared<Seq2Seq>(smaller.config.model,
                                              vocabulary_sizes(smaller.config, codecs), /*seed=*/0);
  smaller.network->to(type_of(*model.network));
  const ParameterTransfer transfer(model, smaller.config, codecs);
  const std::vector<std::string> missing =
      transfer.copy(tensors_of(*model.network), tensors_of(*smaller.network));
  if (!missing.empty())
    throw_error(ErrorKind::kModel,
                "{}: its vocabularies cannot be trimmed, because {} depends on them in a way that "
                "heed does not know",
                model.folder.string(), fmt::join(missing, ", "));
  return smaller;
}

}  // namespace heed
