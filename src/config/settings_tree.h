// From settings to a tree, with every default: what the writer prints.
#pragma once

#include "config/fields.h"
#include "config/tree.h"

namespace heed {

// Scalars of texts and paths are marked as quoted. The settings stay as they are.
Node settings_tree(const Settings& settings);

// The value of one field, for whoever visits fields.
Node scalar_tree(const ScalarField& field);
Node optional_section_tree(const OptionalSectionField& field);
Node kind_tree(const KindField& field);
Node list_tree(const ListField& field);
Node map_tree(const MapField& field);

}  // namespace heed
