// The command line: one file for each sub-command, with a function that declares it. Wrong
// arguments throw Error(kUsage).
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace heed {

// Reads the arguments and runs the chosen command; returns the exit code.
int run_command_line(int argc, char** argv);

// Action of the chosen sub-command; set while the arguments are read, called afterwards.
using Chosen = std::function<int()>;

void add_train(CLI::App& app, Chosen& chosen);
void add_translate(CLI::App& app, Chosen& chosen);
void add_summarize(CLI::App& app, Chosen& chosen);
void add_join(CLI::App& app, Chosen& chosen);
void add_serve(CLI::App& app, Chosen& chosen);
void add_generate(CLI::App& app, Chosen& chosen);
void add_score(CLI::App& app, Chosen& chosen);
void add_evaluate(CLI::App& app, Chosen& chosen);
void add_compare(CLI::App& app, Chosen& chosen);
void add_inspect(CLI::App& app, Chosen& chosen);
void add_average(CLI::App& app, Chosen& chosen);
void add_import(CLI::App& app, Chosen& chosen);
void add_export(CLI::App& app, Chosen& chosen);
void add_vocab(CLI::App& app, Chosen& chosen);
void add_shortlist(CLI::App& app, Chosen& chosen);
void add_split(CLI::App& app, Chosen& chosen);
void add_tokenize(CLI::App& app, Chosen& chosen);
void add_config(CLI::App& app, Chosen& chosen);
void add_attention(CLI::App& app, Chosen& chosen);
void add_plot(CLI::App& app, Chosen& chosen);
void add_plot_curves(CLI::App& plot, Chosen& chosen);
void add_runs(CLI::App& app, Chosen& chosen);
void add_completion(CLI::App& app, Chosen& chosen);
void add_manual(CLI::App& app, Chosen& chosen);

}  // namespace heed
