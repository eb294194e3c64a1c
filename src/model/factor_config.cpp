#include "model/factor_config.h"

#include <algorithm>

#include "base/suggest.h"
#include "config/idle.h"
#include "config/sizes.h"
#include "data/data_config.h"

namespace heed {

void FactorConfig::fields(Fields& f) {
  static const Words<Combine> words = {{"concatenate", Combine::kConcatenate},
                                       {"sum", Combine::kSum}};
  f.field("source", source, "source whose words have these labels, if there are several");
  f.field("whole_line", whole_line,
          "a line has one label, such as a language or the tags of an inflected form, which all of "
          "its tokens get; false: a label for each word");
  f.field("width", width, kWidths,
          "width of the embedding of a label; a concatenated one needs it, a sum has that of the "
          "token");
  f.choice("combine", combine, words,
           "combination with the embedding of the token: concatenate, which makes the input of the "
           "encoder wider, or sum");
  f.peers("width", {.opennmt = "feat_vec_size",
                    .marian = "factors-dim-emb",
                    .sockeye = "source-factors-num-embed"});
  f.peers(
      "combine",
      {.opennmt = "feat_merge", .marian = "factors-combine", .sockeye = "source-factors-combine"});
  if (combine == Combine::kSum) idle(f, "width", "with `combine: sum`: it is that of the token");
}

void FactorConfig::validate(Problems& problems) const {
  if (combine == Combine::kConcatenate && !width)
    problems.add("width", "is missing: give the width of its embedding, or `combine: sum`");
}

std::vector<std::string> names_of(const FactorConfigs& factors) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : factors) names.push_back(name);
  return names;
}

int64_t concatenated_width(const FactorConfigs& factors, const std::string& source) {
  int64_t width = 0;
  for (const auto& [name, factor] : factors) {
    if (factor.is_of(source) && factor.combine == Combine::kConcatenate)
      width += factor.width.value_or(0);
  }
  return width;
}

namespace {

void check_source(const FactorConfig& factor, const std::vector<std::string>& sources,
                  Problems& problems) {
  const std::string all = fmt::format("{}", fmt::join(sources, ", "));
  if (!factor.source && sources.size() > 1)
    problems.add("source", fmt::format("is missing: the model has several sources, {}", all));
  if (factor.source && std::ranges::count(sources, *factor.source) == 0)
    problems.add("source", fmt::format("unknown source '{}'; there {} {}{}", *factor.source,
                                       sources.size() == 1 ? "is" : "are", all,
                                       did_you_mean(*factor.source, sources)));
}

}  // namespace

void check_factors(const FactorConfigs& factors, const std::vector<std::string>& sources,
                   Problems& problems) {
  if (factors.empty()) return;
  if (sources.empty())
    return problems.add("", "need a source, which a language model lacks: leave them out");
  for (const auto& [name, factor] : factors) {
    ProblemsAt at(problems, name);
    if (const auto fault = fault_of_factor_name(name, sources)) at.add("", *fault);
    check_source(factor, sources, at);
  }
}

}  // namespace heed
