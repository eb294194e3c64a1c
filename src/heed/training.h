// Training of models, as a library. docs/library.md has examples.
//
//   heed::TrainingOptions options;
//   options.set = {{"train.max_updates", "1000"}};
//   const heed::TrainedRun run = heed::train("en-de.yaml", options);
//   const heed::Translator translator(run.folder);
//
// The run is that of `heed train` with the same config: the same files, and the same model bit for
// bit. The library opens libheed_network and libtorch. One training at a time runs in a process.
#pragma once

#include "heed/training_v0.h"
#include "heed/translator.h"
