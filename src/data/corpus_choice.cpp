#include "data/corpus_choice.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/compression/compressed_name.h"
#include "base/compression/stored_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "data/column_names.h"
#include "data/markup.h"
#include "data/tmx_source.h"

namespace heed {

namespace {

using JsonRow = nlohmann::ordered_json;
using Form = TextView::Form;

// A column or key, and the first text in it.
struct TableField {
  std::string key, example;
};
using TableFields = std::vector<TableField>;

TableFields fields_of_row(const std::string& line) {
  std::vector<std::string> cells;
  for (const std::string_view cell : split_row(line)) cells.emplace_back(cell);
  const bool named = are_column_names(cells);
  TableFields fields;
  for (size_t i = 0; i < cells.size(); ++i)
    fields.push_back({named ? cells[i] : std::to_string(i + 1), cells[i]});
  return fields;
}

void add_texts(const JsonRow& object, const std::string& prefix, TableFields& fields) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) fields.push_back({prefix + key, value.get<std::string>()});
    if (value.is_object()) add_texts(value, prefix + key + ".", fields);
  }
}

TableFields fields_of_object(const std::string& line, const std::string& file) {
  TableFields fields;
  try {
    add_texts(JsonRow::parse(line), "", fields);
  } catch (const JsonRow::parse_error& error) {
    throw_error(ErrorKind::kData, "{}:1: is not valid JSON at byte {}, expected an object {{…}}",
                file, error.byte);
  }
  return fields;
}

std::string list_fields(const TableFields& fields) {
  constexpr size_t kMost = 12, kWidth = 24;
  std::string text;
  for (size_t i = 0; i < std::min(kMost, fields.size()); ++i) {
    const std::string example = cut_to_width(replace_malformed(fields[i].example), kWidth);
    text += (i > 0 ? ", " : "") + fields[i].key;
    if (example != fields[i].key) text += fmt::format(" ('{}')", example);
  }
  return text + (fields.size() > kMost ? ", …" : "");
}

std::vector<std::string> keys_of(const TableFields& fields) {
  std::vector<std::string> keys;
  for (const TableField& field : fields) keys.push_back(field.key);
  return keys;
}

// The other one of two fields.
std::string remaining(const TableFields& fields, const std::string& other, bool is_tsv) {
  const bool is_first =
      fields[0].key == other || (is_tsv && index_of_column(other, keys_of(fields)) == 0);
  return fields[is_first ? 1 : 0].key;
}

struct Sides {
  std::string source, target;
};

Sides choose_sides(const CorpusOptions& options, const TableFields& fields, Form form,
                   const std::string& command) {
  if (options.source && options.target) return {*options.source, *options.target};
  const char* what = form == Form::kTsv ? "columns" : form == Form::kTmx ? "languages" : "texts";
  if (fields.size() != 2)
    throw_error(ErrorKind::kUsage,
                "{0}: found {1} {2}{3}{4}; name the two sides: {5} {6} --source {7} --target {8}",
                *options.file, fields.size(), what, fields.empty() ? "" : ": ", list_fields(fields),
                command, shell_word(*options.file),
                fields.empty() ? "en" : shell_word(fields.front().key),
                fields.size() < 2 ? "de" : shell_word(fields[1].key));
  if (options.source)
    return {*options.source, remaining(fields, *options.source, form == Form::kTsv)};
  if (options.target)
    return {remaining(fields, *options.target, form == Form::kTsv), *options.target};
  return {fields[0].key, fields[1].key};
}

void refuse_comma_separated(const std::string& file) {
  constexpr int64_t kRows = 2;
  if (const auto found = find_comma_separated(file, kRows)) refuse(*found, file);
}

std::optional<Form> form_of(const std::string& line) {
  if (line.starts_with('{')) return Form::kJsonLines;
  if (line.find('\t') != std::string::npos) return Form::kTsv;
  return std::nullopt;
}

std::string read_first_line(const std::string& file) {
  LineReader reader(file);
  std::string line;
  if (!reader.next(line)) throw_error(ErrorKind::kData, "{}: the file is empty", file);
  const bool is_list = line.starts_with('[');
  refuse_markup({file, {is_list ? Form::kJsonLines : Form::kLines, ""}}, line, reader);
  if (!form_of(line)) refuse_comma_separated(file);
  return line;
}

// Names both columns if one of them is given by its name, because the first line has names then. A
// column whose name cannot be a key keeps its number.
void name_all_columns(ChosenCorpus& chosen, const std::string& line) {
  TextView &source = chosen.source.view, &target = chosen.target.view;
  if (source.has_header() == target.has_header()) return;
  std::vector<std::string> names;
  for (const std::string_view name : split_row(line)) names.emplace_back(name);
  TextView& numbered = source.has_header() ? target : source;
  const size_t column = index_of_column(numbered.key, names);
  const bool has_name = column < names.size() && index_of_column(names[column], names) == column &&
                        TextView{Form::kTsv, names[column]}.has_header();
  if (has_name) numbered.key = names[column];
  share_header({&source, &target});
}

// A first line that is read as a pair, because the columns are given by their numbers.
void warn_of_named_columns(const ChosenCorpus& chosen, const std::string& line) {
  if (chosen.source.view.has_header() || chosen.target.view.has_header()) return;
  std::string source = line, target = line;
  LineView(chosen.source.view, line, chosen.source.path).show(source);
  LineView(chosen.target.view, line, chosen.target.path).show(target);
  if (are_column_names({source, target}))
    spdlog::warn(
        "{}:1: '{}', '{}' look like names of columns, and are read as a pair; if they are names: "
        "--source {} --target {}",
        chosen.source.path.string(), source, target, shell_word(source), shell_word(target));
}

// The languages of the first units, each with its first text.
TableFields fields_of_tmx(const std::string& file) {
  constexpr int64_t kUnits = 100;
  LineReader units = open_lines({file, {Form::kTmx, ""}});
  TableFields fields;
  for (std::string unit; units.line_number() < kUnits && units.next(unit);)
    for (const TableField& text : fields_of_object(unit, file))
      if (std::ranges::find(fields, text.key, &TableField::key) == fields.end())
        fields.push_back(text);
  return fields;
}

ChosenCorpus choose_languages(const CorpusOptions& options, const std::string& command) {
  const std::string& file = *options.file;
  const Sides sides = choose_sides(options, fields_of_tmx(file), Form::kTmx, command);
  return {{file, {Form::kTmx, sides.source}}, {file, {Form::kTmx, sides.target}}};
}

ChosenCorpus choose_table(const CorpusOptions& options, const std::string& command) {
  const std::string& file = *options.file;
  if (file == "-" || (is_there(file) && !is_stored_text(file)))
    throw_error(ErrorKind::kUsage,
                "{}: a table is read more than once, expected a file, not a pipe; save it first",
                file);
  if (is_tmx(file)) return choose_languages(options, command);
  const std::string line = read_first_line(file);
  const auto form = form_of(line);
  if (!form)
    throw_error(ErrorKind::kUsage,
                "{}: its first line has no tab and is not a JSON object, so it is not a table of "
                "two sides; "
                "of two files of sentences: {} --source FILE --target FILE",
                file, command);
  const bool is_tsv = *form == Form::kTsv;
  const TableFields fields = is_tsv ? fields_of_row(line) : fields_of_object(line, file);
  const Sides sides = choose_sides(options, fields, *form, command);
  ChosenCorpus chosen{{file, {*form, sides.source}}, {file, {*form, sides.target}}};
  if (is_tsv) name_all_columns(chosen, line);
  if (is_tsv) warn_of_named_columns(chosen, line);
  return chosen;
}

// Names the two sides in the log where they were not given.
ChosenCorpus choose_one_file(const CorpusOptions& options, const std::string& command) {
  ChosenCorpus chosen = choose_table(options, command);
  const TextView &source = chosen.source.view, &target = chosen.target.view;
  if (source.key == target.key)
    throw_error(ErrorKind::kUsage, "{}: source and target are both '{}'; name two", *options.file,
                source.key);
  if (options.source && options.target) return chosen;
  const char* what = source.form == Form::kTsv   ? "column"
                     : source.form == Form::kTmx ? "language"
                                                 : "key";
  spdlog::info("{}: source is {} '{}', target '{}'{}", *options.file, what, source.key, target.key,
               source.has_header() ? ", named by the first line" : "");
  return chosen;
}

// Refuses a table given as both files: its lines are not sentences.
void refuse_tables(const std::string& source, const std::string& target,
                   const std::string& command) {
  if (source != target || !is_stored_text(source)) return;
  if (form_of(read_first_line(source)))
    throw_error(ErrorKind::kUsage,
                "--source and --target are both {}; if it is a table or JSON lines: {} {}", source,
                command, shell_word(source));
}

}  // namespace

std::string side_name(const TextFile& side) {
  if (side.view.form == Form::kLines) {
    const std::string extension = without_compression(side.path).extension().string();
    return extension.size() > 1 ? extension.substr(1) : "";
  }
  if (side.view.form == Form::kTsv && !side.view.has_header()) return "";
  return side.view.key.substr(side.view.key.rfind('.') + 1);
}

ChosenCorpus choose_corpus(const CorpusOptions& options, const std::string& command) {
  if (options.file) return choose_one_file(options, command);
  for (const auto& [name, given] :
       {std::pair("--source", &options.source), {"--target", &options.target}}) {
    if (!*given)
      throw_error(
          ErrorKind::kUsage,
          "{} is required: two files by --source and --target, or one table or file of JSON "
          "lines: {} FILE",
          name, command);
  }
  refuse_tables(*options.source, *options.target, command);
  return {{*options.source}, {*options.target}};
}

}  // namespace heed
