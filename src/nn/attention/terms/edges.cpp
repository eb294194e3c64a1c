// edges: a query reads a key only where an edge leads from the one to the other (Veličković et al.
// 2018, masked attention over a graph). The edges come with the sentence, in its side.
#include "nn/torch.h"

#include "nn/attention/stages.h"

namespace heed {

namespace {

class Edges final : public Term {
 public:
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor& edges = at.side.tensors.at(kEdges);  // [R,S,S]
    const Tensor rows = at.positions.unsqueeze(2).expand({-1, -1, edges.size(2)});
    return mask & edges.gather(1, rows).unsqueeze(1);  // [R,1,T,S]
  }
};

struct EdgesConfig final : TermConfig {
  std::vector<const char*> sides() const override { return {kEdges}; }
  void fields(Fields&) override {}
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems);
    if (dims.place == Place::kDecoderSelf)
      problems.add("",
                   "edges connect positions of the source: use it in the encoder's self_attention");
  }
  std::shared_ptr<Term> build(const StageDims&) const override { return std::make_shared<Edges>(); }
};

}  // namespace

namespace kinds {
Kind<TermConfig> edges() {
  return kind<EdgesConfig, TermConfig>(
      "edges",
      "attention along the edge list of data.train only (Veličković 2018, graph attention)");
}
}  // namespace kinds

}  // namespace heed
