#include "model/builders.h"

#include <tuple>

#include "nn/torch.h"

#include "model/model_config.h"

namespace heed {

namespace {

using Tables = std::tuple<BuilderTable<EncoderConfig>, BuilderTable<JoinerConfig>,
                          BuilderTable<DecoderConfig>, BuilderTable<OutputConfig>>;

Tables make_tables() {
  Tables tables;
#define KIND(Config, part) \
  std::get<BuilderTable<Config>>(tables)[kinds::part().name] = builders::part;
#include "model/parts.def"
#undef KIND
  return tables;
}

const Tables& tables() {
  static const Tables tables = make_tables();
  return tables;
}

template <class Config, class... Dims>
auto build_from(const Config& config, Dims&&... dims) {
  return builder_of(std::get<BuilderTable<Config>>(tables()), config)(config,
                                                                      std::forward<Dims>(dims)...);
}

}  // namespace

std::shared_ptr<Encoder> builders::no_encoder(const EncoderConfig&, int64_t, int64_t) {
  throw InternalError("an encoder of no source");
}

std::shared_ptr<Encoder> builders::shared_encoder(const EncoderConfig&, int64_t, int64_t) {
  throw InternalError("an encoder that is another's");
}

std::shared_ptr<Encoder> build(const EncoderConfig& config, int64_t input, int64_t tags) {
  return build_from(config, input, tags);
}

std::shared_ptr<Joiner> build(const JoinerConfig& config, const AllSourceDims& sources) {
  return build_from(config, sources);
}

std::shared_ptr<Decoder> build(const DecoderConfig& config, const DecoderDims& dims) {
  return build_from(config, dims);
}

std::shared_ptr<Output> build(const OutputConfig& config, const OutputDims& dims,
                              std::shared_ptr<Embedding> embedding) {
  return build_from(config, dims, std::move(embedding));
}

}  // namespace heed
