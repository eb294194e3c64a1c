// Settings of `type: multi_source` (multi_source.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention/attention_config.h"

namespace heed {

// `combine:` of several sources.
struct SourceCombinationConfig : KindSettings {
  enum class CombineMethod { kConcat, kParallel, kSerial, kFlat, kHierarchical };
  explicit SourceCombinationConfig(CombineMethod method) : method(method) {}
  void fields(Fields&) override {}
  CombineMethod method;
};
struct SerialCombination final : SourceCombinationConfig {
  SerialCombination() : SourceCombinationConfig(CombineMethod::kSerial) {}
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const;
  std::vector<std::string> order;  // of the sources; none: by name
  bool sublayers = true;
};

struct MultiSourceConfig final : AttentionConfig {
  std::shared_ptr<SourceCombinationConfig> combine;
  std::shared_ptr<AttentionConfig> attention;  // of each source, with separate parameters
  MultiSourceConfig();
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  bool reads_several() const override { return true; }
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims&) const override { return 0; }  // those of its parts
  bool hides_unread() const override { return attention->hides_unread(); }
};

// Dimensions for one of the sources; empty name: the first by name. Returns `dims` for an unknown
// source, which the check of the config reports.
AttentionDims dims_of_source(const AttentionDims& dims, const std::string& name);
// Dimensions for one source whose keys and values have this width and no order.
AttentionDims dims_of_width(const AttentionDims& dims, int64_t width);
// Names of all sources, in alphabetical order.
std::vector<std::string> names_of(const AttentionDims& dims);
// Error message for a name that no source has.
std::string no_such_source(const AttentionDims& dims, const std::string& name);

}  // namespace heed
