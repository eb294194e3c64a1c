// Message catalogues of gettext (.po, .pot).
#pragma once

#include "document/document.h"

namespace heed {

// Each line of a message that has no translation yet is a text; messages with a translation stay. A
// message with plural forms takes the singular for form 0, the plural for the others. Throws
// Error(kData) for what is no catalogue and for another charset than UTF-8.
//
// Own code: the library of gettext is under the GPL, and writes the file anew.
Document read_message_catalogue(const std::string& content, const std::filesystem::path& file);

}  // namespace heed
