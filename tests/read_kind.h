// Reads one kind of a config.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "config/reader.h"

namespace heed {

// Reads one of the kinds from `text`, over `before` if it is given.
template <class K>
std::shared_ptr<K> read_kind(const Registry<K>& kinds, const std::string& text,
                             std::type_identity_t<std::shared_ptr<K>> before = nullptr) {
  struct Any final : Settings {
    const Registry<K>* kinds;
    std::shared_ptr<K> one;
    void fields(Fields& f) override { f.one_of("one", one, *kinds, ""); }
  } any;
  any.kinds = &kinds;
  any.one = std::move(before);
  read_config_text("{one: " + text + "}", text, any);
  return any.one;
}

}  // namespace heed
