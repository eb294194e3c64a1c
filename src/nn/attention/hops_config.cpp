#include "nn/attention/hops_config.h"

#include "config/sizes.h"

namespace heed {

void HopsConfig::fields(Fields& f) {
  RereadingConfig::fields(f);
  f.field("hops", hops, kRounds, "number of hops");
}

namespace kinds {
Kind<AttentionConfig> hops() {
  return kind<HopsConfig, AttentionConfig>("hops",
                                           "several hops, with parameters shared or not; the "
                                           "context vector updates the query (Sukhbaatar 2015)");
}
}  // namespace kinds

}  // namespace heed
