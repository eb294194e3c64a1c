/* heed/translator.h for C, and for languages that call C. No exception crosses it.
 *
 *   heed_translator *translator;
 *   heed_translations *found;
 *   const char *texts[] = {"The door is closed."};
 *   if (heed_open("runs/en-de", NULL, &translator) != HEED_OK ||
 *       heed_translate(translator, texts, 1, NULL, &found) != HEED_OK)
 *     fprintf(stderr, "%s\n", heed_last_error());
 *   else
 *     puts(heed_text(found, 0, 0));
 *
 * Strings are UTF-8 and end in a zero byte. Results belong to the object that they are read from and
 * live as long as it does. Several threads may use one translator; an options object belongs to one
 * thread at a time. Wherever it is asked for what is not there, a function returns NULL, 0 or NaN; NULL
 * in place of a number that it would write is an error as well, which heed_last_error() names.
 */
#ifndef HEED_TRANSLATOR_C_H
#define HEED_TRANSLATOR_C_H

#include <stddef.h>
#include <stdint.h>

#include "heed/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  HEED_OK = 0,
  HEED_FAILURE = 1, /* none of the others */
  HEED_USAGE = 2,   /* an option, or texts that do not fit the model's inputs */
  HEED_DATA = 3,    /* a text that cannot be used */
  HEED_MODEL = 4,   /* a model that is missing, damaged or of another kind */
  HEED_IO = 5,      /* a file that cannot be opened, libtorch that is missing */
  HEED_DIVERGED = 6 /* a training that gave values that are not numbers */
} heed_status;

typedef struct heed_options heed_options;
typedef struct heed_translator heed_translator;
typedef struct heed_translations heed_translations;

HEED_API const char* heed_version(void); /* of the library: "0.1.0" */

/* Of the last call of this thread that failed; "" if there is none. */
HEED_API const char* heed_last_error(void);

/* Options by name. Of loading: device, precision. Of translation and scoring: batch, workers, tag,
 * source_language, target_language.
 * Of translation: nbest, alignment, attention, replace_unknown, split (true or false), and search.KEY
 * for each key of the config's section `search`. heed/translator.h describes them. */
HEED_API heed_options* heed_options_new(void); /* NULL: out of memory */
HEED_API heed_status heed_options_set(heed_options* options, const char* name, const char* value);
HEED_API void heed_options_free(heed_options* options);

/* Functions of the caller, with the `data` that they get; NULL: none. They must not throw.
 * on_warning receives each warning of a call before it returns, in the thread of the call.
 * stop_if is called before each batch of a translation, from several threads; another result than 0
 * ends the call with HEED_FAILURE. */
typedef void (*heed_on_warning)(const char* message, void* data);
typedef int (*heed_stop_if)(void* data);
HEED_API heed_status heed_options_on_warning(heed_options* options, heed_on_warning function,
                                             void* data);
HEED_API heed_status heed_options_stop_if(heed_options* options, heed_stop_if function, void* data);

/* A run, a checkpoint or a model folder. Wherever there are options, NULL stands for the defaults. */
HEED_API heed_status heed_open(const char* model, const heed_options* options,
                               heed_translator** translator);
HEED_API heed_status heed_open_ensemble(const char* const* models, size_t count,
                                        const heed_options* options, heed_translator** translator);
HEED_API void heed_close(heed_translator* translator);

/* Translates `count` texts. A model with several inputs reads inputs x count texts: those of the
 * first translation, then those of the second. */
HEED_API size_t heed_input_count(const heed_translator* translator);
HEED_API const char* heed_input_name(const heed_translator* translator, size_t input);
/* Tags that a text may have. */
HEED_API size_t heed_tag_count(const heed_translator* translator);
HEED_API const char* heed_tag_name(const heed_translator* translator, size_t tag);
HEED_API heed_status heed_translate(const heed_translator* translator, const char* const* texts,
                                    size_t count, const heed_options* options,
                                    heed_translations** translations);
HEED_API void heed_translations_free(heed_translations* translations);

/* Of text i, from 0, and its translation k, the best is 0. */
HEED_API size_t heed_nbest(const heed_translations* translations, size_t i);
HEED_API const char* heed_text(const heed_translations* translations, size_t i, size_t k);
HEED_API double heed_score_of(const heed_translations* translations, size_t i, size_t k);
HEED_API double heed_log_probability(const heed_translations* translations, size_t i, size_t k);
HEED_API int heed_finished(const heed_translations* translations, size_t i, size_t k);

/* Tokens of the source, and of a translation; the end of each has no token of its own. */
HEED_API size_t heed_source_token_count(const heed_translations* translations, size_t i);
HEED_API const char* heed_source_token(const heed_translations* translations, size_t i, size_t n);
HEED_API size_t heed_token_count(const heed_translations* translations, size_t i, size_t k);
HEED_API const char* heed_token(const heed_translations* translations, size_t i, size_t k,
                                size_t n);
/* `count` log-probabilities, of each token and of the end; none of an empty text. */
HEED_API const double* heed_token_log_probabilities(const heed_translations* translations, size_t i,
                                                    size_t k, size_t* count);
/* `count` pairs of a source word and a target word, from 0. */
HEED_API const int64_t* heed_alignment(const heed_translations* translations, size_t i, size_t k,
                                       size_t* count);
/* Rows of the tokens and the end, columns of the source tokens and the end, row by row. */
HEED_API const float* heed_attention(const heed_translations* translations, size_t i, size_t k,
                                     size_t* rows, size_t* columns);

/* Warnings of text i: kind, such as "cut" or "unknown" (docs/warnings.md lists them), and message. */
HEED_API size_t heed_warning_count(const heed_translations* translations, size_t i);
HEED_API const char* heed_warning_kind(const heed_translations* translations, size_t i, size_t n);
HEED_API const char* heed_warning_message(const heed_translations* translations, size_t i,
                                          size_t n);

/* Writes the log-probability of targets[i] as a translation of sources[i]; sources as those of
 * heed_translate(). */
HEED_API heed_status heed_score(const heed_translator* translator, const char* const* sources,
                                const char* const* targets, size_t count,
                                const heed_options* options, double* log_probabilities);
/* The same with tokens: translation 0 of text i is targets[i], of which can be read: text,
 * log-probability, tokens and their log-probabilities. */
HEED_API heed_status heed_score_tokens(const heed_translator* translator,
                                       const char* const* sources, const char* const* targets,
                                       size_t count, const heed_options* options,
                                       heed_translations** scores);

/* Trains a run as heed/training.h does; it needs libtorch. config: path of the YAML file. Options: run,
 * device, start (new, resume, resume_or_new or overwrite), data_changed (true or false), and set.KEY for
 * each key of the config. on_log receives each line of the log; level: "info", "warn" or "error".
 * stop_if ends the training with a checkpoint. */
typedef struct heed_run heed_run;
typedef void (*heed_on_log)(const char* level, const char* message, void* data);
HEED_API heed_status heed_options_on_log(heed_options* options, heed_on_log function, void* data);
HEED_API heed_status heed_train(const char* config, const heed_options* options, heed_run** run);
HEED_API const char* heed_run_folder(const heed_run* run);
HEED_API int heed_run_finished(const heed_run* run); /* 0: stopped before its end */
HEED_API int64_t heed_run_updates(const heed_run* run);
HEED_API void heed_run_free(heed_run* run);

#ifdef __cplusplus
}
#endif

#endif
