// Trees that lie over other trees: a phase over the config, a config over its preset.
#pragma once

#include "config/tree.h"

namespace heed {

// Maps that replace the map below them instead of changing its keys: any with a `type:`, or only
// those with another `type:`. A plain value is one with the type that it names.
enum class TypedMap { kReplaces, kReplacesOther };

// `above` over `below`: maps are merged key by key, and any other value of `above` replaces that of
// `below`.
Node overlaid(Node below, const Node& above, TypedMap typed);

// Gives a tree and everything inside it one place.
void set_places(Node& node, const FilePlace& place);

}  // namespace heed
