// The layout of --help: 80 columns, long descriptions wrapped, MODEL... where an argument takes any
// number of values.
#pragma once

#include <CLI/CLI.hpp>

namespace heed {

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(32); }
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  // Without what it excludes and needs, which the description says where it matters.
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace heed
