// `heed translate --shard`: from the options to the work of one process.
#pragma once

#include "cli/options.h"
#include "cli/source_reader.h"
#include "cli/translate/constraint_reader.h"
#include "cli/translate/options.h"
#include "translate/batch_translator.h"
#include "translate/shards/shard_outputs.h"

namespace heed {

// Throws Error(kUsage) for standard input and output, which no shard can have.
void refuse_standard_streams(const TranslateOptions& options);
// Each model by the folder that it is in now, as `best` may move while shards are translated. Throws
// as load_text_model() does where there is none.
TranslateOptions with_fixed_models(TranslateOptions options);

// how: the options of the translator.
ShardJob shard_job(const TranslateOptions& options, const BatchTranslatorOptions& how,
                   const SourceReader& reader, const ConstraintReader& constraints);

}  // namespace heed
