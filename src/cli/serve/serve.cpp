// `heed serve`.
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/search_options.h"
#include "cli/serve/serving.h"
#include "config/sizes.h"

namespace heed {

namespace {

constexpr const char* kServerGroup = "Server";
constexpr const char* kLimitGroup = "Limits";

void add_server_options(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--host", options.host,
                  "Address to listen on (127.0.0.1: only programs of this machine); others need "
                  "--token-file")
      ->type_name("ADDRESS")
      ->group(kServerGroup);
  command
      .add_option("--port", options.port,
                  "Port to listen on; 0: a free one, which is logged (8080)")
      ->type_name("N")
      ->check(whole_number({0, 65'535}))
      ->group(kServerGroup);
  command
      .add_option("--token-file", options.token_file,
                  "File with tokens, one on each line: requests without one of them, sent as "
                  "Authorization: Bearer TOKEN, are refused")
      ->type_name("FILE")
      ->group(kServerGroup);
  command
      .add_option("--models", options.models_folder,
                  "Folder below which all models are offered, by their paths in it; a model is "
                  "loaded when a request needs it")
      ->type_name("FOLDER")
      ->group(kServerGroup);
  command
      .add_option("--model-memory", options.model_memory,
                  "Gigabytes of files of models that --models keeps loaded; beyond, the model that "
                  "was used least recently is dropped (a quarter of the memory of the machine)")
      ->type_name("GB")
      ->check(real_number({0, 1e6, true}))
      ->needs("--models")
      ->group(kServerGroup);
  command
      .add_option(
          "--allow-origin", options.origins,
          "Origin of pages, https://example.org, whose requests are answered; *: all pages. "
          "Several times for several")
      ->type_name("ORIGIN")
      ->allow_extra_args(false)
      ->group(kServerGroup);
  command
      .add_flag_callback(
          "--no-pivot", [&options] { options.may_pivot = false; },
          "Never translate by way of a third language where a model of the pair is missing")
      ->group(kServerGroup);
  command
      .add_option("--glossary-match", options.glossary_match,
                  "Words of a term of a glossary that a client makes: exact, or stem for inflected "
                  "forms too (exact)")
      ->type_name("WORD")
      ->check(CLI::IsMember({"exact", "stem"}))
      ->group(kServerGroup);
  command
      .add_option("--log-level", options.log_level,
                  "debug, info, warn or error; debug logs refused requests too (info)")
      ->type_name("WORD")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->group(kServerGroup);
}

void add_limit(CLI::App& command, const char* name, int64_t& value, const IntRange& range,
               const char* help) {
  command.add_option(name, value, help)
      ->type_name("N")
      ->check(whole_number(range))
      ->group(kLimitGroup);
}

void add_limit_options(CLI::App& command, ServeOptions& options) {
  ServeLimits& limits = options.limits;
  add_limit(command, "--max-queue", limits.queue, {1, 1'000'000},
            "Lines of a model that wait; more are refused with status 429 (1024)");
  add_limit(command, "--max-texts", limits.texts, {1, 100'000}, "Texts of a request (256)");
  add_limit(command, "--max-characters", limits.characters, {1, 10'000'000},
            "Characters of a text, a prefix, or all constraints (10000)");
  add_limit(command, "--max-tokens", limits.tokens, kLengths, "Tokens of a translation (2000)");
  add_limit(command, "--max-body", limits.body, {1, 1 << 30}, "Bytes of a request (1048576)");
  add_limit(command, "--max-beam", limits.beam, kBeams,
            "Largest beam and n-best list that a request may ask for (32)");
  command
      .add_option(
          "--max-memory", options.max_memory,
          "Memory of all requests together, in gigabytes, above which they are refused with "
          "status 429 (half of the memory of the machine)")
      ->type_name("GB")
      ->check(real_number({0, 1e6, true}))
      ->group(kLimitGroup);
  command
      .add_option("--time-limit", options.time_limit,
                  "Seconds of a request, after which it is given up with status 504 (60)")
      ->type_name("SECONDS")
      ->check(real_number({0, 86'400, true}))
      ->group(kLimitGroup);
}

}  // namespace

void add_serve(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "serve", "Answer requests for translations over HTTP, with a web page to try a model");
  auto options = std::make_shared<ServeOptions>();
  add_positionals(
      *command, "MODEL", options->models,
      "Run, checkpoint or model folder; several: NAME=MODEL, each with its name. A name "
      "such as en-de says the languages of a model");
  add_server_options(*command, *options);
  add_limit_options(*command, *options);
  add_search_options(*command, options->search);
  add_decoding_options(*command, options->decoding, kTranslatedLines);
  add_precision(*command, options->decoding.precision);
  command->callback([&chosen, options] { chosen = [options] { return run_serve(*options); }; });
}

}  // namespace heed
