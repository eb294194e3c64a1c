#include "task.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/error.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

int64_t between(RandomStream& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random.below(static_cast<uint64_t>(high - low + 1)));
}

// Draws `count` different numbers below `numbers`, in random order.
std::vector<int64_t> distinct(RandomStream& random, int64_t count, int64_t numbers) {
  std::vector<int64_t> all(static_cast<size_t>(numbers));
  std::iota(all.begin(), all.end(), 0);
  shuffle(all.begin(), all.end(), random);
  all.resize(static_cast<size_t>(count));
  return all;
}

Example pair(const std::vector<int64_t>& source, const std::vector<int64_t>& target) {
  const auto ids = [](const std::vector<int64_t>& symbols) {
    Ids list;
    for (const int64_t symbol : symbols) list.push_back(static_cast<int32_t>(kSpecials + symbol));
    return list;
  };
  return {.sources = {ids(source)}, .target = ids(target)};
}

Example copy(RandomStream& random, bool) {
  const auto symbols = distinct(random, between(random, 6, 8), 16);
  return pair(symbols, symbols);
}

Example copy_of_five(RandomStream& random, bool) {
  const auto symbols = distinct(random, 5, 12);
  return pair(symbols, symbols);
}

// Five different symbols and one of two tags: the output is the symbols in order, or reversed.
Example either_way(RandomStream& random, bool unseen) {
  Example example = copy_of_five(random, unseen);
  example.tag = between(random, 0, 1);
  if (*example.tag == 1) std::reverse(example.target.begin(), example.target.end());
  return example;
}

// Symbols below 6 are at even positions, the others at odd ones.
Example alternating(RandomStream& random, bool) {
  std::vector<int64_t> symbols(static_cast<size_t>(between(random, 5, 8)));
  for (size_t i = 0; i < symbols.size(); ++i)
    symbols[i] = between(random, 0, 5) + (i % 2 == 0 ? 0 : 6);
  return pair(symbols, symbols);
}

// Symbol 0 is the first one.
Example marked_copy(RandomStream& random, bool) {
  std::vector<int64_t> symbols(static_cast<size_t>(between(random, 5, 7)));
  for (int64_t& symbol : symbols) symbol = between(random, 1, 8);
  symbols[0] = 0;
  return pair(symbols, symbols);
}

constexpr int64_t kLetters = 8, kFiller = 8, kMark = 9;  // in the tasks that ask for a letter

// A mark and two letters among fillers; the output is the letter whose distance from the mark is
// right.
template <auto is_right, auto is_wrong>
Example letter_at(RandomStream& random, bool) {
  constexpr int64_t kLength = 12;
  int64_t mark = 0, right = 0, wrong = 0;
  do {
    mark = between(random, 0, kLength - 1);
    right = between(random, 0, kLength - 1);
    wrong = between(random, 0, kLength - 1);
  } while (mark == right || mark == wrong || !is_right(right - mark) || !is_wrong(wrong - mark));
  std::vector<int64_t> symbols(kLength, kFiller);
  const auto letters = distinct(random, 2, kLetters);
  symbols[static_cast<size_t>(mark)] = kMark;
  symbols[static_cast<size_t>(right)] = letters[0];
  symbols[static_cast<size_t>(wrong)] = letters[1];
  return pair(symbols, {letters[0]});
}

constexpr auto is_before = [](int64_t away) { return away < 0; };
constexpr auto is_behind = [](int64_t away) { return away > 0; };
constexpr auto is_near = [](int64_t away) { return std::abs(away) <= 3; };
constexpr auto is_far = [](int64_t away) { return std::abs(away) >= 6; };
constexpr auto is_multiple = [](int64_t away) { return away % 3 == 0; };
constexpr auto is_no_multiple = [](int64_t away) { return away % 3 != 0; };
constexpr auto is_near_or_multiple = [](int64_t away) {
  return is_near(away) || is_multiple(away);
};
constexpr auto is_neither = [](int64_t away) { return !is_near_or_multiple(away); };
constexpr auto is_beside = [](int64_t away) { return std::abs(away) == 1; };
constexpr auto is_apart = [](int64_t away) { return std::abs(away) > 2; };

// A mark among letters; the output is the letter two positions before it.
Example two_before(RandomStream& random, bool) {
  std::vector<int64_t> symbols(static_cast<size_t>(between(random, 6, 9)));
  for (int64_t& symbol : symbols) symbol = between(random, 0, kLetters - 1);
  const auto mark =
      static_cast<size_t>(between(random, 2, static_cast<int64_t>(symbols.size()) - 1));
  symbols[mark] = kMark;
  return pair(symbols, {symbols[mark - 2]});
}

Example greatest(RandomStream& random, bool) {
  std::vector<int64_t> numbers(static_cast<size_t>(between(random, 3, 6)));
  for (int64_t& number : numbers) number = between(random, 0, 7);
  return pair(numbers, {*std::max_element(numbers.begin(), numbers.end())});
}

// A number and smaller ones, which are all the same in half of the examples. Trained with a few
// dozen positions, measured with thousands of the next smaller number.
Example greatest_of_many(RandomStream& random, bool unseen) {
  const int64_t number = between(random, 1, 7);
  const int64_t next = unseen ? number - 1 : between(random, 0, number - 1);
  const bool same = unseen || random.below(2) == 0;
  std::vector<int64_t> numbers(unseen ? 2000 : size_t{1} << between(random, 1, 5));
  for (int64_t& other : numbers) other = same ? next : between(random, 0, next);
  numbers[random.below(numbers.size())] = number;
  return pair(numbers, {number});
}

// Letters of two alphabets of four among fillers; the output identifies both.
Example two_letters(RandomStream& random, bool) {
  std::vector<int64_t> symbols(6, kFiller);
  const auto positions = distinct(random, 2, 6);
  const int64_t one = between(random, 0, 3), other = between(random, 0, 3);
  symbols[static_cast<size_t>(positions[0])] = one;
  symbols[static_cast<size_t>(positions[1])] = 4 + other;
  return pair(symbols, {4 * one + other});
}

constexpr int64_t kNames = 8;

// The first kNames symbols point to a name, the others are facts that tell which name leads to
// which. A sentence has a pointer, its fact and facts of other names, in any order. Trained with up
// to five facts, measured with seven.
Example chain(RandomStream& random, bool unseen) {
  const auto names = distinct(random, unseen ? 7 : between(random, 1, 5), kNames);
  std::vector<int64_t> symbols = {names[0]}, next;
  for (const int64_t name : names) {
    next.push_back(between(random, 0, kNames - 1));
    symbols.push_back(kNames * (1 + name) + next.back());
  }
  shuffle(symbols.begin(), symbols.end(), random);
  return pair(symbols, {next[0]});
}

// Numbers that occur several times; the output is all of them in order.
Example sorted(RandomStream& random, bool) {
  std::vector<int64_t> numbers(static_cast<size_t>(between(random, 5, 7)));
  for (int64_t& number : numbers) number = between(random, 0, 3);
  std::vector<int64_t> in_order = numbers;
  std::sort(in_order.begin(), in_order.end());
  return pair(numbers, in_order);
}

// Two or three numbers, each of them twice; the output is each of them once, in order, with a comma
// behind it. A decoder that sees only its last token does not know after a comma which of them it has
// written.
Example listed(RandomStream& random, bool) {
  constexpr int64_t kNumbers = 8;
  auto numbers = distinct(random, between(random, 2, 3), kNumbers);
  std::vector<int64_t> symbols = numbers, target;
  symbols.insert(symbols.end(), numbers.begin(), numbers.end());
  shuffle(symbols.begin(), symbols.end(), random);
  std::sort(numbers.begin(), numbers.end());
  for (const int64_t number : numbers) target.insert(target.end(), {number, kNumbers});
  return pair(symbols, target);
}

// Copies of one letter; the output is their number.
Example how_many(RandomStream& random, bool) {
  const int64_t count = between(random, 1, 4);
  const std::vector<int64_t> symbols(static_cast<size_t>(count), between(random, 0, kLetters - 1));
  return pair(symbols, {count - 1});
}

Example four_times(RandomStream& random, bool) {
  const int64_t letter = between(random, 0, kLetters - 1);
  return pair({letter}, {letter, letter, letter, letter});
}

// The output is the only letter of the second alphabet among those of the first.
Example needle(RandomStream& random, bool) {
  std::vector<int64_t> symbols(static_cast<size_t>(between(random, 6, 10)));
  for (int64_t& symbol : symbols) symbol = between(random, 0, 7);
  const int64_t letter = between(random, 0, 7);
  symbols[random.below(symbols.size())] = 8 + letter;
  return pair(symbols, {letter});
}

// The output is the letter to which the edge from the mark leads.
Example along_the_edge(RandomStream& random, bool) {
  std::vector<int64_t> symbols(8);
  for (int64_t& symbol : symbols) symbol = between(random, 0, kLetters - 1);
  const auto positions = distinct(random, 2, 8);
  symbols[static_cast<size_t>(positions[0])] = kMark;
  Example example = pair(symbols, {symbols[static_cast<size_t>(positions[1])]});
  example.edges = Edges{{positions[0], positions[1]}};
  return example;
}

// A mark, symbols of the first alphabet, and somewhere after them the only letter of the second.
// Trained with a few symbols, measured with hundreds.
Example far_letter(RandomStream& random, bool unseen) {
  std::vector<int64_t> symbols(static_cast<size_t>(unseen ? 400 : between(random, 6, 10)));
  for (int64_t& symbol : symbols) symbol = between(random, 0, 7);
  const int64_t letter = between(random, 0, 7);
  symbols[0] = 16;
  symbols[2 + random.below(symbols.size() - 2)] = 8 + letter;
  return pair(symbols, {letter});
}

Ids ids_of(const std::vector<int64_t>& symbols) { return pair(symbols, {}).sources[0]; }

// Example with two sources.
Example pair(const std::vector<int64_t>& first, const std::vector<int64_t>& second,
             const std::vector<int64_t>& target) {
  Example example = pair(first, target);
  example.sources.push_back(ids_of(second));
  return example;
}

// The output alternates between the symbols of two sentences.
Example in_turn(RandomStream& random, bool) {
  const auto symbols = distinct(random, 2 * between(random, 2, 3), 12);
  std::vector<int64_t> first, second;
  for (size_t i = 0; i < symbols.size(); ++i) (i % 2 == 0 ? first : second).push_back(symbols[i]);
  return pair(first, second, symbols);
}

// Two sources of five symbols, with one symbol in common.
Example in_both(RandomStream& random, bool) {
  const auto symbols = distinct(random, 9, 16);
  std::vector<int64_t> first(symbols.begin(), symbols.begin() + 5),
      second(symbols.begin() + 4, symbols.end());
  shuffle(first.begin(), first.end(), random);
  shuffle(second.begin(), second.end(), random);
  return pair(first, second, {symbols[4]});
}

// A name, and symbols that each tell where another name leads; the output is a copy of the symbol
// for this name.
Example what_is_asked(RandomStream& random, bool) {
  const auto names = distinct(random, 5, kNames);
  std::vector<int64_t> symbols;
  for (const int64_t name : names)
    symbols.push_back(kNames * (1 + name) + between(random, 0, kNames - 1));
  const auto asked = static_cast<size_t>(between(random, 0, 4));
  Example example = pair(symbols, {names[asked]}, {symbols[asked]});
  example.copyable = Copyable{.ids = example.sources[0], .behind = {}};
  return example;
}

// The same, but the output is only where the name leads. A model that does not read one sentence by
// the other knows the names, but not which of them is meant.
Example where_it_leads(RandomStream& random, bool unseen) {
  Example example = what_is_asked(random, unseen);
  const int32_t symbol = example.target[0] - kSpecials;
  example.copyable.reset();
  example.target = ids_of({symbol % kNames});
  return example;
}

// Sentences of a letter and fillers, one of which has the mark; the output is the letter of that
// sentence. The first symbol separates the sentences.
Example letter_of_the_sentence(RandomStream& random, bool) {
  const auto letters = distinct(random, 4, kLetters);
  const int64_t marked = between(random, 0, 3);
  std::vector<int64_t> symbols;
  for (int64_t sentence = 0; sentence < 4; ++sentence) {
    std::vector<int64_t> own(static_cast<size_t>(between(random, 3, 4)), 1 + kFiller);
    own[0] = 1 + letters[static_cast<size_t>(sentence)];
    if (sentence == marked) own[1] = 1 + kMark;
    shuffle(own.begin(), own.end(), random);
    if (sentence > 0) symbols.push_back(kSentenceEnd - kSpecials);
    symbols.insert(symbols.end(), own.begin(), own.end());
  }
  return pair(symbols, {letters[static_cast<size_t>(marked)]});
}

// The same with two letters in each sentence; the output is the first one.
Example first_of_the_sentence(RandomStream& random, bool) {
  const auto letters = distinct(random, 8, kLetters);
  const int64_t marked = between(random, 0, 3);
  std::vector<int64_t> symbols;
  int64_t first = 0;
  for (int64_t sentence = 0; sentence < 4; ++sentence) {
    std::vector<int64_t> own(static_cast<size_t>(between(random, 3, 4)), 1 + kFiller);
    for (size_t letter = 0; letter < 2; ++letter)
      own[letter] = 1 + letters[2 * static_cast<size_t>(sentence) + letter];
    if (sentence == marked) own[2] = 1 + kMark;
    shuffle(own.begin(), own.end(), random);
    if (sentence == marked)
      first = *std::find_if(own.begin(), own.end(), [](int64_t s) { return s <= kLetters; }) - 1;
    if (sentence > 0) symbols.push_back(kSentenceEnd - kSpecials);
    symbols.insert(symbols.end(), own.begin(), own.end());
  }
  return pair(symbols, {first});
}

// Example of several sources, in the order of their names, and of sentences that are separated.
Example example_of(const std::vector<std::vector<int64_t>>& sources, int64_t target) {
  Example example = pair(sources.front(), {target});
  for (size_t i = 1; i < sources.size(); ++i) example.sources.push_back(ids_of(sources[i]));
  return example;
}
using Sentences = std::vector<std::vector<int64_t>>;
std::vector<int64_t> separated(const Sentences& sentences) {
  std::vector<int64_t> text;
  for (const auto& sentence : sentences) {
    if (!text.empty()) text.push_back(kSentenceEnd - kSpecials);
    text.insert(text.end(), sentence.begin(), sentence.end());
  }
  return text;
}

constexpr int64_t kPersons = 4, kObjects = 4, kTaskPlaces = 5;
// Symbols of the first person, object and place, and of the word between them.
constexpr int64_t kPerson = 1, kObject = kPerson + kPersons, kPlace = kObject + kObjects,
                  kGoes = kPlace + kTaskPlaces;

// Persons go to places; the output is where the person of the question is, who was elsewhere
// before. The supporting fact is where this person went last. Sources: question, story.
Example moved(RandomStream& random, bool) {
  for (;;) {
    Sentences story;
    for (int sentence = 0; sentence < 6; ++sentence)
      story.push_back({kPerson + between(random, 0, kPersons - 1), kGoes,
                       kPlace + between(random, 0, kTaskPlaces - 1)});
    const int64_t asked = kPerson + between(random, 0, kPersons - 1);
    std::vector<int64_t> places;
    SupportingFacts facts{.begins = {}, .facts = {0}};
    int64_t begin = 0;
    for (size_t i = 0; i < story.size(); ++i) {
      facts.begins.push_back(begin);
      begin += std::ssize(story[i]) + 1;  // and the marker
      if (story[i][0] != asked) continue;
      places.push_back(story[i][2]);
      facts.facts = {static_cast<int64_t>(i)};
    }
    const auto earlier = std::ranges::count(places, places.empty() ? 0 : places.back());
    if (places.size() < 2 || earlier > 1) continue;
    Example example = example_of({{asked}, separated(story)}, places.back());
    example.supporting_facts = facts;
    return example;
  }
}

// Each person has an object and is at a place; the output is the place of the object of the
// question. Sources: question, story.
Example carried(RandomStream& random, bool) {
  Sentences story;
  const auto holders = distinct(random, kObjects, kPersons);
  std::vector<int64_t> places;
  for (int64_t person = 0; person < kPersons; ++person) {
    places.push_back(kPlace + between(random, 0, kTaskPlaces - 1));
    story.push_back({kPerson + person, kGoes, places.back()});
  }
  for (int64_t object = 0; object < kObjects; ++object)
    story.push_back({kPerson + holders[static_cast<size_t>(object)], kGoes, kObject + object});
  shuffle(story.begin(), story.end(), random);
  const auto asked = static_cast<size_t>(between(random, 0, kObjects - 1));
  return example_of({{kObject + static_cast<int64_t>(asked)}, separated(story)},
                    places[static_cast<size_t>(holders[asked])]);
}

constexpr int64_t kChainSymbols = 6;

// Keys lead to values: symbols of a first alphabet to those of a second, and these to those of a
// third; the output is the symbol of the third for one of the first. Sources: keys, question,
// values.
Example led_twice(RandomStream& random, bool) {
  constexpr int64_t kChains = 3;
  const auto first = distinct(random, kChains, kChainSymbols),
             second = distinct(random, kChains, kChainSymbols);
  std::vector<std::pair<int64_t, int64_t>> entries;
  std::vector<int64_t> third;
  for (size_t i = 0; i < kChains; ++i) {
    third.push_back(between(random, 0, kChainSymbols - 1));
    entries.emplace_back(1 + first[i], 1 + kChainSymbols + second[i]);
    entries.emplace_back(1 + kChainSymbols + second[i], 1 + 2 * kChainSymbols + third.back());
  }
  shuffle(entries.begin(), entries.end(), random);
  Sentences keys, values;
  for (const auto& [key, value] : entries) {
    keys.push_back({key});
    values.push_back({value});
  }
  const auto asked = static_cast<size_t>(between(random, 0, kChains - 1));
  return example_of({separated(keys), {1 + first[asked]}, separated(values)}, third[asked]);
}

// Keys with a value each, and among them a mark whose value is the key that is asked for. Sources:
// keys, values.
Example asked_value(RandomStream& random, bool) {
  const auto names = distinct(random, 5, kNames);
  std::vector<std::pair<int64_t, int64_t>> entries;
  for (const int64_t name : names) entries.emplace_back(name, between(random, 0, kLetters - 1));
  const auto [asked, value] = entries[static_cast<size_t>(between(random, 0, 4))];
  entries.emplace_back(kNames, kLetters + asked);
  shuffle(entries.begin(), entries.end(), random);
  std::vector<int64_t> keys, values;
  for (const auto& entry : entries) {
    keys.push_back(entry.first);
    values.push_back(entry.second);
  }
  return pair(keys, values, {value});
}

constexpr int64_t kKnown = 8;

// Symbols to be copied; those above the known ones are not in the target vocabulary.
Example copy_of_unknown(RandomStream& random, bool) {
  const auto symbols = distinct(random, between(random, 4, 6), 3 * kKnown);
  Example example = pair(symbols, {});
  Copyable& copyable = example.copyable.emplace();
  for (const int64_t symbol : symbols) {
    const auto behind = static_cast<int64_t>(copyable.behind.size());
    copyable.ids.push_back(
        static_cast<int32_t>(kSpecials + (symbol < kKnown ? symbol : kKnown + behind)));
    if (symbol >= kKnown) copyable.behind.push_back(std::to_string(symbol));
  }
  for (int32_t& id : example.sources[0]) id = id >= kSpecials + kKnown ? kUnknown : id;
  example.target = copyable.ids;
  return example;
}

constexpr int64_t kDigits = 8, kAsked = 12, kPairs = 6;

// A language modelling task, without a source: letters, each followed by a digit, then all of them
// again in another order.
Example recalled(RandomStream& random, bool) {
  std::vector<int64_t> symbols;
  for (const int64_t letter : distinct(random, kPairs, kAsked)) {
    symbols.push_back(kDigits + letter);
    symbols.push_back(between(random, 0, kDigits - 1));
  }
  for (const int64_t asked : distinct(random, kPairs, kPairs)) {
    symbols.push_back(symbols[static_cast<size_t>(2 * asked)]);
    symbols.push_back(symbols[static_cast<size_t>(2 * asked) + 1]);
  }
  Example example = pair({}, symbols);
  example.sources.clear();
  return example;
}

// A language modelling task, without a source: six letters, a mark, then the letters again.
Example copied(RandomStream& random, bool) {
  std::vector<int64_t> symbols;
  for (int64_t i = 0; i < 6; ++i) symbols.push_back(between(random, 0, kLetters - 1));
  symbols.push_back(kLetters);
  for (size_t i = 0; i < 6; ++i) symbols.push_back(symbols[i]);
  Example example = pair({}, symbols);
  example.sources.clear();
  return example;
}

// A letter and thirty symbols of another alphabet; the output is the letter.
Example far_back(RandomStream& random, bool) {
  std::vector<int64_t> symbols = {between(random, 0, kLetters - 1)};
  for (int64_t i = 0; i < 30; ++i) symbols.push_back(kLetters + between(random, 0, kLetters - 1));
  return pair(symbols, {symbols[0]});
}

constexpr int64_t kModulus = 7;

// Numbers of two alphabets; the output is their sum modulo 7.
Example sum(RandomStream& random, bool) {
  const int64_t one = between(random, 0, kModulus - 1), other = between(random, 0, kModulus - 1);
  return pair({one, kModulus + other}, {(one + other) % kModulus});
}

// A number and one of another alphabet or, in half of the examples, the mark; the output is their
// sum modulo 7, or the number itself.
Example sum_or_copy(RandomStream& random, bool) {
  const int64_t one = between(random, 0, kModulus - 1), other = between(random, 0, kModulus - 1);
  const bool is_copy = random.below(2) == 0;
  return pair({one, is_copy ? kNoSum : kModulus + other},
              {is_copy ? one : (one + other) % kModulus});
}

// The same as a language modelling task, without a source.
Example sum_or_copy_read(RandomStream& random, bool unseen) {
  Example example = sum_or_copy(random, unseen);
  Ids& read = example.sources[0];
  read.push_back(example.target[0]);
  example.target = std::move(read);
  example.sources.clear();
  return example;
}

// Five symbols, each with one of two labels; the output is the symbol itself or its counterpart in
// another alphabet.
Example by_label(RandomStream& random, bool) {
  std::vector<int64_t> symbols(5), target;
  Ids labels;
  for (int64_t& symbol : symbols) {
    symbol = between(random, 0, kLetters - 1);
    const int64_t label = between(random, 0, 1);
    labels.push_back(static_cast<int32_t>(kSpecials + label));
    target.push_back(symbol + label * kLetters);
  }
  Example example = pair(symbols, target);
  example.factors = {{labels}};
  return example;
}

const std::vector<Task>& tasks() {
  constexpr int64_t kTexts = 10;  // letters, the filler, the mark
  static const std::vector<Task> list = {
      {"copy", "six to eight different symbols as they stand", 16, 16, copy},
      {"copy_of_five", "five different symbols as they stand", 12, 12, copy_of_five},
      {"alternating", "symbols of two alphabets in turn as they stand", 12, 12, alternating},
      {"marked_copy", "a mark and symbols as they stand", 9, 9, marked_copy},
      {"before", "the letter before the mark", kTexts, kLetters, letter_at<is_before, is_behind>},
      {"behind", "the letter behind the mark", kTexts, kLetters, letter_at<is_behind, is_before>},
      {"nearer", "the letter near the mark", kTexts, kLetters, letter_at<is_near, is_far>},
      {"stride", "the letter a multiple of 3 from the mark", kTexts, kLetters,
       letter_at<is_multiple, is_no_multiple>},
      {"near_or_stride", "the letter near the mark or a multiple of 3 from it", kTexts, kLetters,
       letter_at<is_near_or_multiple, is_neither>},
      {"beside", "the letter beside the mark", kTexts, kLetters, letter_at<is_beside, is_apart>},
      {"two_before", "the letter two places before the mark", kTexts, kLetters, two_before},
      {"greatest", "the greatest of a few numbers", 8, 8, greatest},
      {"greatest_of_many", "the greatest of many numbers, learned from few", 8, 8,
       greatest_of_many},
      {"two_letters", "which two letters there are", 9, 16, two_letters},
      {"chain", "where the name leads that is pointed to", kNames * (1 + kNames), kNames, chain},
      {"sorted", "numbers in order, as often as they occur", 4, 4, sorted},
      {"listed", "each number once, in order, a comma behind it", 8, 9, listed},
      {"four_times", "a letter four times", kLetters, kLetters, four_times},
      {"how_many", "how often the letter stands there", kLetters, 4, how_many},
      {"needle", "the letter of the other alphabet", 16, 8, needle},
      {"along_the_edge", "the letter that the edge of the mark leads to", kTexts, kLetters,
       along_the_edge},
      {"far_letter", "the letter of the other alphabet, for who reads the mark alone", 17, 8,
       far_letter},
      {"in_turn", "the symbols of two sentences in turn", 12, 12, in_turn},
      {"in_both", "the symbol that both sentences have", 16, 16, in_both},
      {"what_is_asked", "the symbol of the name that the query asks for", kNames * (1 + kNames),
       kNames * (1 + kNames), what_is_asked},
      {"where_it_leads", "where the name leads that the query asks for", kNames * (1 + kNames),
       kNames, where_it_leads},
      {"letter_of_the_sentence", "the letter of the sentence that has the mark", 1 + kTexts,
       kLetters, letter_of_the_sentence},
      {"first_of_the_sentence", "the first of two letters of the sentence that has the mark",
       1 + kTexts, kLetters, first_of_the_sentence},
      {"copy_of_unknown", "symbols as they stand, two of three in no vocabulary", kKnown, kKnown,
       copy_of_unknown},
      {"recalled", "the digit that stood behind this letter", 0, kDigits + kAsked, recalled},
      {"far_back", "the first symbol", 2 * kLetters, kLetters, far_back},
      {"either_way", "five different symbols as they stand or turned around, by their tag", 12, 12,
       either_way, 2},
      {"copied", "the letters before the mark", 0, kLetters + 1, copied},
      {"moved", "the place where the person of the question went last", kGoes + 1, kGoes + 1,
       moved},
      {"carried", "the place of the person who has the object of the question", kGoes + 1,
       kGoes + 1, carried},
      {"led_twice", "the value of the value of the key that the question asks for",
       1 + 3 * kChainSymbols, kChainSymbols, led_twice},
      {"asked_value", "the value of the key that the value of the mark asks for", kNames + kLetters,
       kLetters, asked_value},
      {"sum", "the sum modulo 7", 2 * kModulus, kModulus, sum},
      {"sum_or_copy", "the sum modulo 7, or the first number", kNoSum + 1, kModulus, sum_or_copy},
      {"sum_or_copy_read", "the sum modulo 7, or the first number", 0, kNoSum + 1,
       sum_or_copy_read},
      {"by_label", "symbols of the alphabet that their labels say", kLetters, 2 * kLetters,
       by_label, 0, 2},
  };
  return list;
}

}  // namespace

std::vector<std::string> source_names(const Seq2Seq& network) {
  const std::string encoder = names::encoder("");
  std::vector<std::string> list;
  for (const auto& child : network.named_children()) {
    if (child.key().starts_with(encoder)) list.push_back(child.key().substr(encoder.size()));
  }
  return list;
}

const Task& task_of(const std::string& name) {
  const auto found = std::find_if(tasks().begin(), tasks().end(),
                                  [&](const Task& task) { return task.name == name; });
  HEED_CHECK(found != tasks().end(), "{}", name);
  return *found;
}

std::vector<Example> unseen_examples(const Task& task, int64_t count) {
  RandomStream random(stream_key(0, "unseen/" + task.name));
  std::vector<Example> examples;
  for (int64_t i = 0; i < count; ++i) examples.push_back(task.draw(random, true));
  return examples;
}

}  // namespace heed
