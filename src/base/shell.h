// Words of a command that a message asks its reader to type.
#pragma once

#include <string>

namespace heed {

// In quotes where a shell would read it as anything but this word: it's → 'it'\''s'. What
// printable() escapes stands as bash and zsh read it: $'a\x0ab'.
std::string shell_word(const std::string& word);

}  // namespace heed
