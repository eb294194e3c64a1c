// The extension module, which heed/__init__.py makes the package of.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "heed/translator.h"
#include "python/calls.h"
#include "python/errors.h"
#include "python/results.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace heed::python {

namespace {

using Inputs = std::vector<std::vector<std::string>>;

void load(Translator* self, const std::vector<std::string>& models, const std::string& device,
          const std::string& precision) {
  StopFlag never = false;
  LoadOptions options;
  options.device = device;
  options.precision = precision;
  new (self) Translator(run_unlocked([&] { return Translator(models, options); }, never));
}

std::vector<Translations> translate(const Translator& self, const Inputs& sources, int64_t nbest,
                                    bool alignment, bool attention, bool replace_unknown,
                                    bool split, const std::string& tag, int64_t batch,
                                    int64_t workers,
                                    const std::map<std::string, std::string>& search) {
  std::vector<std::string> warnings;
  StopFlag stop = false;
  TranslateOptions options;
  options.batch = batch;
  options.workers = workers;
  options.tag = tag;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  options.nbest = nbest;
  options.alignment = alignment;
  options.attention = attention;
  options.replace_unknown = replace_unknown;
  options.split = split;
  options.search = search;
  options.stop = [&stop] { return stop.load(); };
  auto found = run_unlocked([&] { return self.translate_inputs(sources, options); }, stop);
  warn(warnings);
  return found;
}

std::vector<Score> score(const Translator& self, const Inputs& sources,
                         const std::vector<std::string>& targets, const std::string& tag,
                         int64_t batch, int64_t workers) {
  std::vector<std::string> warnings;
  StopFlag never = false;
  TextOptions options;
  options.batch = batch;
  options.workers = workers;
  options.tag = tag;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  auto scores = run_unlocked([&] { return self.score_inputs(sources, targets, options); }, never);
  warn(warnings);
  return scores;
}

}  // namespace

}  // namespace heed::python

NB_MODULE(_heed, module) {
  using heed::Translator;
  module.doc() = "The library of heed; use the package `heed`.";
  module.attr("version") = heed::version();
  heed::python::add_errors();
  heed::python::add_results(module);
  nb::class_<Translator>(module, "Translator")
      .def("__init__", &heed::python::load, "models"_a, "device"_a, "precision"_a)
      .def_prop_ro("inputs", &Translator::inputs)
      .def_prop_ro("tags", &Translator::tags)
      .def("translate", &heed::python::translate, "sources"_a, "nbest"_a, "alignment"_a,
           "attention"_a, "replace_unknown"_a, "split"_a, "tag"_a, "batch"_a, "workers"_a,
           "search"_a)
      .def("score", &heed::python::score, "sources"_a, "targets"_a, "tag"_a, "batch"_a,
           "workers"_a);
}
