// Converts settings to a tree with every default; the writer prints it.
#pragma once

#include "config/fields.h"
#include "config/tree.h"

namespace heed {

// Texts and paths are marked as quoted. The settings are not changed.
Node settings_tree(const Visited& settings);

// True if all keys have the same values.
bool equal(const Visited& a, const Visited& b);

// Trees of single fields, for visitors of fields.
Node scalar_tree(const ScalarField& field);
Node optional_section_tree(const OptionalSectionField& field);
Node kind_tree(const KindField& field);
Node list_tree(const ListField& field);
Node map_tree(const MapField& field);

}  // namespace heed
