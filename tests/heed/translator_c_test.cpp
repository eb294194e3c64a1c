// heed/translator_c.h beside heed/translator.h.
#include "heed/translator_c.h"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <thread>

#include "heed/models.h"

namespace heed {
namespace {

struct Free {
  void operator()(heed_options* options) const { heed_options_free(options); }
  void operator()(heed_translator* translator) const { heed_close(translator); }
  void operator()(heed_translations* translations) const { heed_translations_free(translations); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

class InterfaceForC : public OfTheLibrary {
 protected:
  static Owned<heed_translator> open(const std::string& model) {
    heed_translator* translator = nullptr;
    EXPECT_EQ(heed_open(model.c_str(), nullptr, &translator), HEED_OK) << heed_last_error();
    return Owned<heed_translator>(translator);
  }
  static Owned<heed_options> options(const std::map<std::string, std::string>& values) {
    Owned<heed_options> all(heed_options_new());
    for (const auto& [name, value] : values)
      EXPECT_EQ(heed_options_set(all.get(), name.c_str(), value.c_str()), HEED_OK)
          << heed_last_error();
    return all;
  }
  static Owned<heed_translations> translate(const heed_translator* translator,
                                            const std::vector<const char*>& texts, size_t count,
                                            const heed_options* options = nullptr) {
    heed_translations* found = nullptr;
    EXPECT_EQ(heed_translate(translator, texts.data(), count, options, &found), HEED_OK)
        << heed_last_error();
    return Owned<heed_translations>(found);
  }
};

void expect_same(const heed_translations* found, size_t i, size_t k, const v0::Translation& one) {
  EXPECT_EQ(heed_text(found, i, k), one.text);
  EXPECT_EQ(heed_score_of(found, i, k), one.score);
  EXPECT_EQ(heed_log_probability(found, i, k), one.log_probability);
  EXPECT_EQ(heed_finished(found, i, k) != 0, one.finished);
  ASSERT_EQ(heed_token_count(found, i, k), one.tokens.size());
  for (size_t n = 0; n < one.tokens.size(); ++n)
    EXPECT_EQ(heed_token(found, i, k, n), one.tokens[n]);
  size_t count = 0, rows = 0, columns = 0;
  const double* values = heed_token_log_probabilities(found, i, k, &count);
  EXPECT_EQ(std::vector<double>(values, values + count), one.log_probabilities);
  const int64_t* words = heed_alignment(found, i, k, &count);
  ASSERT_EQ(count, one.alignment.size());
  for (size_t n = 0; n < count; ++n)
    EXPECT_EQ(std::pair(words[2 * n], words[2 * n + 1]), one.alignment[n]);
  const float* weights = heed_attention(found, i, k, &rows, &columns);
  ASSERT_EQ(rows, one.attention.size());
  for (size_t t = 0; t < rows; ++t)
    EXPECT_EQ(std::vector<float>(weights + t * columns, weights + (t + 1) * columns),
              one.attention[t]);
}

TEST_F(InterfaceForC, GivesWhatTheOneForCppGives) {
  v0::TranslateOptions expected_options;
  expected_options.nbest = 2;
  expected_options.alignment = expected_options.attention = true;
  expected_options.search = {{"beam", "3"}};
  const auto expected =
      v0::Translator(workshop().fast()).translate({"a b c", "", "A\nd"}, expected_options);
  const auto translator = open(workshop().fast());
  const auto own =
      options({{"nbest", "2"}, {"alignment", "true"}, {"attention", "true"}, {"search.beam", "3"}});
  const auto found = translate(translator.get(), {"a b c", "", "A\nd"}, 3, own.get());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(heed_nbest(found.get(), i), expected[i].best.size());
    ASSERT_EQ(heed_source_token_count(found.get(), i), expected[i].source_tokens.size());
    for (size_t n = 0; n < expected[i].source_tokens.size(); ++n)
      EXPECT_EQ(heed_source_token(found.get(), i, n), expected[i].source_tokens[n]);
    for (size_t k = 0; k < expected[i].best.size(); ++k)
      expect_same(found.get(), i, k, expected[i].best[k]);
    ASSERT_EQ(heed_warning_count(found.get(), i), expected[i].warnings.size());
    for (size_t n = 0; n < expected[i].warnings.size(); ++n) {
      EXPECT_EQ(heed_warning_kind(found.get(), i, n), expected[i].warnings[n].kind);
      EXPECT_EQ(heed_warning_message(found.get(), i, n), expected[i].warnings[n].message);
    }
  }
  EXPECT_GT(heed_warning_count(found.get(), 2), 0U);
  EXPECT_STREQ(heed_version(), v0::version());
}

TEST_F(InterfaceForC, Scores) {
  const auto translator = open(workshop().fast());
  const std::vector<const char*> texts{"a b", "c"}, targets{"a", "c"};
  std::vector<double> scores(2);
  ASSERT_EQ(heed_score(translator.get(), texts.data(), targets.data(), 2, nullptr, scores.data()),
            HEED_OK);
  const auto expected = v0::Translator(workshop().fast()).score({"a b", "c"}, {"a", "c"});
  EXPECT_EQ(scores[0], expected[0].log_probability);
  EXPECT_EQ(scores[1], expected[1].log_probability);
}

TEST_F(InterfaceForC, ScoresTokens) {
  const auto translator = open(workshop().fast());
  const std::vector<const char*> texts{"a b", "c"}, targets{"a b", "c"};
  heed_translations* found = nullptr;
  ASSERT_EQ(heed_score_tokens(translator.get(), texts.data(), targets.data(), 2, nullptr, &found),
            HEED_OK);
  const Owned<heed_translations> scores(found);
  const auto expected = v0::Translator(workshop().fast()).score({"a b", "c"}, {"a b", "c"});
  for (size_t i = 0; i < 2; ++i) {
    v0::Translation given;
    given.text = targets[i];
    given.score = given.log_probability = expected[i].log_probability;
    given.tokens = expected[i].tokens;
    given.log_probabilities = expected[i].log_probabilities;
    expect_same(found, i, 0, given);
  }
  EXPECT_EQ(heed_nbest(found, 2), 0U);
}

TEST_F(InterfaceForC, OpensAnEnsemble) {
  const std::string model = workshop().fast();
  const std::vector<const char*> models{model.c_str(), model.c_str()};
  heed_translator* translator = nullptr;
  ASSERT_EQ(heed_open_ensemble(models.data(), 2, nullptr, &translator), HEED_OK)
      << heed_last_error();
  const Owned<heed_translator> owned(translator);
  const auto found = translate(translator, {"a b c"}, 1);
  EXPECT_EQ(heed_text(found.get(), 0, 0),
            v0::Translator({model, model}).translate({"a b c"}).front().best.front().text);
  EXPECT_EQ(heed_open_ensemble(nullptr, 0, nullptr, &translator), HEED_USAGE);
  EXPECT_THAT(heed_last_error(), testing::HasSubstr("no model"));
}

TEST_F(InterfaceForC, GivesWarningsToTheCallerAndIsStoppedByIt) {
  const auto translator = open(workshop().fast());
  const auto own = options({{"batch", "1"}, {"workers", "1"}});
  std::vector<std::string> warnings;
  const auto keep = [](const char* message, void* data) {
    static_cast<std::vector<std::string>*>(data)->emplace_back(message);
  };
  ASSERT_EQ(heed_options_on_warning(own.get(), keep, &warnings), HEED_OK);
  translate(translator.get(), {"a\tb"}, 1, own.get());
  EXPECT_THAT(warnings, testing::ElementsAre(testing::HasSubstr("a tab in the line")));

  int calls = 0;
  const auto stop = [](void* data) { return ++*static_cast<int*>(data) == 2 ? 1 : 0; };
  ASSERT_EQ(heed_options_stop_if(own.get(), stop, &calls), HEED_OK);
  const std::vector<const char*> texts(5, "a b");
  heed_translations* found = nullptr;
  EXPECT_EQ(heed_translate(translator.get(), texts.data(), 5, own.get(), &found), HEED_FAILURE);
  EXPECT_STREQ(heed_last_error(), "stopped by the caller");
  EXPECT_EQ(calls, 2);

  ASSERT_EQ(heed_options_stop_if(own.get(), nullptr, nullptr), HEED_OK);
  ASSERT_EQ(heed_options_on_warning(own.get(), nullptr, nullptr), HEED_OK);
  translate(translator.get(), {"a\tb"}, 1, own.get());
  EXPECT_EQ(warnings.size(), 1U);
  EXPECT_EQ(heed_options_stop_if(nullptr, stop, &calls), HEED_USAGE);
}

TEST_F(InterfaceForC, TextsOfSeveralInputsLieBesideEachOther) {
  const auto translator = open(workshop().other());
  ASSERT_EQ(heed_input_count(translator.get()), 2U);
  EXPECT_STREQ(heed_input_name(translator.get(), 1), "tag");
  ASSERT_EQ(heed_tag_count(translator.get()), 2U);
  EXPECT_STREQ(heed_tag_name(translator.get(), 0), "other");
  EXPECT_EQ(heed_tag_name(translator.get(), 2), nullptr);
  const auto each = translate(translator.get(), {"a b", "same", "c", "other"}, 2);
  const auto tagged = options({{"tag", "other"}});
  const auto all = translate(translator.get(), {"c"}, 1, tagged.get());
  EXPECT_NEAR(heed_score_of(each.get(), 1, 0), heed_score_of(all.get(), 0, 0), 1e-6);
}

TEST_F(InterfaceForC, FailsWithAStatusAndAMessage) {
  heed_translator* none = nullptr;
  EXPECT_EQ(heed_open("nowhere", nullptr, &none), HEED_MODEL);
  EXPECT_EQ(none, nullptr);
  EXPECT_THAT(heed_last_error(), testing::HasSubstr("nowhere"));
  std::thread([] { EXPECT_STREQ(heed_last_error(), ""); }).join();
  const auto translator = open(workshop().fast());
  heed_translations* found = nullptr;
  const char* broken[] = {"a\n"};
  const auto one_line = options({{"split", "false"}});
  EXPECT_EQ(heed_translate(translator.get(), broken, 1, one_line.get(), &found), HEED_DATA);
  const auto own = options({{"search.beem", "2"}});
  const char* whole[] = {"a"};
  EXPECT_EQ(heed_translate(translator.get(), whole, 1, own.get(), &found), HEED_USAGE);
  const auto tagged = options({{"tag", "same"}});
  EXPECT_EQ(heed_translate(translator.get(), whole, 1, tagged.get(), &found), HEED_USAGE);
  EXPECT_EQ(found, nullptr);
  for (const auto& [name, value, message] :
       {std::tuple{"nbets", "2", "nbets: unknown option; did you mean 'nbest'?"},
        std::tuple{"nbest", "two", "nbest: found 'two', expected a whole number"},
        std::tuple{"attention", "1", "attention: found '1', expected true or false"}}) {
    EXPECT_EQ(heed_options_set(own.get(), name, value), HEED_USAGE);
    EXPECT_THAT(heed_last_error(), testing::HasSubstr(message));
  }
}

// 10⁹ translations of each text would take gigabytes before the first is there.
TEST_F(InterfaceForC, HasTheLimitsOfTheProgram) {
  const auto translator = open(workshop().fast());
  const char* texts[] = {"a"};
  for (const auto& [name, value, message] :
       {std::tuple{"nbest", "1000000000",
                   "nbest: found 1000000000, expected a number from 1 to 1000"},
        std::tuple{"batch", "100001", "batch: found 100001, expected a number from 0 to 100000"},
        std::tuple{"workers", "9223372036854775807", "expected a number from 0 to 1024"},
        std::tuple{"search.beam", "1001", "from 1 to 1000"},
        std::tuple{"search.max_length_extra", "9000000000", "from 1 to 65000"}}) {
    heed_translations* found = nullptr;
    const auto own = options({{name, value}});
    EXPECT_EQ(heed_translate(translator.get(), texts, 1, own.get(), &found), HEED_USAGE) << name;
    EXPECT_THAT(heed_last_error(), testing::HasSubstr(message));
    EXPECT_EQ(found, nullptr);
  }
}

TEST_F(InterfaceForC, WhatIsNotThereIsNothing) {
  heed_translator* none = nullptr;
  EXPECT_EQ(heed_open(nullptr, nullptr, &none), HEED_USAGE);
  EXPECT_EQ(heed_translate(nullptr, nullptr, 0, nullptr, nullptr), HEED_USAGE);
  const auto translator = open(workshop().fast());
  const auto found = translate(translator.get(), {"a"}, 1);
  EXPECT_EQ(heed_text(found.get(), 0, 1), nullptr);
  EXPECT_EQ(heed_text(nullptr, 0, 0), nullptr);
  EXPECT_EQ(heed_token(found.get(), 0, 0, 1000), nullptr);
  EXPECT_TRUE(std::isnan(heed_score_of(found.get(), 1, 0)));
  EXPECT_EQ(heed_nbest(found.get(), 1), 0U);
  size_t rows = 7, columns = 7;
  EXPECT_EQ(heed_attention(found.get(), 0, 0, &rows, &columns), nullptr);
  EXPECT_EQ(rows + columns, 0U);
  EXPECT_EQ(heed_token_log_probabilities(found.get(), 0, 0, nullptr), nullptr);
  EXPECT_STREQ(heed_last_error(), "count: found NULL");
  EXPECT_EQ(heed_attention(found.get(), 0, 0, &rows, nullptr), nullptr);
  EXPECT_STREQ(heed_last_error(), "columns: found NULL");
  EXPECT_EQ(heed_alignment(found.get(), 0, 0, nullptr), nullptr);
  EXPECT_EQ(heed_attention(nullptr, 0, 0, nullptr, &columns), nullptr);
  heed_close(nullptr);
  heed_translations_free(nullptr);
  heed_options_free(nullptr);
}

}  // namespace
}  // namespace heed
