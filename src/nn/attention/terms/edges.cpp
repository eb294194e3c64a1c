// edges: a query attends to its own position and to keys with an edge between the two (Veličković
// et al. 2018, section 2.1, masked attention over a graph, whose neighbourhoods hold the node
// itself). The edges are a feature of the sentence.
#include "nn/torch.h"

#include "config/older.h"
#include "nn/attention/stages.h"
#include "nn/needs.h"

namespace heed {

namespace {

class Edges final : public Term {
 public:
  explicit Edges(bool itself) : itself_(itself) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor& edges = at.features.at(kEdges);  // [R,S,S]
    const Tensor rows = at.positions.unsqueeze(2).expand({-1, -1, edges.size(2)});
    const Tensor along = edges.gather(1, rows);  // [R,T,S]
    return mask & (itself_ ? along | distances(at).eq(0) : along).unsqueeze(1);
  }

 private:
  bool itself_;
};

struct EdgesConfig final : TermConfig, Needing {
  bool itself = true;
  std::vector<const char*> features() const override { return {kEdges}; }
  void add_needs(Needs& needs) const override { needs.edges = true; }
  void fields(Fields& f) const override {
    earlier(f, "itself", itself, false);
    f.field("itself", itself, "each position also attends to itself (self-loops)");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems);
    if (dims.place == Place::kDecoderSelf)
      problems.add("",
                   "edges connect positions of the source: use it in the encoder's self_attention");
  }
  std::shared_ptr<Term> build(const StageDims&) const override {
    return std::make_shared<Edges>(itself);
  }
};

}  // namespace

namespace kinds {
Kind<TermConfig> edges() {
  return kind<EdgesConfig, TermConfig>(
      "edges",
      "attention to itself and along the edge list of data.train (Veličković 2018, graph "
      "attention)");
}
}  // namespace kinds

}  // namespace heed
