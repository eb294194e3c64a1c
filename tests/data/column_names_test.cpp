#include "data/column_names.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(ColumnNames, AreUsualWordsAndLanguages) {
  const std::vector<std::vector<std::string>> names{
      {"source", "target"},       {"Source", "Target"},    {"en", "de"},
      {"deu_Latn", "eng"},        {"english", "german"},   {"English", "German"},
      {"Englisch", "Deutsch"},    {"français", "English"}, {"text_en", "text_de"},
      {"id", "english", "german"}};
  for (const auto& cells : names) EXPECT_TRUE(are_column_names(cells)) << cells.front();
  const std::vector<std::vector<std::string>> sentences{
      {"hello", "hallo"},   {"Go.", "Geh."},         {"run", "lauf"}, {"english", "a house"},
      {"no", "nein"},       {"The house", "german"}, {"", ""},        {"\xff", "de"},
      {"anglais", "german"}};
  for (const auto& cells : sentences) EXPECT_FALSE(are_column_names(cells)) << cells.front();
}

}  // namespace
}  // namespace heed
