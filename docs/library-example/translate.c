/* translate_c MODEL TEXT: the three best translations with their scores. */
#include <heed/translator_c.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: translate_c MODEL TEXT\n"), 2;
  heed_options *options = heed_options_new();
  heed_translator *translator = NULL;
  heed_translations *found = NULL;
  const char *texts[] = {argv[2]};
  heed_status status = heed_options_set(options, "nbest", "3");
  if (status == HEED_OK) status = heed_open(argv[1], options, &translator);
  if (status == HEED_OK) status = heed_translate(translator, texts, 1, options, &found);
  if (status != HEED_OK) fprintf(stderr, "translate_c: %s\n", heed_last_error());
  for (size_t k = 0; k < heed_nbest(found, 0); ++k)
    printf("%s\t%.6f\n", heed_text(found, 0, k), heed_score_of(found, 0, k));
  heed_translations_free(found);
  heed_close(translator);
  heed_options_free(options);
  return status;
}
