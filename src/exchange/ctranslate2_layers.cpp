#include "exchange/ctranslate2_layers.h"

#include "nn/torch.h"

#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "model/parameter_names_spec.h"
#include "nn/positions.h"

namespace heed {

namespace {

// Error of a number, and of the angle of each further row: a few times that of float32.
constexpr double kRounding = 1e-6, kRoundingOfRow = 3e-7;

// The `layout` of sinusoidal positions (nn/positions.h) that a table [P,W] has; nullopt: it is
// another table. Its numbers may be rounded as float32 rounds angles, which are larger from row to
// row; those of 16 bits are not the same.
std::optional<std::string> sinusoid_layout_of(const Tensor& table) {
  const int64_t rows = table.size(0), width = table.size(1);
  const Tensor exact = table.to(torch::kDouble),
               limits = (torch::arange(rows, torch::kDouble) * kRoundingOfRow + kRounding)
                            .unsqueeze(1);  // [P,1]
  for (const auto& [name, layout] : {std::pair{"interleaved", SinusoidLayout::kInterleaved},
                                     {"halves", SinusoidLayout::kHalves},
                                     {"fairseq", SinusoidLayout::kFairseq},
                                     {"opennmt_tf", SinusoidLayout::kOpennmtTf},
                                     {"marian", SinusoidLayout::kMarian}}) {
    const Tensor difference = (exact - sinusoids(rows, width, torch::kDouble, layout)).abs();
    if ((difference <= limits).all().item<bool>()) return name;
  }
  return std::nullopt;
}

CTranslate2Linear rows_of(const CTranslate2Linear& linear, int64_t begin, int64_t count) {
  return {linear.weight.narrow(0, begin, count), linear.bias.narrow(0, begin, count)};
}

// Each head, of `head` rows, several times, one behind the other.
CTranslate2Linear repeat_heads(const CTranslate2Linear& linear, int64_t times, int64_t head) {
  if (times == 1) return linear;
  const auto repeated = [&](const Tensor& x) {
    return x.unflatten(0, {x.size(0) / head, head}).repeat_interleave(times, 0).flatten(0, 1);
  };
  return {repeated(linear.weight), repeated(linear.bias)};
}

class LayerReader {
 public:
  LayerReader(CTranslate2Weights& weights, CTranslate2Stack& stack, NamedTensors& to)
      : weights_(weights), stack_(stack), to_(to) {}

  void read(bool is_decoder) {
    read_relative_positions();
    read_positions();
    for (int64_t i = 0; i < stack_.layers; ++i) {
      const std::string from = stack_.layer(i);
      const names::TransformerLayerNames own(stack_.own_layer(i));
      read_norm(from + "/self_attention", own.self_norm);
      read_attention(from + "/self_attention", own.self_attention, true);
      if (is_decoder) {
        read_norm(from + "/attention", own.cross_norm);
        read_attention(from + "/attention", own.cross_attention, false);
      }
      read_norm(from + "/ffn", own.feed_forward_norm);
      read_feed_forward(from + "/ffn/", own);
      const double scalar = weights_.number(from + "/layer_scalar").value_or(1);
      if (scalar != 1) refuse(from + "/layer_scalar", fmt::format("{}, expected 1", scalar));
    }
    if (stack_.final_norm)
      read_norm(stack_.scope, names::TransformerStackNames(stack_.own).final_norm);
  }

 private:
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
    throw_error(ErrorKind::kModel, "{}: {} is {}", weights_.path().string(), name, what);
  }

  // Shaw et al. 2018: a table [2k+1,D] for keys and one for values in each layer.
  void read_relative_positions() {
    const std::string keys = stack_.layer(0) + "/self_attention/relative_position_keys";
    if (!weights_.has(keys)) return;
    stack_.clip = (weights_.rows(keys) - 1) / 2;
    const std::vector<int64_t> shape = {2 * *stack_.clip + 1, stack_.width / stack_.heads};
    for (int64_t i = 0; i < stack_.layers; ++i) {
      const std::string from = stack_.layer(i) + "/self_attention/relative_position_";
      const names::TransformerLayerNames own(stack_.own_layer(i));
      to_[own.self_attention.key_table] = weights_.take(from + "keys", shape);
      to_[own.self_attention.value_table] = weights_.take(from + "values", shape);
    }
  }

  void read_positions() {
    const std::string name = stack_.scope + "/position_encodings/encodings";
    if (!weights_.has(name)) {
      stack_.positions = stack_.clip ? "none" : "{type: sinusoidal, layout: opennmt_tf}";
      return;
    }
    const Tensor table = weights_.take(name, {weights_.rows(name), stack_.width});
    if (!table.any().item<bool>()) {
      stack_.positions = "none";
    } else if (const auto layout = sinusoid_layout_of(table)) {
      stack_.positions = fmt::format("{{type: sinusoidal, layout: {}}}", *layout);
    } else {
      stack_.positions_in_table = table.size(0);
      stack_.positions = fmt::format("{{type: learned, max_positions: {}}}", table.size(0));
      to_[names::TransformerStackNames(stack_.own).positions] = table;
    }
  }

  void read_norm(const std::string& from, const std::string& own) {
    to_[names::weight(own)] = weights_.take(from + "/layer_norm/gamma", {stack_.width});
    to_[names::bias(own)] = weights_.take(from + "/layer_norm/beta", {stack_.width});
  }
  CTranslate2Linear read_linear(const std::string& from, int64_t outputs, int64_t inputs) {
    return read_ctranslate2_linear(weights_, from, outputs, inputs);
  }
  void put(const std::string& own, const CTranslate2Linear& linear) {
    to_[names::weight(own)] = linear.weight;
    to_[names::bias(own)] = linear.bias;
  }

  // Several heads of queries may read one head of keys and values.
  int64_t read_key_heads(const std::string& from) {
    const bool has_one = weights_.number(from + "/multi_query").value_or(0) != 0;
    const int64_t count = weights_.whole(from + "/num_heads_kv", has_one ? 1 : stack_.heads);
    if (stack_.heads % count != 0)
      refuse(from + "/num_heads_kv",
             fmt::format("{}, but there are {} heads", count, stack_.heads));
    return count;
  }

  void read_attention(const std::string& from, const names::AttentionNames& own, bool is_self) {
    const int64_t width = stack_.width, head = width / stack_.heads;
    const int64_t key_heads = read_key_heads(from), keys = key_heads * head;
    const int64_t head_width = weights_.whole(from + "/head_dim", head);
    if (head_width != head)
      refuse(from + "/head_dim",
             fmt::format("{}, expected {}, the width divided by the heads", head_width, head));
    CTranslate2Linear query, memory;
    if (is_self) {
      const CTranslate2Linear all = read_linear(from + "/linear_0", width + 2 * keys, width);
      query = rows_of(all, 0, width);
      memory = rows_of(all, width, 2 * keys);
    } else {
      query = read_linear(from + "/linear_0", width, width);
      memory = read_linear(from + "/linear_1", 2 * keys, width);
    }
    // CTranslate2 stores the factor of the products of queries and keys; in heed it is 1/√D.
    const double root = std::sqrt(static_cast<double>(head)),
                 factor = weights_.number(from + "/queries_scale").value_or(1 / root) * root;
    constexpr double kRounding = 1e-6;
    if (!(std::abs(factor - 1) < kRounding)) query = {query.weight * factor, query.bias * factor};
    const int64_t times = stack_.heads / key_heads;
    put(own.query, query);
    put(own.key, repeat_heads(rows_of(memory, 0, keys), times, head));
    put(own.value, repeat_heads(rows_of(memory, keys, keys), times, head));
    put(own.output, read_linear(from + (is_self ? "/linear_1" : "/linear_2"), width, width));
  }

  void read_feed_forward(const std::string& from, const names::TransformerLayerNames& own) {
    const CTranslate2Linear inner = read_linear(from + "linear_0", stack_.hidden, stack_.width),
                            outer = read_linear(from + "linear_1", stack_.width, stack_.hidden);
    const double factor = stack_.inner_factor;
    put(own.inner,
        factor == 1 ? inner : CTranslate2Linear{inner.weight * factor, inner.bias * factor});
    put(own.outer, factor == 1 ? outer : CTranslate2Linear{outer.weight / factor, outer.bias});
    if (stack_.activation.starts_with("gated"))
      put(own.gate, read_linear(from + "linear_0_noact", stack_.hidden, stack_.width));
  }

  CTranslate2Weights& weights_;
  CTranslate2Stack& stack_;
  NamedTensors& to_;
};

}  // namespace

CTranslate2Linear read_ctranslate2_linear(CTranslate2Weights& weights, const std::string& name,
                                          int64_t outputs, int64_t inputs) {
  const std::string bias = name + "/bias";
  return {weights.take(name + "/weight", {outputs, inputs}),
          weights.has(bias) ? weights.take(bias, {outputs}) : torch::zeros({outputs})};
}

void read_ctranslate2_layers(CTranslate2Weights& weights, CTranslate2Stack& stack, bool is_decoder,
                             NamedTensors& to) {
  LayerReader(weights, stack, to).read(is_decoder);
}

}  // namespace heed
