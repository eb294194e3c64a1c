// The page of the server as one HTML file with its own engine, which works without a server or a network.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Files of the module for browsers (src/browser/), as their bytes.
struct BrowserModule {
  std::string interface;  // heed.js
  std::string worker;     // heed-worker.js
  std::string wasm;       // heed.wasm.gz
  std::string plain;      // heed-plain.wasm.gz, for browsers that cannot run it
};

// name: of the model, as the page shows it. model: the bytes of a packed model.
std::string offline_page(const BrowserModule& module, const std::string& name,
                         std::string_view model);

}  // namespace heed
