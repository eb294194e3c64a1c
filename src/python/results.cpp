#include "python/results.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "heed/translator.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace heed::python {

namespace {

template <class Value, size_t kRank>
using Array = nb::ndarray<nb::numpy, Value, nb::ndim<kRank>, nb::c_contig>;

// An array with numbers of its own.
template <class Value, size_t kRank>
Array<Value, kRank> array_of(std::vector<Value> values, const size_t (&shape)[kRank]) {
  auto kept = std::make_unique<std::vector<Value>>(std::move(values));
  Value* data = kept->data();
  const nb::capsule owner(kept.release(), [](void* vector) noexcept {
    delete static_cast<std::vector<Value>*>(vector);
  });
  return Array<Value, kRank>(data, kRank, shape, owner);
}

template <class Result>
Array<double, 1> log_probabilities(const Result& result) {
  return array_of(result.log_probabilities, {result.log_probabilities.size()});
}

Array<int64_t, 2> alignment(const Translation& translation) {
  std::vector<int64_t> words;
  for (const auto& [source, target] : translation.alignment) {
    words.push_back(source);
    words.push_back(target);
  }
  return array_of(std::move(words), {translation.alignment.size(), 2});
}

Array<float, 2> attention(const Translation& translation) {
  const size_t columns = translation.attention.empty() ? 0 : translation.attention.front().size();
  std::vector<float> weights;
  for (const auto& row : translation.attention)
    weights.insert(weights.end(), row.begin(), row.end());
  return array_of(std::move(weights), {translation.attention.size(), columns});
}

void add_warning(nb::module_& module) {
  nb::class_<Warning>(module, "TextWarning",
                      "What a person should know of a text and its translation.")
      .def_ro("kind", &Warning::kind, "cut, unknown, …: docs/warnings.md lists them.")
      .def_ro("message", &Warning::message)
      .def("__str__", [](const Warning& warning) { return warning.message; })
      .def("__repr__", [](const Warning& warning) {
        return nb::str("TextWarning(kind={!r}, message={!r})")
            .format(warning.kind, warning.message);
      });
}

constexpr auto kArray = nb::rv_policy::automatic;  // an array owns its numbers

void add_translation(nb::module_& module) {
  nb::class_<Translation>(module, "Translation", "One of the translations of a text.")
      .def_ro("text", &Translation::text)
      .def_ro("score", &Translation::score, "That translations are ranked by.")
      .def_ro("log_probability", &Translation::log_probability,
              "Of the tokens and the end, natural logarithm.")
      .def_ro("finished", &Translation::finished, "False: cut at the maximum length.")
      .def_ro("tokens", &Translation::tokens)
      .def_prop_ro("log_probabilities", &log_probabilities<Translation>, kArray,
                   "Of each token and of the end [tokens + 1].")
      .def_prop_ro("alignment", &alignment, kArray,
                   "Source word and target word, from 0 [pairs, 2]; empty unless it was asked for.")
      .def_prop_ro("attention", &attention, kArray,
                   "Weights [tokens + 1, source tokens + 1], the end last; empty unless they were "
                   "asked for.")
      .def("__str__", [](const Translation& one) { return one.text; })
      .def("__repr__", [](const Translation& one) {
        return nb::str("Translation(text={!r}, score={:.4f})").format(one.text, one.score);
      });
}

const Translation& best_of(const Translations& found) { return found.best.front(); }

void add_translations(nb::module_& module) {
  nb::class_<Translations>(
      module, "Translations",
      "The translations of one text. What a Translation has is here that of the best one.")
      .def_ro("source_tokens", &Translations::source_tokens)
      .def_ro("nbest", &Translations::best, "All of them, best first.")
      .def_ro("warnings", &Translations::warnings, "Of the text and its best translation.")
      .def_prop_ro("text", [](const Translations& found) { return best_of(found).text; })
      .def_prop_ro("score", [](const Translations& found) { return best_of(found).score; })
      .def_prop_ro("log_probability",
                   [](const Translations& found) { return best_of(found).log_probability; })
      .def_prop_ro("finished", [](const Translations& found) { return best_of(found).finished; })
      .def_prop_ro("tokens", [](const Translations& found) { return best_of(found).tokens; })
      .def_prop_ro(
          "log_probabilities",
          [](const Translations& found) { return log_probabilities(best_of(found)); }, kArray)
      .def_prop_ro(
          "alignment", [](const Translations& found) { return alignment(best_of(found)); }, kArray)
      .def_prop_ro(
          "attention", [](const Translations& found) { return attention(best_of(found)); }, kArray)
      .def("__str__", [](const Translations& found) { return best_of(found).text; })
      .def("__repr__", [](const Translations& found) {
        return nb::str("Translations(text={!r}, score={:.4f}, {} of a text)")
            .format(best_of(found).text, best_of(found).score, found.best.size());
      });
}

void add_score(nb::module_& module) {
  nb::class_<Score>(module, "Score", "The probability of a given translation.")
      .def_ro("log_probability", &Score::log_probability,
              "Of the tokens and the end, natural logarithm; -inf: the model excludes it.")
      .def_ro("tokens", &Score::tokens)
      .def_ro("warnings", &Score::warnings, "Of the text.")
      .def_prop_ro("log_probabilities", &log_probabilities<Score>, kArray,
                   "Of each token and of the end [tokens + 1].")
      .def("__float__", [](const Score& score) { return score.log_probability; })
      .def("__repr__", [](const Score& score) {
        return nb::str("Score(log_probability={:.4f})").format(score.log_probability);
      });
}

}  // namespace

void add_results(nb::module_& module) {
  add_warning(module);
  add_translation(module);
  add_translations(module);
  add_score(module);
}

}  // namespace heed::python
