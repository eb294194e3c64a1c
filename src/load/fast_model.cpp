#include "load/fast_model.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/fast_paths.h"
#include "base/file.h"
#include "base/model_folder.h"
#include "inference/engine_shape.h"
#include "inference/ensemble_engine.h"
#include "load/model_path.h"
#include "load/text_models.h"
#include "model/saved_model_config.h"

namespace heed {

namespace {

// A GPU that libtorch might use.
bool may_have_gpu() {
  return std::ranges::any_of(std::vector<fs::path>{"/dev/nvidiactl", "/dev/dxg", "/dev/kfd"},
                             is_there);
}

// auto, cpu, cuda or cuda:N.
void check_device(const std::string& device) {
  constexpr std::string_view kNumbered = "cuda:";
  const bool is_numbered =
      device.starts_with(kNumbered) && device.size() > kNumbered.size() &&
      device.find_first_not_of("0123456789", kNumbered.size()) == std::string::npos;
  if (device != "auto" && device != "cpu" && device != "cuda" && !is_numbered)
    throw_error(ErrorKind::kUsage, "device '{}': expected auto, cpu or cuda:N", device);
}

// Finds mistakes that the message of a missing libtorch would hide.
void check(const ModelRequest& request) {
  check_device(request.device);
  for (const std::string& path : request.paths) {
    refuse_other_than_model(path);
    read_model(path, [](const fs::path&) {});
  }
}

// The part of the request that needs libtorch, whatever the model is.
std::optional<std::string> need_of_request(const ModelRequest& request) {
  if (request.device == "auto" && may_have_gpu())
    return "a GPU (device auto; device cpu does without for standard models)";
  if (request.device != "cpu" && request.device != "auto") return "device " + request.device;
  if (!fast_paths()) return "HEED_PLAIN=1 of the environment";
  return std::nullopt;
}

}  // namespace

std::optional<TextModel> load_fast_model(const ModelRequest& request) {
  check(request);
  if (need_of_request(request)) return std::nullopt;
  std::vector<SavedEngine> models;
  for (const std::string& path : request.paths) {
    std::optional<SavedEngine> saved;
    read_model(path,
               [&](const fs::path& folder) { saved = load_engine(folder, request.precision); });
    if (!saved) return std::nullopt;
    models.push_back(std::move(*saved));
  }
  std::vector<const ModelText*> texts;
  std::vector<std::shared_ptr<const Engine>> engines;
  for (const SavedEngine& model : models) {
    texts.push_back(&model.text);
    engines.push_back(model.engine);
  }
  TextModel model = text_model(texts);
  model.engine = ensemble_of(std::move(engines), model.target_codec().vocabulary().size());
  return model;
}

std::string reason_for_libtorch(const ModelRequest& request) {
  if (const auto need = need_of_request(request)) return *need;
  for (const std::string& path : request.paths) {
    bool has_engine = false;
    read_model(path, [&](const fs::path& folder) {
      has_engine = engine_shape(read_model_config(folder)).has_value();
    });
    if (!has_engine) return "the model " + path;
  }
  return "the model " + request.paths.at(0);
}

}  // namespace heed
