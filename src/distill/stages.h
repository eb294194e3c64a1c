// The stages of a distillation. Each function adds some of them to the plan, in the order of these
// lines: a stage reads files of those before it.
#pragma once

#include "distill/distill_plan.h"

namespace heed {

void add_model_stages(DistillPlan& plan);        // teacher, reverse
void add_text_stages(DistillPlan& plan);         // back_translation, text
void add_translation_stages(DistillPlan& plan);  // translation, choice
void add_filter_stages(DistillPlan& plan);       // scores, filter
void add_student_stages(DistillPlan& plan);      // alignment, student, pack
void add_evaluation_stage(DistillPlan& plan);    // evaluation

// Appends values that become those of the list.
template <class T, class More>
void append(std::vector<T>& list, const More& more) {
  list.insert(list.end(), more.begin(), more.end());
}
inline void append(std::vector<std::filesystem::path>& list, const TextAndReference& files) {
  append(list, std::initializer_list<std::filesystem::path>{files.source, files.reference});
}
inline void append(std::vector<std::string>& list, std::initializer_list<std::string> more) {
  list.insert(list.end(), more);
}

// All settings of a run but its folder and its test sets, which the stage `evaluation` has.
std::string settings_of(RunConfig config);
// The same by their keys.
FlatConfig named_settings_of(RunConfig config);
// Adds the files of the texts of a corpus.
void add_texts(const CorpusFiles& corpus, std::vector<std::filesystem::path>& inputs);

}  // namespace heed
