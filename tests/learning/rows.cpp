#include <fmt/format.h>

#include "property.h"

namespace heed {

namespace {

// Parts of models. They have one head unless stated otherwise.
std::string model(const std::string& encoder, const std::string& decoder) {
  return fmt::format("{{embedding: {{width: 32, tie: none}}, encoder: {}, decoder: {}}}", encoder,
                     decoder);
}
std::string transformer(const std::string& positions, const std::string& attentions) {
  return fmt::format(
      "{{type: transformer, layers: 1, width: 32, feed_forward: 64, dropout: 0, positions: {}, "
      "{}}}",
      positions, attentions);
}
const std::string kSoftmax = "{score: scaled_dot, heads: 1}";
const std::string kFourHeads = "{score: scaled_dot, heads: 4}";

std::string dot_with(const std::string& more) {
  return fmt::format("{{score: scaled_dot, heads: 1, {}}}", more);
}
std::string scored(const std::string& score) {
  return fmt::format("{{score: {}, heads: 1}}", score);
}

// Encoders. A bag encodes each symbol alone, so that nothing distinguishes the positions of equal
// symbols.
const std::string kBag = transformer("none", "self_attention: none");
const std::string kPlaces = transformer("sinusoidal", "self_attention: none");
const std::string kGru = "{type: rnn, cell: gru, width: 32, bidirectional: true}";
std::string looking_around(const std::string& attention) {
  return transformer("none", "self_attention: " + attention);
}
std::string convolution(const std::string& positions) {
  return fmt::format(
      "{{type: convolution, layers: 2, width: 32, kernel: 3, dropout: 0, positions: {}}}",
      positions);
}

// Decoders. A reader sees only its last token and the context. With positions it also knows the
// number of tokens so far; a recurrent decoder remembers.
std::string reader(const std::string& attention) {
  return transformer("none", "self_attention: none, attention: " + attention);
}
std::string placed_reader(const std::string& attention) {
  return transformer("sinusoidal", "self_attention: none, attention: " + attention);
}
std::string recurrent(const std::string& attention, const std::string& more = "") {
  return fmt::format(
      "{{type: rnn, cell: gru, width: 32, input_feeding: true, output_activation: tanh, "
      "{}attention: {}}}",
      more, attention);
}
std::string convolutional(int64_t layers, const std::string& attention) {
  return fmt::format(
      "{{type: convolution, layers: {}, width: 32, kernel: 3, dropout: 0, positions: sinusoidal, "
      "attention: {}}}",
      layers, attention);
}

using Rows = std::vector<Row>;

// The last state of an encoder cannot hold six to eight symbols out of sixteen after these few
// updates, so a model without attention fails. Rows with `equal` compare positions.
void add_scores(Rows& rows) {
  const std::string none = model(kGru, recurrent("none"));
  const auto add = [&](const std::string& name, const std::string& score, int64_t updates) {
    rows.push_back({.name = name,
                    .task = "copy",
                    .with = model(kGru, recurrent(fmt::format("{{score: {}}}", score))),
                    .without = none,
                    .updates = updates});
  };
  add("dot", "dot", 500);
  add("scaled_dot", "{type: scaled_dot, project: true}", 600);
  add("concat", "{type: concat, hidden: 32}", 500);
  add("additive", "{type: additive, hidden: 32}", 500);
  for (const char* features : {"coverage", "fertility", "gru_coverage"})
    add(fmt::format("location_{}", features),
        fmt::format("{{type: location, hidden: 32, features: {}}}", features), 500);
  add("multi_dim_full", "{type: multi_dim, form: {type: full, hidden: 16}}", 500);

  // A score for each feature reads two letters at two positions at once.
  rows.push_back({.name = "multi_dim_light",
                  .task = "two_letters",
                  .with = model(kBag, reader("{score: {type: multi_dim, form: light}}")),
                  .without = model(kBag, reader("none")),
                  .updates = 600,
                  .rate = 0.005});

  const std::string by_places = model(kPlaces, placed_reader(kSoftmax));
  rows.push_back({.name = "general",
                  .task = "copy",
                  .with = model("{type: transformer, layers: 1, width: 24, feed_forward: 64, "
                                "dropout: 0, positions: sinusoidal, self_attention: none}",
                                recurrent(scored("general"))),
                  .without = model("{type: transformer, layers: 1, width: 24, feed_forward: 64, "
                                   "dropout: 0, positions: sinusoidal, self_attention: none}",
                                   recurrent(scored("{type: scaled_dot, project: true}"))),
                  .updates = 500,
                  .equal = true,
                  .property = compares_unequal_widths});
  rows.push_back({.name = "cosine",
                  .task = "copy",
                  .with = model(kPlaces, placed_reader(scored("cosine"))),
                  .without = by_places,
                  .updates = 400,
                  .equal = true,
                  .property = has_bounded_scores});

  for (const char* norm : {"l2", "rms"}) {
    rows.push_back({.name = fmt::format("query_key_norm_{}", norm),
                    .task = "copy",
                    .with = model(kPlaces, placed_reader(scored(fmt::format(
                                               "{{type: scaled_dot, query_key_norm: {}}}", norm)))),
                    .without = by_places,
                    .updates = 400,
                    .equal = true,
                    .property = ignores_lengths});
  }
  const std::string rms = "norm_type: rms, self_attention: none";
  rows.push_back({.name = "norm_type_rms",
                  .task = "copy",
                  .with = model(transformer("sinusoidal", rms),
                                transformer("sinusoidal", rms + ", attention: " + kSoftmax)),
                  .without = by_places,
                  .updates = 400,
                  .equal = true,
                  .property = has_norms_without_bias});

  // In 48 residual connections with post-norm what a position has at first is lost among the outputs
  // of random layers. The learning rate has no warm-up.
  const auto deep_encoder = [](const std::string& norm) {
    return model(fmt::format("{{type: transformer, layers: 24, width: 32, feed_forward: 64, "
                             "dropout: 0, norm: {}, self_attention: {}}}",
                             norm, kSoftmax),
                 placed_reader(kSoftmax));
  };
  for (const char* norm : {"deep", "admin"}) {
    rows.push_back({.name = fmt::format("norm_{}", norm),
                    .task = "copy",
                    .with = deep_encoder(norm),
                    .without = deep_encoder("post"),
                    .updates = 1000,
                    .rate = 0.002,
                    .warm_up = false});
  }

  // In a bag only the position that was attended to last shows which of two equal symbols is next.
  for (const char* features : {"convolved", "both"}) {
    rows.push_back({.name = fmt::format("location_{}", features),
                    .task = "marked_copy",
                    .with = model(kBag, recurrent(scored(fmt::format(
                                            "{{type: location, hidden: 32, features: {{type: {}, "
                                            "filters: 4, kernel: 3}}}}",
                                            features)))),
                    .without = model(kBag, recurrent(scored("{type: additive, hidden: 32}"))),
                    .updates = 400});
  }
}

// The encoder has to find a letter by its distance from the mark; the decoder finds the mark.
// Softmax over a bag knows both letters, but not the order: half of the outputs are right, and
// fewer if there are more than two letters.
void add_distances(Rows& rows) {
  const auto add = [&](const std::string& name, const std::string& task,
                       const std::string& attention, const std::string& plain) {
    rows.push_back({.name = name,
                    .task = task,
                    .with = model(looking_around(attention), reader(kFourHeads)),
                    .without = model(looking_around(plain), reader(kFourHeads)),
                    .updates = 600,
                    .rate = 0.005});
  };
  const auto term = [](const std::string& text) {
    return dot_with(fmt::format("terms: [{}]", text));
  };
  add("relative", "two_before", scored("{type: relative, clip: 3}"), kSoftmax);
  add("rotary", "two_before", scored("rotary"), kSoftmax);
  add("rotary_interpolated", "two_before",
      scored("{type: rotary, base: 100, factor: 2, scaling: linear}"), kSoftmax);
  add("directional_forward", "before", term("{type: directional, kind: forward}"), kSoftmax);
  add("directional_backward", "behind", term("{type: directional, kind: backward}"), kSoftmax);
  add("causal", "before", term("causal"), kSoftmax);
  add("distance_fixed", "nearer", term("{type: distance, alpha: 1.5}"), kSoftmax);
  add("distance_learned", "nearer", term("{type: distance, alpha: 0.5, learned: true}"), kSoftmax);
  add("local", "nearer", term("{type: local, k: 3}"), kSoftmax);
  add("atrous", "stride", term("{type: atrous, k: 3}"), kSoftmax);
  add("sparse", "near_or_stride", term("{type: sparse, k: 3}"), kSoftmax);
  // A kernel reads the position before its own, whatever stands there.
  add("lightweight_convolution", "before", "{type: lightweight_convolution, kernel: 3}", kSoftmax);
  add("dynamic_convolution", "two_before", "{type: dynamic_convolution, kernel: 5}", kSoftmax);
  add("distance_bias", "two_before", term("{type: distance_bias, beyond: 4}"), kSoftmax);
  add("bucket_bias", "two_before", term("{type: bucket_bias, buckets: 16, max_distance: 8}"),
      kSoftmax);
  // The steepest of the eight slopes is a half for each position.
  add("alibi", "nearer", "{score: scaled_dot, heads: 8, terms: [alibi]}",
      "{score: scaled_dot, heads: 8}");
  // The heads of the fillers are the root; arcs over them would cross theirs, so the head of the mark
  // can only be a letter beside it.
  add("structured_tree", "beside", dot_with("normalizer: {type: structured, kind: tree}"),
      kSoftmax);
  add("edges", "along_the_edge", term("edges"), kSoftmax);
  add("graph", "along_the_edge", "{score: graph, heads: 1, terms: [edges]}", kSoftmax);
}

// A decoder with positions reads a bag. The encoder gives it the symbols, but not their order.
void add_places(Rows& rows) {
  const auto add = [&](const std::string& name, const std::string& task, const std::string& term) {
    rows.push_back({.name = name,
                    .task = task,
                    .with = model(kBag, placed_reader(dot_with(fmt::format("terms: [{}]", term)))),
                    .without = model(kBag, placed_reader(kSoftmax)),
                    .updates = 800,
                    .rate = 0.005});
  };
  // The window has three positions; those beside the middle have letters of the other alphabet.
  add("window_monotonic", "alternating", "{type: window, kind: monotonic, radius: 1}");
  add("window_predictive", "copy_of_five", "{type: window, kind: predictive, radius: 3}");
  add("gaussian", "copy_of_five", "gaussian");
  rows.push_back(
      {.name = "location_based",
       .task = "copy_of_five",
       .with = model(kBag, placed_reader(scored("{type: location_based, max_positions: 8}"))),
       .without = model(kBag, placed_reader(kSoftmax)),
       .updates = 800,
       .rate = 0.005});
}

// Copying is monotone: token t of the target is token t of the source, the last one that wait_k reads
// with k: 1. The encoder looks at each symbol alone.
void add_policies(Rows& rows) {
  rows.push_back({.name = "wait_k",
                  .task = "copy",
                  .with = model(kPlaces, placed_reader(dot_with("terms: [{type: wait_k, k: 1}]"))),
                  .without = model(kPlaces, placed_reader(kSoftmax)),
                  .updates = 400,
                  .equal = true,
                  .property = reads_with_the_target});
}

void add_normalizers(Rows& rows) {
  // The largest number among thousands of the next smaller one. Scores by cosine are between -β and
  // β, so neighbours of eight numbers differ by 2β/7 at most, and softmax gives nearly all weight
  // to the thousands of smaller numbers. A key that is 1 below the best has no weight by sparsemax,
  // and one that is 2 below has no weight by entmax; argmax ignores every smaller key.
  const auto greatest = [](int64_t heads, const std::string& normalizer) {
    return model(kBag, reader(fmt::format(
                           "{{score: {{type: cosine, width: {}}}, heads: {}, normalizer: {}}}",
                           32 * heads, heads, normalizer)));
  };
  const auto add = [&](const std::string& name, int64_t heads, const std::string& normalizer) {
    rows.push_back({.name = name,
                    .task = "greatest_of_many",
                    .with = greatest(heads, normalizer),
                    .without = greatest(heads, "softmax"),
                    .updates = 400});
  };
  // Several heads are needed: a head whose best key is the only one from the beginning learns
  // nothing.
  add("sparsemax", 4, "sparsemax");
  rows.back().property = has_exact_zeros;
  add("hard_reinforce", 4, "{type: hard, gradient: reinforce}");
  add("hard_straight_through", 4, "{type: hard, gradient: straight_through}");
  rows.push_back({.name = "entmax15",
                  .task = "greatest",
                  .with = greatest(4, "entmax15"),
                  .without = greatest(4, "softmax"),
                  .updates = 300,
                  .equal = true,
                  .property = has_exact_zeros});

  rows.push_back({.name = "entmax",
                  .task = "greatest",
                  .with = greatest(4, "entmax"),
                  .without = greatest(4, "softmax"),
                  .updates = 300,
                  .equal = true,
                  .property = has_exact_zeros});

  // The last token does not tell how often a number has been read. With a fertility of 1, equal
  // numbers are used up after as many steps. Nor does a comma tell which numbers have been read, but
  // those that have are divided by large sums. Several heads are needed for the first of these: a
  // head may settle on the end of the sentence, which has no bound.
  for (const auto& [name, task, normalizer, updates, rate] :
       {std::tuple{"constrained_sparsemax", "sorted", "{type: constrained_sparsemax, fertility: 1}",
                   400, 0.01},
        {"temporal", "listed", "temporal", 800, 0.005}}) {
    const auto remembering = [](const std::string& own) {
      return model(kBag,
                   reader(fmt::format("{{score: scaled_dot, heads: 4, normalizer: {}}}", own)));
    };
    rows.push_back({.name = name,
                    .task = task,
                    .with = remembering(normalizer),
                    .without = remembering("softmax"),
                    .updates = updates,
                    .rate = rate});
  }

  // In a bag a letter beside the mark is like any other; in a chain of choices it is the neighbour
  // of the chosen position.
  const auto chosen = [](const std::string& normalizer) {
    return model(
        kBag, reader(fmt::format("{{score: scaled_dot, heads: 4, normalizer: {}}}", normalizer)));
  };
  rows.push_back({.name = "structured",
                  .task = "beside",
                  .with = chosen("structured"),
                  .without = chosen("softmax"),
                  .updates = 400});
  // Weights that sum to 1 read the same from one copy of a letter and from several, unless they can be
  // compared with the end of the source.
  const auto without_end = [](const std::string& normalizer) {
    return model(
        kBag, reader(fmt::format("{{score: scaled_dot, heads: 4, normalizer: {}}}", normalizer)) +
                  ", source_end: false");
  };
  for (const char* normalizer : {"off_by_one", "sink"}) {
    rows.push_back({.name = normalizer,
                    .task = "how_many",
                    .with = without_end(normalizer),
                    .without = without_end("softmax"),
                    .updates = 800,
                    .rate = 0.005,
                    .property = sums_below_one});
  }
  // The task asks for the next symbol of the other alphabet after the last position; in a bag there
  // are several.
  for (const auto& [name, normalizer] :
       {std::pair{"monotonic", "monotonic"}, {"mocha", "{type: monotonic, chunk: 2}"}}) {
    rows.push_back(
        {.name = name,
         .task = "alternating",
         .with = model(kBag, placed_reader(dot_with(fmt::format("normalizer: {}", normalizer)))),
         .without = model(kBag, placed_reader(kSoftmax)),
         .updates = 300});
  }

  // Applies the attention to the source and to the decoder's own past.
  const auto over_both = [](const std::string& attention) {
    return model(
        kBag, transformer("none", fmt::format("self_attention: {0}, attention: {0}", attention)));
  };
  for (const char* features : {"elu", "performer", "efficient"}) {
    rows.push_back(
        {.name = fmt::format("linear_{}", features),
         .task = "four_times",
         .with = over_both(fmt::format("{{type: linear, features: {}, heads: 1}}", features)),
         .without = over_both(kSoftmax),
         .updates = 600,
         .equal = true,
         .property = keeps_a_state_of_one_size});
  }
  rows.push_back({.name = "key_value_heads",
                  .task = "four_times",
                  .with = over_both("{score: scaled_dot, heads: 4, key_value_heads: 1}"),
                  .without = over_both(kFourHeads),
                  .updates = 600,
                  .equal = true,
                  .property = keeps_a_smaller_state});
  rows.push_back({.name = "linear_linformer",
                  .task = "needle",
                  .with = model(kBag, reader("{type: linear, features: {type: linformer, slots: 8, "
                                             "max_positions: 16}, heads: 1}")),
                  .without = model(kBag, reader(kSoftmax)),
                  .updates = 600,
                  .equal = true,
                  .rate = 0.005,
                  .property = keeps_a_source_in_one_size});
}

void add_readings(Rows& rows) {
  // A head that reads one key distinguishes at most eight letters, but there are sixteen pairs.
  const auto heads = [](int64_t count) {
    return model(kBag, reader(fmt::format("{{score: scaled_dot, heads: {}, normalizer: {{type: "
                                          "hard, gradient: straight_through}}}}",
                                          count)));
  };
  rows.push_back({.name = "heads",
                  .task = "two_letters",
                  .with = heads(2),
                  .without = heads(1),
                  .updates = 1000,
                  .rate = 0.005});

  const auto reading_letters = [](const std::string& more) {
    return model(kBag, reader(fmt::format("{{score: scaled_dot, heads: 4{}}}", more)));
  };
  const auto add_equal = [&](const std::string& name, const std::string& more,
                             void (*property)(const Row&, const std::shared_ptr<Seq2Seq>&)) {
    rows.push_back({.name = name,
                    .task = "two_letters",
                    .with = reading_letters(more),
                    .without = reading_letters(""),
                    .updates = 600,
                    .equal = true,
                    .rate = 0.005,
                    .property = property});
  };
  add_equal("talking_heads", ", terms: [talking_heads]", relies_on_other_heads);
  add_equal("differential", ", read: differential", learns_its_lambda);
  add_equal("gated", ", read: gated", nullptr);

  for (const char* kind : {"dynamic", "em"}) {
    rows.push_back(
        {.name = fmt::format("routing_{}", kind),
         .task = "two_letters",
         .with = model(kBag, reader(fmt::format("{{score: scaled_dot, heads: 4, head_combination: "
                                                "{{type: routing, kind: {}, iterations: 3}}}}",
                                                kind))),
         .without = model(kBag, reader("{score: scaled_dot, heads: 4}")),
         .updates = 500,
         .equal = true,
         .property = relies_on_agreement});
  }

  // Two heads look for the same letter unless this costs something. The measure is 1 minus the
  // loss: 100 for opposite vectors, 50 for unrelated ones; for weights it is 50 over two keys and
  // 89 over all nine.
  for (const char* on : {"subspace", "position", "output"}) {
    const auto disagreeing = [on](int64_t weight) {
      return model(kBag,
                   reader(fmt::format("{{score: scaled_dot, heads: 2, disagreement: {{on: {}, "
                                      "weight: {}}}}}",
                                      on, weight)));
    };
    rows.push_back({.name = fmt::format("disagreement_{}", on),
                    .task = "needle",
                    .with = disagreeing(1),
                    .without = disagreeing(0),
                    .updates = 500,
                    .goal = 80,
                    .measure = difference_of_heads,
                    .property = is_still_right,
                    .in_both = "attention: staged disagreement"});
  }

  rows.push_back(
      {.name = "key_value",
       .task = "needle",
       .with = model(kBag, reader("{score: {type: scaled_dot, project: true}, read: {type: "
                                  "weighted_sum, project: true}, heads: 1}")),
       .without = model(kBag, reader("{score: {type: scaled_dot, project: false}, read: "
                                     "{type: weighted_sum, project: false}, heads: 1}")),
       .updates = 600,
       .equal = true,
       .rate = 0.005,
       .property = relies_on_values_of_their_own});

  // The pointer has to be read before it is known which fact to look for. A single reading can only
  // sum all facts, and the few units after it cannot separate them.
  const auto readings = [](const std::string& attention) {
    return model(kBag, fmt::format("{{type: transformer, layers: 1, width: 32, feed_forward: 2, "
                                   "dropout: 0, positions: none, self_attention: none, attention: "
                                   "{}}}",
                                   attention));
  };
  const auto add_chain = [&](const std::string& name, const std::string& kind) {
    rows.push_back(
        {.name = name,
         .task = "chain",
         .with = readings(fmt::format("{{{}, shared: false, attention: {}}}", kind, kFourHeads)),
         .without = readings(kFourHeads),
         .updates = 1500});
  };
  for (const char* tying : {"layer_wise", "none"}) {
    rows.push_back(
        {.name = fmt::format("memory_network_{}", tying),
         .task = "chain",
         .with = readings(fmt::format("{{type: memory_network, hops: 2, tying: {}}}", tying)),
         .without = readings("{type: memory_network, hops: 1}"),
         .updates = 3000,
         .rate = 0.003});
  }
  // With adjacent tying the keys of a reading are the values of the last one, so it first of all
  // finds the position that was read last. It cannot follow a chain of facts that are next to the
  // pointer, but it equals attention where one reading is enough.
  rows.push_back({.name = "memory_network_adjacent",
                  .task = "needle",
                  .with = model(kBag, reader("{type: memory_network, hops: 2, tying: adjacent}")),
                  .without = model(kBag, reader(kSoftmax)),
                  .updates = 800,
                  .equal = true,
                  .rate = 0.003});
  // Each pass has its memory; the order of the facts does not matter.
  const auto add_episodic = [&](const std::string& name, const std::string& more, int64_t updates,
                                double rate) {
    rows.push_back({.name = name,
                    .task = "chain",
                    .with = readings(fmt::format("{{type: episodic, passes: 2{}}}", more)),
                    .without = readings(kFourHeads),
                    .updates = updates,
                    .rate = rate});
  };
  add_episodic("episodic", "", 2500, 0.003);
  add_episodic("episodic_sum", ", episode: soft_sum, update: gru", 2500, 0.003);
  // Gates that do not compete are learned late.
  add_episodic("episodic_gated",
               ", features: nine, gate: sigmoid, episode: gated_gru, update: gru, shared: true",
               6000, 0.002);
  add_chain("hops_add", "type: hops, hops: 2, update: add");
  add_chain("hops_gru", "type: hops, hops: 2, update: gru");
  add_chain("adaptive", "type: adaptive, most: 2, update: add");

  // A block with a residual connection does not need a gate.
  const auto summing = [](const std::string& read) {
    return model(looking_around(fmt::format("{{score: scaled_dot, heads: 1, read: {}}}", read)),
                 reader(kFourHeads));
  };
  rows.push_back({.name = "fusion_gate",
                  .task = "sum",
                  .with = summing("fusion_gate"),
                  .without = summing("weighted_sum"),
                  .updates = 600,
                  .equal = true,
                  .rate = 0.005,
                  .property = closes_its_gate});
  // A sentence is pooled to a few rows, so the decoder state has the same size for all sentences.
  for (const auto& [name, pool] : {std::pair{"rows", "{type: rows, rows: 2, hidden: 32}"},
                                   {"source2token", "{type: source2token, hidden: 32}"},
                                   {"max", "max"}}) {
    rows.push_back({.name = fmt::format("self_attentive_{}", name),
                    .task = "needle",
                    .with = fmt::format("{{embedding: {{width: 32, tie: none}}, encoder: {}, join: "
                                        "{{type: self_attentive, pool: {}}}, "
                                        "decoder: {}}}",
                                        kBag, pool, reader(kFourHeads)),
                    .without = model(kBag, reader(kFourHeads)),
                    .updates = 400,
                    .equal = true,
                    .rate = 0.005,
                    .property = keeps_a_source_in_one_size});
  }
  // The decoder reads only the first two positions, where the mark is, so the encoder has to move
  // the letter there. Softmax also reads a little of every other position.
  const auto choosing = [](const std::string& terms) {
    return model(looking_around(fmt::format("{{score: cosine, heads: 1, terms: [{}]}}", terms)),
                 reader(dot_with("terms: [{type: window, kind: monotonic, radius: 1}]")));
  };
  rows.push_back({.name = "reinforced",
                  .task = "far_letter",
                  .with = choosing("{type: reinforced, warmup: 200, penalty: 1}"),
                  .without = choosing(""),
                  .updates = 800,
                  .rate = 0.005,
                  .measure = pairs_left_unread,
                  .property = is_still_right});
  const auto reading_layers = [](int64_t count) {
    return fmt::format(
        "{{type: convolution, layers: {}, width: 32, kernel: 1, dropout: 0, "
        "positions: none, attention: {{score: dot, heads: 4}}}}",
        count);
  };
  rows.push_back({.name = "multi_step",
                  .task = "chain",
                  .with = model(kBag, reading_layers(2)),
                  .without = model(kBag, reading_layers(1)),
                  .updates = 2500});
}

void add_networks(Rows& rows) {
  // An encoder that sees each symbol alone does not know the symbol two positions before the mark.
  const auto add_encoder = [&](const std::string& name, const std::string& encoder) {
    rows.push_back({.name = name,
                    .task = "two_before",
                    .with = model(encoder, reader(kFourHeads)),
                    .without = model(kBag, reader(kFourHeads)),
                    .updates = 600,
                    .rate = 0.005});
  };
  for (const char* cell : {"rnn", "lstm", "gru"}) {
    add_encoder(fmt::format("encoder_{}", cell),
                fmt::format("{{type: rnn, cell: {}, width: 32, bidirectional: true}}", cell));
  }
  add_encoder("encoder_convolution", convolution("none"));
  add_encoder("encoder_transformer", transformer("sinusoidal", "self_attention: " + kSoftmax));
  rows.push_back(
      {.name = "positions_learned",
       .task = "two_before",
       .with = model(transformer("learned", "self_attention: " + kSoftmax), reader(kFourHeads)),
       .without = model(looking_around(kSoftmax), reader(kFourHeads)),
       .updates = 1500,
       .rate = 0.005});
  // A block distinguishes the tokens before a token from those after it; with a distance in its
  // scores also near tokens from far ones.
  rows.push_back({.name = "disan",
                  .task = "before",
                  .with = model("{type: disan, width: 32, dropout: 0}", reader(kFourHeads)),
                  .without = model(looking_around(kSoftmax), reader(kFourHeads)),
                  .updates = 400,
                  .rate = 0.005});
  rows.push_back({.name = "disan_with_distance",
                  .task = "nearer",
                  .with = model("{type: disan, width: 32, dropout: 0, fusion: projected, "
                                "self_attention: {score: {type: multi_dim, form: light}, terms: "
                                "[distance]}}",
                                reader(kFourHeads)),
                  .without = model(looking_around(kSoftmax), reader(kFourHeads)),
                  .updates = 400,
                  .rate = 0.005});

  rows.push_back({.name = "disan_normalized",
                  .task = "nearer",
                  .with = model("{type: disan, width: 64, dropout: 0, input_layer: false, fusion: "
                                "normalized, feed_forward: 64, self_attention: {score: scaled_dot, "
                                "heads: 4, terms: [distance]}}",
                                reader(kFourHeads)),
                  .without = model(looking_around(kSoftmax), reader(kFourHeads)),
                  .updates = 600,
                  .rate = 0.005});
  rows.push_back({.name = "graph_encoder",
                  .task = "along_the_edge",
                  .with = model("{type: graph, layers: 1, width: 32, self_attention: {heads: 4}}",
                                reader(kFourHeads)),
                  .without = model(looking_around(kSoftmax), reader(kFourHeads)),
                  .updates = 600,
                  .rate = 0.005});
  // The mark reads the letter by its distance.
  rows.push_back(
      {.name = "intra_attention",
       .task = "two_before",
       .with = model("{type: embeddings, intra_attention: {hidden: 32}}", reader(kFourHeads)),
       .without = model("embeddings", reader(kFourHeads)),
       .updates = 600,
       .rate = 0.005});

  const std::string additive = "{score: {type: additive, hidden: 32}, heads: 1}";
  const std::string transformer_decoder =
      transformer("sinusoidal", fmt::format("self_attention: {0}, attention: {0}", kSoftmax));
  const std::string transformer_encoder = transformer("sinusoidal", "self_attention: " + kSoftmax);
  const auto add_pair = [&](const std::string& name, const std::string& encoder,
                            const std::string& decoder, const std::string& none) {
    rows.push_back({.name = name,
                    .task = "copy",
                    .with = model(encoder, decoder),
                    .without = model(encoder, none),
                    .updates = 500});
  };
  const std::string no_transformer =
      transformer("sinusoidal", fmt::format("self_attention: {}, attention: none", kSoftmax));
  add_pair("attend_before", kGru, recurrent(additive, "attend: before, "),
           recurrent("none", "attend: before, "));
  add_pair("attend_after", kGru, recurrent(additive, "attend: after, "),
           recurrent("none", "attend: after, "));
  add_pair("attend_conditional", kGru, recurrent(additive, "attend: conditional, "),
           recurrent("none"));
  add_pair("decoder_transformer", transformer_encoder, transformer_decoder, no_transformer);
  add_pair("rnn_to_transformer", kGru, transformer_decoder, no_transformer);
  add_pair("transformer_to_rnn", transformer_encoder, recurrent(additive), recurrent("none"));
  add_pair("convolution_to_rnn", convolution("sinusoidal"), recurrent(additive), recurrent("none"));

  // A convolutional decoder learns from a bag only which symbols there are.
  const std::string convolutions = convolutional(2, scored("{type: dot, project: true}"));
  const auto add_convolution = [&](const std::string& name, const std::string& encoder) {
    rows.push_back({.name = name,
                    .task = "copy",
                    .with = model(encoder, convolutions),
                    .without = model(kBag, convolutions),
                    .updates = 1000});
  };
  add_convolution("decoder_convolution", convolution("sinusoidal"));
  add_convolution("rnn_to_convolution", kGru);

  // A decoder that sees only the last token cannot count to four.
  const auto past = [](const std::string& attention) {
    return model(kBag, transformer("none", fmt::format("self_attention: {}, attention: {}",
                                                       attention, kSoftmax)));
  };
  const auto add_past = [&](const std::string& name, const std::string& attention) {
    rows.push_back({.name = name,
                    .task = "four_times",
                    .with = past(attention),
                    .without = past("none"),
                    .updates = 300});
  };
  add_past("average", "{type: average, feed_forward: 32}");
  rows.back().sample = true;
  add_past("ssru", "ssru");
  for (const char* decay : {"fixed", "gated"}) {
    add_past(fmt::format("gated_linear_{}", decay),
             fmt::format("{{type: gated_linear, decay: {}, heads: 1}}", decay));
    rows.back().property = keeps_a_past_in_one_size;
  }
}

// The decoder sees only its last token and the context. In a bag no content tells which of several
// equal symbols was read last, nor which symbol is next; a head that moves does not need to know. A
// source pooled to one row always has weight 1, so a decoder that does not write reads the same at
// every step and cannot count.
void add_memories(Rows& rows) {
  const std::string bag = "{type: embeddings}";
  const auto add = [&](const std::string& name, const std::string& task, const std::string& encoder,
                       const std::string& with, const std::string& without) {
    rows.push_back({.name = name,
                    .task = task,
                    .with = model(encoder, reader(with)),
                    .without = model(encoder, reader(without)),
                    .updates = 400,
                    .rate = 0.005});
  };
  add("memory", "marked_copy", bag, "{type: memory, write: false}", kSoftmax);
  add("memory_shift", "marked_copy", bag, "memory", "{type: memory, shift: 0}");
  // A memory of its own has a row for each letter. The controller alone holds six letters, too.
  const auto turing = [](const std::string& attention) {
    return model("none", fmt::format("{{type: rnn, cell: gru, width: 48, attend: before, "
                                     "output_activation: tanh, attention: {}}}",
                                     attention));
  };
  for (const char* initial : {"learned", "constant"})
    rows.push_back({.name = fmt::format("memory_{}", initial),
                    .task = "copied",
                    .with = turing(fmt::format("{{type: memory, initial: {}, rows: 16, width: 16, "
                                               "order: write_first}}",
                                               initial)),
                    .without = turing("none"),
                    .updates = 3000,
                    .equal = true,
                    .rate = 0.005,
                    .measure = right_last_symbols});
  add("memory_write", "four_times", bag + ", join: {type: self_attentive, pool: max}",
      "{type: memory, shift: 0}", "{type: memory, shift: 0, write: false}");
}

// Tasks over several sentences. A model that reads one of two sources can only guess the other; a
// bag does not know the other words of the sentence of a word, nor the other source.
void add_sources(Rows& rows) {
  const std::string bag = "{type: embeddings}";
  const auto two = [](const std::string& encoder, const std::string& decoder,
                      const std::string& more = "") {
    return fmt::format(
        "{{embedding: {{width: 32, tie: none}}, encoders: {{first: {}, second: {}}}, decoder: "
        "{}{}}}",
        encoder, encoder, decoder, more);
  };
  const std::string inner = "attention: {score: dot}";
  const std::string one = fmt::format("{{type: one_source, source: first, {}}}", inner);
  for (const char* combine : {"concat", "parallel", "serial", "flat", "hierarchical"}) {
    const std::string all = fmt::format("{{type: multi_source, combine: {}, {}}}", combine, inner);
    rows.push_back({.name = fmt::format("multi_source_{}", combine),
                    .task = "in_turn",
                    .with = two(kGru, recurrent(all)),
                    .without = two(kGru, recurrent(one)),
                    .updates = 600});
  }
  // Without attention the first state holds all information; the state of the first source does not
  // depend on the other.
  for (const char* join : {"basic", "child_sum"}) {
    const std::string
        lstm = "{type: rnn, cell: lstm, width: 64, bidirectional: true}",
        decoder =
            "{type: rnn, cell: lstm, width: 64, input_feeding: true, output_activation: "
            "tanh, attention: none}";
    rows.push_back({.name = fmt::format("join_{}", join),
                    .task = "in_both",
                    .with = two(lstm, decoder, fmt::format(", join: {}", join)),
                    .without = two(lstm, decoder),
                    .updates = 1500,
                    .goal = 60});
  }
  const std::string both = recurrent(fmt::format("{{type: multi_source, {}}}", inner));
  for (const char* order : {"parallel", "in_turn"}) {
    rows.push_back(
        {.name = fmt::format("co_attention_{}", order),
         .task = "where_it_leads",
         .with = two(bag, both,
                     fmt::format(", join: {{type: co_attention, hidden: 32, order: {}}}", order)),
         .without = two(bag, both),
         .updates = 500});
  }
  // The name guides the reading of the symbols, which become one row; without it, one row of all
  // symbols holds little of each.
  for (const char* join : {"alternating", "parallel"}) {
    rows.push_back(
        {.name = fmt::format("{}_co_attention", join),
         .task = "where_it_leads",
         .with =
             two(bag, both,
                 fmt::format(", join: {{type: {}_co_attention, hidden: 64, first: second}}", join)),
         .without = two(bag, both,
                        ", join: {type: self_attentive, pool: {type: rows, rows: 1, hidden: 64}}"),
         .updates = 1000});
  }
  rows.push_back(
      {.name = "attentive_pooling",
       .task = "where_it_leads",
       .with = two(bag, both, ", join: attentive_pooling"),
       .without = two(bag, both,
                      ", join: {type: self_attentive, pool: {type: rows, rows: 1, hidden: 64}}"),
       .updates = 1000});
  // The decoder starts from the mean of the symbols and does not know the name that is asked for.
  const std::string wide =
      recurrent("{type: multi_source, attention: {score: {type: additive, hidden: 32}}}");
  rows.push_back({.name = "attention_flow",
                  .task = "where_it_leads",
                  .with = two(bag, wide, ", join: {type: attention_flow, context: first}"),
                  .without = two(bag, wide),
                  .updates = 500});
  // A decoder without attention knows only what it starts from: the first sentence, or both.
  const std::string embeddings = "{type: embeddings, intra_attention: {hidden: 32}}";
  rows.push_back({.name = "decomposable_attention",
                  .task = "in_both",
                  .with = two(embeddings, recurrent("none"),
                              ", join: {type: co_attention, hidden: 64, compared: 64, "
                              "summary_layers: 2}"),
                  .without = two(embeddings, recurrent("none")),
                  .updates = 1500,
                  .rate = 0.002});
  const auto pooled = [&](const std::string& start) {
    return two(bag, recurrent("none"),
               fmt::format(", join: {{type: self_attentive, start: {}, pool: {{type: source2token, "
                           "hidden: 32, with_max: true}}}}",
                           start));
  };
  rows.push_back({.name = "matched",
                  .task = "in_both",
                  .with = pooled("matched"),
                  .without = pooled("rows"),
                  .updates = 1500,
                  .rate = 0.005,
                  .in_both = "join: self_attentive"});
  rows.push_back(
      {.name = "attention_over_attention",
       .task = "what_is_asked",
       .with =
           two(bag, recurrent("{type: attention_over_attention, document: first, query: second}"),
               ", output: pointer_sum"),
       .without = two(bag, recurrent(one), ", output: pointer_sum"),
       .updates = 500});
  // Two attentions know the keys and the values, but not which belong together.
  rows.push_back({.name = "key_value_memory",
                  .task = "asked_value",
                  .with = two(bag, reader("{type: key_value_memory, keys: first, values: second}")),
                  .without = two(bag, reader(fmt::format("{{type: multi_source, {}}}", inner))),
                  .updates = 1000,
                  .rate = 0.005});
  // The query of both is the question: of a decoder without recurrence, it is the only input.
  rows.push_back(
      {.name = "decoder_answer",
       .task = "where_it_leads",
       .with = two(bag, fmt::format("{{type: answer, question: second, attention: {}}}", one)),
       .without = two(bag, recurrent(one, "bridge_from: second, ")),
       .updates = 600,
       .equal = true});
  // The tag adds the same number to the scores of all positions of its source, so one attention for
  // both tags reads the same positions for both. It can only read a mixture of the two candidate
  // positions, which later layers have to separate.
  const auto by_tag = [](const std::string& attention) {
    return fmt::format(
        "{{embedding: {{width: 32, tie: none, tag: source}}, encoder: {{type: embeddings, "
        "positions: "
        "sinusoidal}}, decoder: {}}}",
        placed_reader(attention));
  };
  rows.push_back({.name = "task_specific",
                  .task = "either_way",
                  .with = by_tag(fmt::format("{{type: task_specific, attention: {}}}", kSoftmax)),
                  .without = by_tag(kSoftmax),
                  .updates = 500});
  const std::string sentences = fmt::format(
      "{{type: hierarchical, word_encoder: {}, sentence_encoder: {}, pool: mean, states: words}}",
      bag, bag);
  for (const char* combine : {"scale", "chunk"}) {
    const std::string terms =
        fmt::format("{{score: dot, terms: [{{type: chunks, combine: {}, hidden: 32}}]}}", combine);
    rows.push_back({.name = fmt::format("chunks_{}", combine),
                    .task = "letter_of_the_sentence",
                    .with = model(sentences, recurrent(terms)),
                    .without = model(sentences, recurrent("{score: dot}")),
                    .updates = 400});
  }
  const auto document = [&](const std::string& words, const std::string& more) {
    return fmt::format("{{type: hierarchical, word_encoder: {}, sentence_encoder: {}, {}}}", words,
                       bag, more);
  };
  const std::string by_attention = "pool: {type: attention, hidden: 32}";
  rows.push_back({.name = "hierarchical",
                  .task = "letter_of_the_sentence",
                  .with = model(document(kGru, by_attention), recurrent("{score: dot}")),
                  .without = model(bag, recurrent("{score: dot}")),
                  .updates = 500});
  rows.push_back({.name = "pool_mean",
                  .task = "letter_of_the_sentence",
                  .with = model(document(bag, "pool: mean"), recurrent("{score: dot}")),
                  .without = model(bag, recurrent("{score: dot}")),
                  .updates = 500});
  rows.push_back({.name = "pool_sum",
                  .task = "letter_of_the_sentence",
                  .with = model(document(bag, "pool: sum"), recurrent("{score: dot}")),
                  .without = model(bag, recurrent("{score: dot}")),
                  .updates = 500});
  rows.push_back({.name = "pool_last",
                  .task = "letter_of_the_sentence",
                  .with = model(document("{type: rnn, cell: gru, width: 32, bidirectional: false}",
                                         "pool: last"),
                                recurrent("{score: dot}")),
                  .without = model(bag, recurrent("{score: dot}")),
                  .updates = 500});
  // The mean of words that are encoded one by one does not tell which is first.
  rows.push_back({.name = "pool_position",
                  .task = "first_of_the_sentence",
                  .with = model(document(bag, "pool: position"), recurrent("{score: dot}")),
                  .without = model(document(bag, "pool: mean"), recurrent("{score: dot}")),
                  .updates = 500});
  // A decoder without attention knows only its initial state: the mean of all sentences, or by
  // attention that of the marked one.
  const auto starting_from = [&](const std::string& last) {
    return model(
        fmt::format("{{type: hierarchical, word_encoder: {}, sentence_encoder: embeddings, "
                    "pool: mean, last: {}}}",
                    bag, last),
        "{type: rnn, cell: gru, width: 32, attention: none}");
  };
  rows.push_back({.name = "last_attention",
                  .task = "letter_of_the_sentence",
                  .with = starting_from("{type: attention, hidden: 32}"),
                  .without = starting_from("encoder"),
                  .updates = 500});
  rows.push_back({.name = "label",
                  .task = "letter_of_the_sentence",
                  .with = model(fmt::format("{{type: hierarchical, word_encoder: {}, "
                                            "sentence_encoder: embeddings, pool: mean, last: "
                                            "{{type: attention, hidden: 32}}}}",
                                            bag),
                                "none, output: label"),
                  .without = starting_from("encoder"),
                  .updates = 500});
}

// Attention over the decoder's own past: six letters with their digits are more than the state of a
// small recurrent decoder holds after these few updates.
void add_pasts(Rows& rows) {
  const auto remembering = [](const std::string& past) {
    return model("none", fmt::format("{{type: rnn, cell: gru, width: 48, attention: none, "
                                     "output_activation: tanh, past: {}}}",
                                     past));
  };
  for (const char* parts : {"whole", "key_value", "key_value_predict"}) {
    rows.push_back(
        {.name = fmt::format("past_{}", parts),
         .task = "recalled",
         .with = remembering(fmt::format(
             "{{parts: {}, attention: {{score: {{type: additive, hidden: 32}}}}}}", parts)),
         .without = remembering("~"),
         .updates = 1200,
         .measure = right_last_symbols});
  }
}

// The gates of an LSTM first have to stay open for thirty steps, through which the gradient vanishes;
// an attention in the cell reads the first state at once.
void add_intra_attentions(Rows& rows) {
  const std::string lstm = "{type: rnn, cell: lstm, width: 32, ",
                    alone = lstm + "attention: none, output_activation: tanh",
                    one_way = lstm + "bidirectional: false",
                    intra =
                        ", intra_attention: {attention: {score: {type: additive, hidden: 32}}}}";
  // The decoder has only the last state of the encoder.
  rows.push_back({.name = "encoder_intra_attention",
                  .task = "far_back",
                  .with = model(one_way + intra, alone + "}"),
                  .without = model(one_way + "}", alone + "}"),
                  .updates = 300});
  rows.push_back({.name = "deep_fusion",
                  .task = "copy",
                  .with = model("{type: rnn, cell: lstm, width: 32, memory_tape: true}",
                                "{type: rnn, cell: lstm, width: 32, input_feeding: true, "
                                "output_activation: tanh, attend: deep_fusion, attention: {score: "
                                "{type: additive, hidden: 32}}}"),
                  .without = model("{type: rnn, cell: lstm, width: 32}",
                                   "{type: rnn, cell: lstm, width: 32, input_feeding: true, "
                                   "output_activation: tanh, attention: none}"),
                  .updates = 600});
}

// A sum of two numbers needs a deeper network than a copy of one; with adaptive computation time
// the network is deeper where it has to be.
void add_adaptive_steps(Rows& rows) {
  const std::string rnn = "{type: rnn, cell: rnn, width: 32, ",
                    adaptive = ", adaptive: {most: 4, ponder: 0.05}}",
                    linear = rnn + "output_activation: linear, deep_output: false, attention: ",
                    alone = linear + "none", one_way = rnn + "bidirectional: false";
  // The output is a linear function of the encoder states, the last of which is that of the second
  // number.
  const std::string shallow =
      linear + "{score: dot}, attend: after, bridge: none}, source_end: false";
  rows.push_back({.name = "encoder_adaptive",
                  .task = "sum_or_copy",
                  .with = model(one_way + adaptive, shallow),
                  .without = model(one_way + "}", shallow),
                  .updates = 1200,
                  .equal = true,
                  .rate = 0.005});
  rows.push_back({.name = "decoder_adaptive",
                  .task = "sum_or_copy_read",
                  .with = model("none", alone + adaptive),
                  .without = model("none", alone + "}"),
                  .updates = 1200,
                  .equal = true,
                  .rate = 0.005,
                  .measure = right_last_symbols,
                  .property = ponders_longer_over_sums});
}

// The labels of the symbols determine the output.
void add_factors(Rows& rows) {
  for (const auto& [name, factor] :
       {std::pair{"concatenate", "{width: 8}"}, {"sum", "{combine: sum}"}}) {
    const auto reading = [&](const std::string& factors) {
      return fmt::format(
          "{{embedding: {{width: 32, tie: none, source_factors: {}}}, encoder: {}, decoder: {}}}",
          factors, kGru, recurrent("{score: {type: additive, hidden: 32}}"));
    };
    rows.push_back({.name = fmt::format("source_factors_{}", name),
                    .task = "by_label",
                    .with = reading(fmt::format("{{label: {}}}", factor)),
                    .without = reading("{}"),
                    .updates = 400});
  }
}

// The target has symbols that are not in the vocabulary.
void add_outputs(Rows& rows) {
  for (const auto& [name, output] : {std::pair{"pointer", "{type: pointer, hidden: 32}"},
                                     {"pointer_generator", "pointer_generator"},
                                     {"copynet", "copynet"}}) {
    const std::string decoder = recurrent("{score: {type: additive, hidden: 32}}");
    rows.push_back({.name = name,
                    .task = "copy_of_unknown",
                    .with = model(kGru, decoder + ", output: " + output),
                    .without = model(kGru, decoder),
                    .updates = 600});
  }
  // The decoders of See et al. 2017 and Gu et al. 2016.
  const std::string see =
      "{type: rnn, cell: lstm, width: 32, attend: after, context_feeding: true, read_state: "
      "hidden_and_cell, bridge: relu, output_activation: linear, deep_output: false, attention: "
      "{score: {type: location, features: coverage, hidden: 32}}}, source_end: false";
  rows.push_back({.name = "pointer_generator_see",
                  .task = "copy_of_unknown",
                  .with = model(kGru, see + ", output: {type: pointer_generator, state: decoder}"),
                  .without = model(kGru, see),
                  .updates = 600});
  const std::string gu =
      "{type: rnn, cell: gru, width: 32, output_activation: none, attention: {score: {type: "
      "additive, hidden: 32}}}, source_end: false";
  rows.push_back({.name = "copynet_gu",
                  .task = "copy_of_unknown",
                  .with = model(kGru, gu + ", output: {type: copynet, state: decoder}"),
                  .without = model(kGru, gu),
                  .updates = 600});
  // In a bag the position of the last token, which is a sum over alignments, shows which is next.
  rows.push_back(
      {.name = "hard_monotonic",
       .task = "copy",
       .with = model(kBag, reader("none") + ", output: {type: hard_monotonic, window: 3}"),
       .without = model(kBag, reader(kSoftmax)),
       .updates = 600});
  for (const auto& [name, monotonic] :
       {std::pair{"hard_monotonic_order_0", "true"}, std::pair{"hard_any_alignment", "false"}}) {
    rows.push_back({.name = name,
                    .task = "copy",
                    .with = model(kPlaces, placed_reader("none") +
                                               fmt::format(", output: {{type: hard_monotonic, "
                                                           "order: 0, monotonic: {}}}",
                                                           monotonic)),
                    .without = model(kPlaces, placed_reader(kSoftmax)),
                    .updates = 600,
                    .equal = true,
                    .rate = 0.005});
  }
}

// Published models, made small.
void add_presets(Rows& rows) {
  const auto add = [&rows](const std::string& preset, const std::string& encoder,
                           const std::string& decoder, const std::string& attention,
                           const std::string& more = "") {
    const auto with = [&](const std::string& own) {
      return fmt::format(
          "{{preset: {}, embedding: {{width: 32, dropout: 0, tie: none}}, encoder: {{{}}}, "
          "decoder: {{{}, attention: {}}}{}}}",
          preset, encoder, decoder, own, more);
    };
    rows.push_back({.name = "preset_" + preset,
                    .task = "copy",
                    .with = with(attention),
                    .without = with("none"),
                    .updates = 600,
                    .rate = 0.005});
  };
  add("bahdanau", "width: 32", "width: 32", "{score: {hidden: 32}}");
  const std::string layer = "layers: 1, width: 32, dropout: 0";
  // The initial values of the paper, below 0.1, are those of a width of 1000.
  add("luong", layer, layer, "{heads: 1}", ", initializer: {scale: 0.3}");
  const std::string block = layer + ", feed_forward: 64, self_attention: {heads: 4}";
  add("vaswani", block, block, "{heads: 4}");
  const std::string recurrent = layer + ", feed_forward: 64";
  for (const char* student : {"student_tiny", "student_base"})
    add(student, block, recurrent, "{heads: 4}");
}

// The presets of memory networks, as they stand but for their widths. Each is compared with itself
// without a part that the task needs: the order of the sentences, a second hop, the memory.
void add_memory_presets(Rows& rows) {
  const auto add = [&rows](const std::string& preset, const std::string& task,
                           const std::string& with, const std::string& without, int64_t updates,
                           double supporting_facts = 0) {
    rows.push_back({.name = "preset_" + preset,
                    .task = task,
                    .with = fmt::format("{{preset: {}, {}}}", preset, with),
                    .without = fmt::format("{{preset: {}, {}}}", preset, without),
                    .updates = updates,
                    .rate = 0.003,
                    .supporting_facts = supporting_facts});
  };
  const std::string narrow = "embedding: {width: 32}";
  add("memn2n", "moved", "embedding: {}",
      "encoders: {story: {sentence_encoder: {positions: none, from_end: false}}}", 3000);
  // The gates learn the facts, as in the paper. Without the GRU over the facts and the states that have read the sentences before, the order of
  // the facts is lost.
  const auto dmn = [&](const std::string& story, const std::string& decoder) {
    return fmt::format(
        "{}, encoders: {{story: {{word_encoder: {{width: 32}}, sentence_encoder: "
        "embeddings{}}}, question: {{width: 32}}}}{}",
        narrow, story, decoder);
  };
  const std::string sum = ", decoder: {attention: {attention: {gate: softmax, episode: soft_sum}}}";
  add("dmn", "moved", dmn("", ""), dmn(", word_context: sentence", sum), 3000,
      /*supporting_facts=*/1);
  const auto dmn_plus = [&](const std::string& sentences, const std::string& decoder) {
    return fmt::format(
        "{}, encoders: {{story: {{sentence_encoder: {}}}, question: {{width: "
        "32}}}}{}",
        narrow, sentences, decoder);
  };
  add("dmn_plus", "moved", dmn_plus("{width: 32}", ""),
      dmn_plus("{type: embeddings, positions: none}", sum), 3000);
  add("key_value_memory", "led_twice", narrow, narrow + ", decoder: {attention: {hops: 1}}", 4000);
  rows.push_back({.name = "preset_ntm",
                  .task = "copied",
                  .with = "{preset: ntm, embedding: {width: 32}, decoder: {width: 48, attention: "
                          "{rows: 16, width: 16}}}",
                  .without =
                      "{preset: ntm, embedding: {width: 32}, decoder: {width: 48, attention: "
                      "none}}",
                  .updates = 2000,
                  .equal = true,
                  .rate = 0.005,
                  .measure = right_last_symbols});
}

}  // namespace

std::vector<Row> learning_rows() {
  Rows rows;
  add_scores(rows);
  add_distances(rows);
  add_places(rows);
  add_policies(rows);
  add_normalizers(rows);
  add_readings(rows);
  add_networks(rows);
  add_memories(rows);
  add_sources(rows);
  add_pasts(rows);
  add_intra_attentions(rows);
  add_adaptive_steps(rows);
  add_outputs(rows);
  add_factors(rows);
  add_presets(rows);
  add_memory_presets(rows);
  return rows;
}

}  // namespace heed
