// `type: task_specific`: attention with separate parameters for each tag, selected by the tag of
// the row (Blackwood, Ballesteros and Ward 2018, section 3: target-specific attention). The result
// of a row is that of the attention of its tag.
//
// The attention of each tag is computed for all rows, and each row takes the result of its tag: the
// state of each tag has all sentences. In inference the attentions of tags that no row has are
// skipped, so that translation into one language has the cost of one attention; in training they
// are not, because the random numbers of a row must not depend on other rows (Pass).
#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/builders.h"
#include "nn/attention/task_specific_config.h"

namespace heed {

namespace {

// x where the row is chosen, else y; both undefined or neither.  chosen [R]
Tensor choose(const Tensor& chosen, const Tensor& x, const Tensor& y) {
  if (!x.defined()) return {};
  std::vector<int64_t> shape(static_cast<size_t>(x.dim()), 1);
  shape[0] = -1;
  return torch::where(chosen.view(shape), x, y);
}

// Weights over the positions of the longest sentences: those of a tag that came later may have
// more.
void make_as_wide(Tensor& x, Tensor& y) {
  if (!x.defined() || x.size(3) == y.size(3)) return;
  Tensor& narrower = x.size(3) < y.size(3) ? x : y;
  narrower = torch::constant_pad_nd(narrower, {0, std::abs(x.size(3) - y.size(3))});
}

// Results of two attentions of one config, row by row.
void choose(const Tensor& chosen, const Attended& from, Attended& into) {
  into.context = choose(chosen, from.context, into.context);
  Tensor weights = from.weights;
  make_as_wide(weights, into.weights);
  into.weights = choose(chosen, weights, into.weights);
  HEED_CHECK(from.losses.size() == into.losses.size() && from.parts.size() == into.parts.size());
  for (size_t i = 0; i < into.losses.size(); ++i)
    into.losses[i].value = choose(chosen, from.losses[i].value, into.losses[i].value);
  for (size_t i = 0; i < into.parts.size(); ++i) choose(chosen, from.parts[i], into.parts[i]);
}

class TaskSpecific final : public Attention {
 public:
  TaskSpecific(const TaskSpecificConfig& config, const AttentionDims& dims) {
    HEED_CHECK(dims.tags > 0, "no tags");
    for (size_t tag = 0; tag < static_cast<size_t>(dims.tags); ++tag)
      add(fmt::format("tag_{}", tag), build(*config.attention, dims));
  }

  void start(const Sources& sources, StateView state) override {
    const Tensor& tags = sources.begin()->second.features.at(kTag);  // [R]
    for (size_t tag = 0; tag < tags_.size(); ++tag) {
      const Tensor chosen = tags == static_cast<int64_t>(tag);  // [N]
      if (!state.pass().training && !chosen.any().item<bool>()) continue;
      state.put(tags_[tag].chosen, chosen);
      tags_[tag].attention->start(sources, state[tags_[tag].state]);
    }
  }

  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override {
    std::optional<Attended> result;
    for (const Tagged& tag : tags_) {
      if (!state.has(tag.chosen)) continue;
      const Attended found = tag.attention->attend(query, positions, state[tag.state]);
      if (result) {
        choose(state.get(tag.chosen), found, *result);
      } else {
        result = found;
      }
    }
    HEED_CHECK(result.has_value(), "no tag");
    return *result;
  }

 private:
  struct Tagged {
    std::shared_ptr<Attention> attention;
    MemorySlot chosen;  // [N] true if a sentence has the tag; empty if none has
    StateBlock state;
  };
  void add(const std::string& name, std::shared_ptr<Attention> attention) {
    tags_.push_back({register_module(name, attention), layout_.memory(name + ".chosen"),
                     layout_.block(name, attention->layout())});
  }

  std::vector<Tagged> tags_;
};

}  // namespace

std::shared_ptr<Attention> builders::task_specific(const AttentionConfig& config,
                                                   const AttentionDims& dims) {
  return std::make_shared<TaskSpecific>(settings_as<TaskSpecificConfig>(config), dims);
}

}  // namespace heed
