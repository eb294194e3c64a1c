#include "exchange/ctranslate2_names.h"

#include <cctype>

namespace heed {

std::string without_layer_number(const std::string& name) {
  const std::string mark = "/layer_";
  const size_t found = name.find(mark), begin = found + mark.size();
  if (found == std::string::npos) return name;
  size_t end = begin;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
  if (end == begin) return name;  // a layer norm
  return name.substr(0, begin) + "N" + name.substr(end);
}

const std::set<std::string>& known_ctranslate2_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all = {"unk_token",
                                 "bos_token",
                                 "eos_token",
                                 "with_source_bos",
                                 "with_source_eos",
                                 "with_target_bos",
                                 "user_decoder_start_tokens",
                                 "num_heads",
                                 "pre_norm",
                                 "activation",
                                 "embeddings_merge",
                                 "alignment_layer",
                                 "alignment_heads",
                                 "encoder/embeddings_merge",
                                 "encoder/multi_query_attention",
                                 "decoder/alibi",
                                 "decoder/alibi_use_positive_positions",
                                 "decoder/scale_alibi",
                                 "decoder/start_from_zero_embedding",
                                 "decoder/alignment_layer",
                                 "decoder/alignment_heads",
                                 "decoder/scale_outputs",
                                 "decoder/final_logit_softcapping",
                                 "decoder/layer_N/layer_scalar"};
    const auto linear = [&all](const std::string& name) {
      for (const char* part : {"/weight", "/weight_scale", "/bias"}) all.insert(name + part);
    };
    const auto norm = [&all](const std::string& name) {
      for (const char* part : {"/layer_norm/gamma", "/layer_norm/beta"}) all.insert(name + part);
    };
    linear("decoder/projection");
    for (const std::string stack : {"encoder", "decoder"}) {
      for (const char* part :
           {"/num_heads", "/pre_norm", "/activation", "/scale_embeddings",
            "/position_encodings/encodings", "/embeddings/weight", "/embeddings/weight_scale",
            "/embeddings_0/weight", "/embeddings_0/weight_scale",
            "/embeddings/multiply_by_sqrt_depth", "/embeddings_0/multiply_by_sqrt_depth"})
        all.insert(stack + part);
      norm(stack);
      const std::string layer = stack + "/layer_N";
      for (const char* part : {"/self_attention", "/attention"}) {
        norm(layer + part);
        for (const char* own : {"/linear_0", "/linear_1", "/linear_2"}) linear(layer + part + own);
        for (const char* own : {"/queries_scale", "/num_heads_kv", "/multi_query", "/head_dim",
                                "/relative_position_keys", "/relative_position_values"})
          all.insert(layer + part + own);
      }
      norm(layer + "/ffn");
      for (const char* own : {"/ffn/linear_0", "/ffn/linear_0_noact", "/ffn/linear_1"})
        linear(layer + own);
    }
    return all;
  }();
  return names;
}

}  // namespace heed
