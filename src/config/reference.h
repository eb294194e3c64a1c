// The reference of every key, generated from the field lists: name, type, range, default, meaning;
// each kind of a `type:` has its own heading.
#pragma once

#include "config/settings.h"

#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

// docs/config.md
std::string config_reference(const Visited& settings);

// Every key with its meaning, a line each; for `heed config explain`.
std::string explain_all(const Visited& settings);

// The entry of one key, `decoder.attention.score.hidden` or any tail of it that is not ambiguous;
// for `heed config explain KEY`. Throws Error(kUsage) with suggestions for a key that does not
// exist.
std::string explain_key(const Visited& settings, const std::string& key);

// docs/migration.md: the keys of other toolkits beside those of heed, from the names that the fields
// state (Fields::peers).
std::string migration_page(const Visited& settings);

}  // namespace heed
