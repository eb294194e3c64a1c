// translate MODEL < source.txt: the best translation of each line with its score, and its alignment.
#include <heed/translator.h>

#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: translate MODEL\n";
    return 2;
  }
  const heed::Translator translator(argv[1]);

  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);

  heed::TranslateOptions options;
  options.alignment = true;
  options.search = {{"beam", "8"}};
  options.warn = [](const std::string& message) { std::cerr << message << "\n"; };
  for (const heed::Translations& found : translator.translate(lines, options)) {
    const heed::Translation& best = found.best.front();
    std::cout << best.text << "\t" << best.score << "\t";
    for (const auto& [source, target] : best.alignment) std::cout << source << "-" << target << " ";
    std::cout << "\n";
  }
} catch (const heed::Error& error) {
  std::cerr << "translate: " << error.what() << "\n";
  return static_cast<int>(error.kind());
}
