// Translation with trained models of heed, as a library. docs/library.md has examples.
//
//   heed::Translator translator("runs/en-de");
//   for (const auto& result : translator.translate({"The door is closed."}))
//     std::cout << result.best.front().text << "\n";
//
// Standard models (docs/library.md) need nothing else; for other models and GPUs the library opens
// libheed_network and libtorch on first need. Nothing is written to the standard streams. All text is
// UTF-8.
#pragma once

#include "heed/translator_v0.h"

namespace heed {
using namespace v0;
}
