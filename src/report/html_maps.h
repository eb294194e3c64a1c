// A page with several attention maps (layers, heads) and a list to choose from: one map at a time or
// all side by side, light or dark as the browser asks. It refers to no other files; without
// JavaScript it shows all maps.
#pragma once

#include <string>
#include <vector>

#include "report/attention_map.h"

namespace heed {

// The maps are listed by their names, else by their titles or numbers; all have one color scale.
// selected: the index of the one that is shown first. width: of each map in pixels; 0: its own.
// Error(kData) without a map, and as check_map says.
std::string html_maps(const std::string& title, const std::vector<AttentionMap>& maps,
                      size_t selected = 0, double width = 0);

}  // namespace heed
