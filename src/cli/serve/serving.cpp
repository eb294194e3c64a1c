#include "cli/serve/serving.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/serve/model_loading.h"
#include "cli/serve/models_folder.h"
#include "serve/http_server.h"
#include "serve/origin.h"
#include "serve/service.h"

namespace heed {

namespace {

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

// Browsers send an origin without a path, which a wrong one would never be equal to.
void check_origins(const std::vector<std::string>& origins) {
  for (const std::string& origin : origins) {
    const size_t host = origin.find("://");
    const bool is_origin = host != std::string::npos && host > 0 && origin.size() > host + 3 &&
                           origin.find_first_of("/* ", host + 3) == std::string::npos;
    if (origin != "*" && !is_origin)
      throw_error(ErrorKind::kUsage,
                  "--allow-origin {}: expected an origin such as https://example.org or "
                  "chrome-extension://ID, without a slash at the end, or '*' for all",
                  origin);
  }
}

ServiceOptions service_options(const ServeOptions& options) {
  if (!options.token_file && !is_loopback(options.host))
    throw_error(ErrorKind::kUsage,
                "--host {}: others can reach this address; give --token-file FILE with a token "
                "that they have to send",
                options.host);
  check_origins(options.origins);
  ServiceOptions service{.limits = options.limits,
                         .tokens = {},
                         .origins = options.origins,
                         .glossary_match = glossary_match_of(options.glossary_match)};
  constexpr double kPart = 0.5;  // of the machine's memory
  service.limits.memory = options.max_memory ? *options.max_memory * 1e9 : kPart * machine_memory();
  service.limits.time = std::chrono::milliseconds(std::llround(options.time_limit * 1000));
  if (options.token_file) service.tokens = read_tokens(*options.token_file);
  return service;
}

// often: is called every few seconds until then.
void wait_for_signal(const std::function<void()>& often) {
  constexpr int kTurns = 100;
  for (int turn = 1; caught_signal() == 0; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (turn % kTurns == 0) often();
  }
}

double model_memory(const ServeOptions& options) {
  constexpr double kPart = 0.25;  // of the machine's memory
  return options.model_memory ? *options.model_memory * 1e9 : kPart * machine_memory();
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
  service.add_gauge({.name = "heed_connections", .help = "Open connections", .values = [&server] {
                       return ModelValues{{"", static_cast<double>(server.connections())}};
                     }});
  service.add_gauge({.name = "process_resident_memory_bytes",
                     .help = "Resident memory of the process",
                     .values = [] {
                       return ModelValues{{"", resident_memory()}};
                     }});
}

}  // namespace

int run_serve(const ServeOptions& options) {
  set_up_log(options.log_level);
  if (options.models.empty() && !options.models_folder)
    throw_error(ErrorKind::kUsage, "MODEL is required, or --models with a folder of models");
  ServiceOptions how = service_options(options);
  check_memory(how.limits);
  ServeMemory memory(how.limits.memory);
  auto models = std::make_unique<ServedModels>(options.may_pivot, model_memory(options));
  for (const NamedModel& named : named_models(options.models))
    models->add(served_model(named, options, memory));
  std::optional<ModelsFolder> folder;
  if (options.models_folder) {
    folder.emplace(*options.models_folder, models->names(), options, memory);
    models->offer(folder->scan());
  }
  const std::vector<std::string> names = models->names();
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
                     .values = [&memory] {
                       return ModelValues{
                           {"", static_cast<double>(memory.messages.used() + memory.lines.used())}};
                     }});
  catch_signals();
  spdlog::info("{}: page and API at {}; Ctrl-C ends the server",
               names.empty() ? "no model so far" : fmt::format("{}", fmt::join(names, ", ")),
               server.address());
  wait_for_signal([&] {
    if (folder && folder->has_changed()) service.models().offer(folder->scan());
  });
  spdlog::info("ending; accepted requests are still answered");
  server.drain();
  return 0;
}

}  // namespace heed
