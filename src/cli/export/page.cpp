#include "cli/export/page.h"

#include <cstdlib>
#include <memory>
#include <optional>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/packed_file.h"
#include "base/run_folder_names.h"
#include "base/system/system.h"
#include "cli/arguments.h"
#include "cli/model_path.h"
#include "cli/new_output.h"
#include "cli/pack/model_card.h"
#include "load/fast_model.h"
#include "load/model_path.h"
#include "load/pack_model.h"
#include "serve/offline_page.h"

namespace heed {

namespace {

struct PageCommand {
  std::string model, output;
  std::optional<std::string> module;
  std::optional<Precision> precision;
};

// A folder that is removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "heed.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw_io_error(name, "make it");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

// The module that scripts/wasm.sh builds, in the folder of --module or installed with the program.
BrowserModule browser_module(const PageCommand& command) {
  const fs::path folder = command.module
                              ? fs::path(*command.module)
                              : own_program().parent_path().parent_path() / "share/heed/browser";
  if (!fs::exists(folder / "heed.wasm.gz"))
    throw_error(ErrorKind::kIo,
                "{}: there is no module for browsers (heed.wasm.gz); scripts/wasm.sh of heed's "
                "source builds it, --module names its folder",
                folder.string());
  return {.interface = read_file(folder / "heed.js"),
          .worker = read_file(folder / "heed-worker.js"),
          .wasm = read_file(folder / "heed.wasm.gz"),
          .plain = read_file(folder / "heed-plain.wasm.gz")};
}

// The packed model, which has an engine at once.
void check_model(const PageCommand& command, const std::string& packed) {
  const ModelRequest request{.paths = {packed}, .device = "cpu"};
  const auto model = load_fast_model(request);
  if (!model)
    throw_error(ErrorKind::kUsage, "{}: {} needs libtorch, which no browser has", command.model,
                reason_for_libtorch(request));
  if (model->sources.empty())
    throw_error(ErrorKind::kUsage, "{}: is a language model, which translates nothing",
                command.model);
}

std::string packed_bytes(const PageCommand& command) {
  refuse_other_than_model(command.model);
  if (is_packed_file(command.model)) {
    if (command.precision)
      throw_error(ErrorKind::kUsage, "--precision: {} is packed already; pack its run once more",
                  command.model);
    check_model(command, command.model);
    return read_file(command.model);
  }
  const ScratchFolder folder;
  const fs::path packed = folder / "model.heed";
  pack_model(command.model, packed,
             {.precision = command.precision.value_or(Precision::kInt8),
              .files = {{kModelCard, model_card(command.model, std::nullopt)}}});
  check_model(command, packed);
  return read_file(packed);
}

int run_page(const PageCommand& command) {
  refuse_existing("-o ", command.output, "file");
  refuse_outputs_in_runs({{"--output", command.output}});
  check_output_path(command.output);
  const BrowserModule module = browser_module(command);
  const std::string model = packed_bytes(command);
  fs::path name = model_name(command.model);
  if (name.extension() == ".heed") name.replace_extension();
  const std::string page = offline_page(module, name.string(), model);
  write_file(command.output, page);
  spdlog::info("{}: {}, of which the model has {}; open it in a browser", command.output,
               format_bytes(static_cast<double>(page.size())),
               format_bytes(static_cast<double>(model.size()) * 4 / 3));
  return 0;
}

}  // namespace

void add_page_export(CLI::App& parent, Chosen& chosen) {
  auto* command = parent.add_subcommand(
      "page", "One HTML file that translates in a browser, without a server or a network");
  auto options = std::make_shared<PageCommand>();
  command->add_option("MODEL", options->model, "A run, checkpoint, model folder or packed model")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "The page, such as translate.html")
      ->required()
      ->type_name("FILE");
  add_precision(
      *command, options->precision,
      "Number format of the weights: int8, bf16 or fp32 (that of a packed model, else int8)");
  command
      ->add_option("--module", options->module,
                   "Folder of the module for browsers that scripts/wasm.sh builds (that of this "
                   "installation)")
      ->type_name("FOLDER");
  command->callback([&chosen, options] { chosen = [options] { return run_page(*options); }; });
}

}  // namespace heed
