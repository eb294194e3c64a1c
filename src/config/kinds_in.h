// Which kinds settings hold, however deep.
#pragma once

#include <functional>
#include <string>

#include "config/fields.h"

namespace heed {

// path: of the key that has the kind, "encoder.word_encoder"; items of lists have no name of their own.
using KindVisitor = std::function<void(const std::string& path, const Settings& kind)>;
// Visits a kind before the kinds inside it.
void visit_kinds(const Settings& settings, const KindVisitor& visit);

}  // namespace heed
