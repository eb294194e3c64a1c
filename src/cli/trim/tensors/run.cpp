#include <utility>

#include "base/columns.h"
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "cli/model_path.h"
#include "cli/tensors/entry.h"
#include "cli/translate/interruption.h"
#include "cli/trim/options.h"
#include "cli/trim/trim_texts.h"
#include "load/pack_model.h"
#include "model/model_size.h"
#include "packed/stored_tensors.h"
#include "run/checkpoint_files.h"
#include "train/next_command.h"
#include "train/trimmed_model.h"

namespace heed {

namespace {

std::string percent(int64_t part, int64_t whole) {
  return fmt::format(
      "{:.2f}%", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<TextColumn> columns(rows.front().size());
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      columns[i].cells.push_back(row[i]);
      columns[i].right = i > 0;
    }
  }
  return fmt::format("{}\n", fmt::join(align_columns(columns), "\n"));
}

std::string size_table(const LoadedModel& before, const LoadedModel& now) {
  std::vector<std::vector<std::string>> rows = {{"", "before", "after", "kept"}};
  const auto add = [&rows](const std::string& name, int64_t own_before, int64_t own_now) {
    rows.push_back(
        {name, format_count(own_before), format_count(own_now), percent(own_now, own_before)});
  };
  for (const auto& [side, unused] : now.config.text)
    add(side + ": tokens", before.codecs.at(side)->vocabulary().size(),
        now.codecs.at(side)->vocabulary().size());
  const ModelSize size_before = size_of_model(*before.network), size = size_of_model(*now.network);
  add("parameters", static_cast<int64_t>(size_before.parameters),
      static_cast<int64_t>(size.parameters));
  rows.push_back(
      {"size", format_bytes(size_before.bytes), format_bytes(size.bytes),
       percent(static_cast<int64_t>(size.bytes), static_cast<int64_t>(size_before.bytes))});
  return table(rows);
}

// How a text is tokenized by each of the tokenizers that it is for.
struct SideChange {
  std::string text, side;
  TokenizationChange change;
};

std::vector<SideChange> changes_of(const std::vector<TrimText>& texts, const LoadedModel& before,
                                   const LoadedModel& now, bool warns) {
  std::vector<SideChange> changes;
  for (const TrimText& text : texts) {
    const std::vector<std::string> sides = text.side.empty()
                                               ? sides_apart(before.config.text, before.codecs)
                                               : std::vector<std::string>{text.side};
    for (const std::string& side : sides) {
      SideChange& side_change = changes.emplace_back(SideChange{text.text, side, {}});
      read_trim_text(text, warns, [&](std::string_view line) {
        side_change.change.add(*before.codecs.at(side), *now.codecs.at(side), line);
      });
    }
  }
  return changes;
}

// Says whether the corpus has the tokens that it had.
void check_corpus(const std::vector<TrimText>& corpus, const LoadedModel& before,
                  const LoadedModel& now) {
  int64_t lines = 0, changed = 0;
  for (const auto& [text, side, change] : changes_of(corpus, before, now, /*warns=*/false)) {
    lines += change.lines;
    changed += change.changed_lines;
    if (change.changed_lines > 0)
      spdlog::warn(
          "{} ({}): {} of {} lines have other tokens than before: {} tokens were {}, {} unknown "
          "ones were {}",
          text, side, format_count(change.changed_lines), format_count(change.lines),
          format_count(change.tokens), format_count(change.tokens_before),
          format_count(change.unknown), format_count(change.unknown_before));
  }
  if (changed == 0)
    spdlog::info("the corpus has the same tokens as before: {} lines", format_count(lines));
}

std::string check_table(const std::vector<TrimText>& texts, const LoadedModel& before,
                        const LoadedModel& now) {
  std::vector<std::vector<std::string>> rows = {
      {"check", "lines", "changed", "tokens before", "after", "unknown before", "after"}};
  for (const auto& [text, side, change] : changes_of(texts, before, now, /*warns=*/true)) {
    rows.push_back({fmt::format("{} ({})", text, side), format_count(change.lines),
                    format_count(change.changed_lines), format_count(change.tokens_before),
                    format_count(change.tokens),
                    percent(change.unknown_before, change.tokens_before),
                    percent(change.unknown, change.tokens)});
  }
  return table(rows);
}

void warn_of_left_out(const fs::path& folder) {
  warn_of_rounded_weights(folder);
  if (is_there(folder / kShortlist))
    spdlog::warn(
        "{}: its lexicon for shortlists is left out; give the file to `heed pack --shortlist` "
        "again, which leaves out the lines of tokens that are gone",
        folder.string());
  if (is_plain_file(progress_file(folder.parent_path())))
    spdlog::info("the state of the optimizer is not kept; init.model begins a new training");
}

LoadedModel trimmed(const LoadedModel& model, const std::vector<TrimText>& corpus,
                    const TrimSettings& settings, const fs::path& folder) {
  CorpusTokens tokens(model.config.text, model.codecs);
  for (const TrimText& text : corpus) {
    bool is_first = true;  // time that it is read, perhaps by several tokenizers
    const LineSource lines = [&](const auto& take) {
      read_trim_text(text, /*warns=*/std::exchange(is_first, false), take);
    };
    if (text.side.empty())
      tokens.add_to_all(lines);
    else
      tokens.add(text.side, lines);
  }
  return with_vocabularies(model, tokens.trimmed(folder, settings));
}

int run_trim(const TrimOptions& options) try {
  refuse_output(options.output);
  refuse_other_than_model(options.model);
  const fs::path folder = find_model(options.model);
  const std::vector<std::string> sources = read_model_config(folder).sources;
  const std::vector<TrimText> corpus = trim_texts(options.corpus, sources),
                              others = trim_texts(options.check, sources);
  catch_signals();
  const LoadedModel model = load_model(folder, torch::kCPU);
  stop_if_interrupted();
  AtomicDirectory output(options.output);
  LoadedModel smaller = trimmed(model, corpus, options.settings, output.temporary());
  check_corpus(corpus, model, smaller);
  std::string report = size_table(model, smaller);
  if (!others.empty()) report += "\n" + check_table(others, model, smaller);
  save_model(output.temporary(), smaller.config, smaller.codecs, *smaller.network);
  stop_if_interrupted();
  output.commit();
  print_result(report);
  warn_of_left_out(folder);
  spdlog::info("done; next: {}", next_command(options.output, smaller.config));
  return 0;
} catch (const Stopped& stopped) {
  return report_unwritten(stopped);
}

}  // namespace

}  // namespace heed

extern "C" int heed_trim(const heed::TrimOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_trim(options); }, "trimming a model");
}
