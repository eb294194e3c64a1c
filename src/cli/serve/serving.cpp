#include "cli/serve/serving.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/model_folder.h"
#include "base/utf8.h"
#include "cli/model_path.h"
#include "cli/search_settings.h"
#include "cli/tensor_library.h"
#include "load/with_libtorch.h"
#include "load/worker_count.h"
#include "serve/http_server.h"
#include "serve/origin.h"
#include "serve/service.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

struct NamedModel {
  std::string name, path;
};

std::vector<NamedModel> named_models(const std::vector<std::string>& models) {
  std::vector<NamedModel> named;
  for (const std::string& model : models) {
    const size_t equals = model.find('=');
    NamedModel one = equals == std::string::npos
                         ? NamedModel{model_name(model), model}
                         : NamedModel{model.substr(0, equals), model.substr(equals + 1)};
    if (one.name.empty() || one.path.empty())
      throw_error(ErrorKind::kUsage, "'{}': the {} is empty; expected MODEL or NAME=MODEL", model,
                  one.path.empty() ? "model" : "name");
    if (std::ranges::find(named, one.name, &NamedModel::name) != named.end())
      throw_error(ErrorKind::kUsage,
                  "{}: another model is called '{}' too; give it another name, NAME={}", model,
                  one.name, one.path);
    named.push_back(std::move(one));
  }
  return named;
}

TextModel load_translator(const NamedModel& named, const DecodingOptions& decoding) {
  TextModel model = load_text_model({{named.path}, decoding.device, decoding.precision});
  if (model.sources.empty())
    throw_error(ErrorKind::kUsage,
                "{}: is a language model, which translates nothing; `heed generate` writes its "
                "texts",
                named.path);
  return model;
}

// The memory that all requests to a server share.
struct ServeMemory {
  // Lines in a search have most of it.
  explicit ServeMemory(double bytes) : messages(bytes / 4), lines(bytes - bytes / 4) {}
  MemoryBudget messages, lines;
};

// Limits of a request hold for what the server does where a request says nothing, too.
void check_usual_search(const NamedModel& named, const SearchConfig& search,
                        const ServeLimits& limits) {
  if (search.beam > limits.beam)
    throw_error(ErrorKind::kUsage,
                "{}: searches with a beam of {}, --max-beam allows {}; give --beam or another "
                "--max-beam",
                named.path, search.beam, limits.beam);
  if (const int64_t least = std::max(search.min_length, search.min_new_tokens);
      least > limits.tokens)
    throw_error(ErrorKind::kUsage,
                "{}: translations have {} tokens or more (min_length, min_new_tokens), "
                "--max-tokens allows {}",
                named.path, least, limits.tokens);
}

std::unique_ptr<AttentionMapsSource> attention_maps_of(const ModelRequest& request) try {
  return load_attention_maps(request);
} catch (const MissingLibrary& error) {
  throw HttpError(HttpStatus::kNotImplemented,
                  "this server has no libtorch, which attention maps of all layers need; "
                  "\"attention\": true of POST /translate needs none",
                  error.what());
}

ServedModel served_model(const NamedModel& named, const ServeOptions& options,
                         ServeMemory& memory) {
  ServedModel served;
  served.name = named.name;
  served.text = std::make_shared<const TextModel>(load_translator(named, options.decoding));
  const TextModel& model = *served.text;
  // The links of a run that is still trained may move before its maps are wanted.
  const std::string loaded = fs::canonical(find_model(named.path)).string();
  const ModelSearch usual{model.search, model.has_source_weights};
  served.search = search_config(usual, options.search);
  served.summary_search = search_config(
      {summary_search(usual, options.search), model.has_source_weights}, options.search);
  served.joins = std::make_shared<const WordJoins>(model.target_codec().word_joins());
  served.load_attention = [request = ModelRequest{.paths = {loaded}}] {
    return attention_maps_of(request);
  };
  check_usual_search(named, served.search, options.limits);
  check_usual_search(named, served.summary_search, options.limits);
  const int64_t workers = worker_count(options.decoding.workers, model.on_gpu);
  const int64_t batch =
      options.decoding.batch.value_or(model.engine->best_batch(served.search.hypotheses()));
  served.queue = std::make_unique<TranslationQueue>(
      served.text, QueueOptions{.batch = batch,
                                .workers = workers,
                                .capacity = options.limits.queue,
                                .usual = served.search,
                                .weights = options.limits.weights(),
                                .memory = memory.lines});
  return served;
}

std::vector<std::string> read_tokens(const std::string& file) {
  std::vector<std::string> tokens;
  LineReader reader(file);
  for (std::string line; reader.next(line);) {
    const std::string token = std::string(trimmed(line, " \t\r\v\f"));
    if (std::ranges::any_of(token, [](unsigned char c) { return c <= ' ' || c == 0x7f; }))
      throw_error(ErrorKind::kUsage,
                  "--token-file {}: line {} has white space in a token, which no request can send",
                  file, reader.line_number());
    if (!token.empty()) tokens.push_back(token);
  }
  if (tokens.empty())
    throw_error(ErrorKind::kUsage, "--token-file {}: is empty, expected a token on each line",
                file);
  return tokens;
}

ServiceOptions service_options(const ServeOptions& options) {
  if (!options.token_file && !is_loopback(options.host))
    throw_error(ErrorKind::kUsage,
                "--host {}: others can reach this address; give --token-file FILE with a token "
                "that they have to send",
                options.host);
  ServiceOptions service{.limits = options.limits, .tokens = {}};
  constexpr double kPart = 0.5;  // of the machine's memory
  service.limits.memory = options.max_memory ? *options.max_memory * 1e9 : kPart * machine_memory();
  service.limits.time = std::chrono::milliseconds(std::llround(options.time_limit * 1000));
  if (options.token_file) service.tokens = read_tokens(*options.token_file);
  return service;
}

void wait_for_signal() {
  while (caught_signal() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

// A body takes three times its size (HttpConnection::receive), and one request may have a quarter of
// the memory for messages.
void check_memory(const ServeLimits& limits) {
  constexpr double kLeast = 3 * 4 * 4;
  const double least = kLeast * static_cast<double>(limits.body);
  if (limits.memory < least)
    throw_error(ErrorKind::kUsage, "--max-memory: found {}, a request of --max-body needs {}",
                format_bytes(limits.memory), format_bytes(least));
}

void add_process_gauges(Service& service, const HttpServer& server) {
  service.add_gauge(
      {.name = "heed_connections", .help = "Open connections", .model = "", .value = [&server] {
         return static_cast<double>(server.connections());
       }});
  service.add_gauge({.name = "process_resident_memory_bytes",
                     .help = "Resident memory of the process",
                     .model = "",
                     .value = [] { return resident_memory(); }});
}

}  // namespace

int run_serve(const ServeOptions& options) {
  set_up_log(options.log_level);
  ServiceOptions how = service_options(options);
  check_memory(how.limits);
  ServeMemory memory(how.limits.memory);
  ServedModels models;
  std::vector<std::string> names;
  for (const NamedModel& named : named_models(options.models)) {
    models.add(served_model(named, options, memory));
    names.push_back(named.name);
  }
  Service service(std::move(models), std::move(how));
  ignore_closed_pipes();
  HttpServer server({.host = options.host,
                     .port = options.port,
                     .body = options.limits.body,
                     .memory = memory.messages,
                     .refused = [&](const auto& path,
                                    const auto& error) { service.record_failure(path, error); }},
                    [&](HttpRequest request, std::shared_ptr<HttpReply> reply) {
                      service.handle(std::move(request), reply);
                    });
  add_process_gauges(service, server);
  service.add_gauge({.name = "heed_request_memory_bytes",
                     .help = "Memory that requests have reserved, of --max-memory",
                     .model = "",
                     .value = [&memory] {
                       return static_cast<double>(memory.messages.used() + memory.lines.used());
                     }});
  catch_signals();
  spdlog::info("{}: page and API at {}; Ctrl-C ends the server", fmt::join(names, ", "),
               server.address());
  wait_for_signal();
  spdlog::info("ending; accepted requests are still answered");
  server.drain();
  return 0;
}

}  // namespace heed
