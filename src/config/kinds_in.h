// Visits all kinds inside settings, at any depth.
#pragma once

#include <functional>
#include <string>

#include "config/fields.h"

namespace heed {

// path: key that has the kind, "encoder.word_encoder". Items of a list have the path of the list.
using KindVisitor = std::function<void(const std::string& path, const Settings& kind)>;
// Visits a kind before the kinds inside it.
void visit_kinds(const Visited& settings, const KindVisitor& visit);

}  // namespace heed
