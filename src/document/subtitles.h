// Subtitles: SubRip (.srt) and WebVTT (.vtt).
#pragma once

#include "document/document.h"

namespace heed {

// The words of a subtitle are one text, but in a dialogue, whose lines begin with a dash, each line is
// one. A sentence that goes on in the next subtitle, which then begins in lower case, is one text
// too; its translation is divided between words, in proportion to the parts of the source. A
// translation has the lines of its source, of about equal length. Numbers, times, notes, styles
// and the dashes and voices (<v Anna>) of a dialogue stay. Tags are balanced in each subtitle, and times
// inside of one keep their order.
Document read_subtitles(const std::string& content, const std::filesystem::path& file);

}  // namespace heed
