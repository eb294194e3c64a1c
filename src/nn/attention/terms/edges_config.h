// Settings of the term edges (edges.cpp).
#pragma once

#include "nn/attention/stage_config.h"
#include "nn/needs_spec.h"

namespace heed {

struct EdgesConfig final : TermConfig, Needing {
  bool itself = true;
  std::vector<const char*> features() const override { return {kEdges}; }
  void add_needs(Needs& needs) const override { needs.edges = true; }
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
