#include "serve/opennmt_api.h"

#include <algorithm>

#include "request/json_body.h"
#include "request/request_texts.h"
#include "translate/search_overrides.h"
#include "translate/split_line.h"
#include "translate/translation_json.h"

namespace heed {

namespace {

// Finds a model by name, or by number as in OpenNMT-py's clients; nullptr if it does not exist.
const OfferedModel* find_by_id(const Json& id, const OfferedModels& models) {
  if (id.is_string()) return models.find(id.get<std::string>());
  const auto count = static_cast<uint64_t>(models.size());
  const bool is_number = id.is_number_unsigned() && id.get<uint64_t>() < count;
  return is_number ? &models.at(id.get<uint64_t>()) : nullptr;
}

const OfferedModel& model_of_id(const Json& id, const OfferedModels& models) {
  if (id.is_null()) return only_model(models, "id");
  const OfferedModel* model = find_by_id(id, models);
  if (model == nullptr)
    throw_http_error(HttpStatus::kNotFound,
                     "id: found {}, expected one of {}, or its number in GET /translator/models",
                     shown(id), fmt::join(models.names(), ", "));
  return *model;
}

// One text of a request in the format of OpenNMT-py's server.
struct OpennmtEntry {
  Json src, id;
  std::optional<int64_t> nbest;
};

OpennmtEntry read_opennmt_entry(const Json& entry, size_t number, const ServeLimits& limits,
                                JsonFields& problems) {
  JsonFields own(entry);
  OpennmtEntry read;
  read.src = *own.any("src");
  if (const Json* id = own.any("id")) read.id = *id;
  read.nbest = own.whole("n_best", {1, limits.beam});
  for (const std::string& other : own.others())
    own.wrong(other, "expected src, id and n_best alone; POST /translate has more fields");
  for (const std::string& problem : own.problems())
    problems.wrong(fmt::format("[{}]", number), problem);
  return read;
}

// id: a name, or the number of a model from 0. Throws HttpError that names everything that is wrong.
TranslateRequest read_opennmt_request(const std::string& body, const OfferedModels& models,
                                      const ServeLimits& limits) {
  const Json json = parse_body(body, limits);
  if (!json.is_array() || json.empty() || std::ssize(json) > limits.texts)
    throw_http_error(HttpStatus::kBadRequest,
                     "expected a list of 1 to {} objects such as {{\"src\": \"A man sleeps.\"}}",
                     limits.texts);
  const auto is_entry = [](const Json& entry) {
    return entry.is_object() && entry.contains("src") && !entry["src"].is_null();
  };
  if (!std::ranges::all_of(json, is_entry))
    throw_http_error(HttpStatus::kBadRequest, "src: missing in an object of the list");
  const Json id = json.front().value("id", Json());
  const OfferedModel& model = model_of_id(id, models);
  TranslateRequest request{
      .model = &model, .text = {}, .lines = {}, .prefixes = {}, .phrases = {}, .how = {}};
  const Json none = Json::object();
  JsonFields fields(none);
  request.how.split = can_split(*model.text);
  SourceTexts reader(*model.text, limits, fields, request.how.split);
  std::vector<OpennmtEntry> entries;
  for (const Json& object : json) {
    const size_t number = entries.size();
    entries.push_back(read_opennmt_entry(object, number, limits, fields));
    request.lines.push_back(reader.read(fmt::format("[{}].src", number), entries.back().src));
  }
  const auto is_of_another = [&](const OpennmtEntry& entry) {
    return !entry.id.is_null() && &model_of_id(entry.id, models) != &model;
  };
  if (std::ranges::any_of(entries, is_of_another))
    fields.wrong("id", "expected one model for all objects of the list");
  const std::optional<int64_t> nbest = entries.front().nbest;
  if (std::ranges::any_of(entries, [&](const auto& entry) { return entry.nbest != nbest; }))
    fields.wrong("n_best", "expected one value for all objects of the list");
  request.prefixes.resize(request.lines.size());
  request.phrases = std::make_shared<const LexicalConstraints>();
  request.how.search = model.search;
  set_nbest(request.how.search, nbest.value_or(1), false);
  request.how.longest_target = limits.tokens;
  if (!fields.problems().empty()) refuse(fields.problems());
  return request;
}

class OpennmtReply final : public TranslateReply {
 public:
  OpennmtReply(const TranslateRequest& request, ReplyTo to)
      : TranslateReply(request.lines.size(), std::move(to)),
        ranks_(request.how.search.nbest, std::vector<Json>(request.lines.size())) {
    for (const SourceLine& line : request.lines) sources_.push_back(line.front());
  }

  // A list shorter than n_best, such as that of an empty line, is filled with empty texts without a
  // score.
  bool add(size_t line, const TranslatedLine& translation) override {
    int64_t bytes = 0;
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      Json& entry = ranks_[rank][line];
      entry = {{"src", sources_[line]}, {"tgt", ""}, {"n_best", ranks_.size()}};
      entry["pred_score"] = nullptr;
      entry["warnings"] = warnings_json(translation.warnings);
      if (rank >= translation.best.size()) continue;
      entry["tgt"] = translation.best[rank].text;
      entry["pred_score"] = translation.best[rank].score;
      entry["finished"] = translation.best[rank].finished;
      bytes += std::ssize(sources_[line]) + std::ssize(translation.best[rank].text);
    }
    constexpr int64_t kCopies = 2;  // JSON, and its text
    return to_.http->reserve(kCopies * bytes);
  }
  void finish() override {
    to_.http->send(static_cast<int>(HttpStatus::kOk), kJsonType,
                   json_text(Json(std::move(ranks_))) + "\n");
  }

 private:
  std::vector<std::string> sources_;
  std::vector<std::vector<Json>> ranks_;  // by rank and line
};

Json opennmt_models_json(const ServedModels& models) {
  Json list = Json::array();
  for (const Json& one : models.facts())
    list.push_back({{"model_id", list.size()},
                    {"model", one["name"]},
                    {"status", one["loaded"] == true ? "ready" : "not_loaded"},
                    {"loaded", one["loaded"]}});
  return list;
}

void translate_for_opennmt(const ApiCall& call, ServedModels& models) {
  TranslateRequest wanted =
      read_opennmt_request(call.request.body, call.models.offered, call.limits());
  const auto model = call.models.at(wanted.model->name);
  models.note_use(model->name);
  const auto receivers = receivers_of(std::make_shared<OpennmtReply>(wanted, call.to),
                                      wanted.lines.size(), model->name);
  enqueue(std::move(wanted), *model, receivers, ServeClock::now() + call.limits().time);
}

}  // namespace

OpennmtApi::OpennmtApi(ServedModels& models)
    : routes_{
          {"/translator/translate", "POST",
           [&models](const ApiCall& call) { translate_for_opennmt(call, models); }},
          {"/translator/models", "GET",
           [&models](const ApiCall& call) { call.send_json(opennmt_models_json(models)); }},
      } {}

}  // namespace heed
