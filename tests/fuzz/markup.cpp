// A line with markup, a translation of it, and attention weights between the two.
#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"
#include "markup/placement.h"
#include "markup/xml_fault.h"

namespace heed {

namespace {

std::vector<std::string> sorted_tags_in(const std::string& line, MarkupFormat format) {
  std::vector<std::string> tags;
  for (const MarkupToken& token : read_markup(line, format))
    if (token.kind != MarkupToken::Kind::kText && token.kind != MarkupToken::Kind::kReference)
      tags.emplace_back(token.raw);
  std::ranges::sort(tags);
  return tags;
}

UnitWeights weights_from(std::string_view bytes, size_t sources, size_t targets) {
  UnitWeights weights(targets, std::vector<float>(sources, 0));
  size_t next = 0;
  for (std::vector<float>& row : weights)
    for (float& weight : row)
      if (!bytes.empty()) weight = static_cast<unsigned char>(bytes[next++ % bytes.size()]);
  return weights;
}

}  // namespace

// No tag is lost, and none is written twice.
void try_input(std::string_view bytes) {
  const std::string source = replace_malformed(take_until(bytes, '\n')),
                    target = replace_malformed(take_until(bytes, '\n'));
  find_xml_fault(source);
  for (const MarkupFormat format : {MarkupFormat::kHtml, MarkupFormat::kXml, MarkupFormat::kNone}) {
    const MarkedLine line =
        read_marked_line(source, {.format = format, .protects = {true, true, true, true}});
    std::string whole = line.between.front();
    for (size_t b = 0; b < line.blocks.size(); ++b) {
      const auto units = source_units(line.blocks[b]), target_units = target_units_of(target);
      if (units.size() * target_units.size() > 100'000) return;
      whole += place_markup(line, line.blocks[b], units, target, target_units,
                            weights_from(bytes, units.size(), target_units.size()))
                   .text;
      whole += line.between[b + 1];
    }
    HEED_CHECK(sorted_tags_in(whole, format) == sorted_tags_in(source, format) ||
                   format == MarkupFormat::kNone,
               "other tags");
  }
}

}  // namespace heed
