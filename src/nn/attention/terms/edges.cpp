// edges: a query attends to its own position and to keys with an edge between the two (Veličković
// et al. 2018, section 2.1, masked attention over a graph, whose neighbourhoods hold the node
// itself). The edges are a feature of the sentence.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/edges_config.h"

namespace heed {

namespace {

class EdgeMask final : public Term {
 public:
  explicit EdgeMask(bool itself) : itself_(itself) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor& edges = at.features.at(kEdges);  // [R,S,S]
    const Tensor rows = at.positions.unsqueeze(2).expand({-1, -1, edges.size(2)});
    const Tensor along = edges.gather(1, rows);  // [R,T,S]
    return mask & (itself_ ? along | distances(at).eq(0) : along).unsqueeze(1);
  }

 private:
  bool itself_;
};

}  // namespace

std::shared_ptr<Term> builders::edges(const TermConfig& config, const StageDims&) {
  return std::make_shared<EdgeMask>(settings_as<EdgesConfig>(config).itself);
}

}  // namespace heed
