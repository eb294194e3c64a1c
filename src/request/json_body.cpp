#include "request/json_body.h"

#include "request/http_error.h"

namespace heed {

namespace {

template <class... Args>
[[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args) {
  throw_http_error(HttpStatus::kBadRequest, format, std::forward<Args>(args)...);
}

class BodyParser final : public nlohmann::json_sax<Json> {
 public:
  explicit BodyParser(int64_t values) : most_values_(values) {}
  Json whole;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(int64_t value) override { return add(value); }
  bool number_unsigned(uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // not in JSON text
  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& key) override {
    constexpr size_t kMembers = 100, kBytes = 100;
    Json& object = *open_.back();
    if (key.size() > kBytes) reject("the body has a key of more than {} bytes", kBytes);
    if (object.size() == kMembers) reject("an object has more than {} fields", kMembers);
    if (object.contains(key)) reject("{}: is there twice; leave one of them out", key);
    member_ = &object[key];
    return true;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const nlohmann::detail::out_of_range*>(&error) != nullptr)
      reject("the body has a number that is too large");
    reject("the body is not JSON up to byte {}; expected such as {{\"text\": \"A man sleeps.\"}}",
           position);
  }

 private:
  Json& place(Json value) {
    if (++values_ > most_values_) reject("the body has more than {} values", most_values_);
    if (open_.empty()) return whole = std::move(value);
    Json& around = *open_.back();
    if (around.is_array()) return around.emplace_back(std::move(value));
    return *member_ = std::move(value);
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json empty) {
    constexpr size_t kDepth = 8;
    if (open_.size() == kDepth) reject("the body is nested deeper than {} levels", kDepth);
    open_.push_back(&place(std::move(empty)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const int64_t most_values_;
  int64_t values_ = 0;
  std::vector<Json*> open_;  // lists and objects, the innermost last
  Json* member_ = nullptr;   // whose value comes next
};

}  // namespace

Json parse_body(const std::string& body, const ServeLimits& limits) {
  BodyParser parser(limits.values());
  Json::sax_parse(body, &parser);
  return std::move(parser.whole);
}

Json parse_object(const std::string& body, const ServeLimits& limits) {
  Json json = parse_body(body, limits);
  if (!json.is_object())
    reject("the body is not an object; expected such as {{\"text\": \"A man sleeps.\"}}");
  return json;
}

}  // namespace heed
