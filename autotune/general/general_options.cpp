// SPDX-License-Identifier: BSD-3-Clause
// Adds the options of family general to a command.
#include "general/general_options.hpp"

#include "measure/number_option.hpp"

namespace tessera::tune {

void add_general_options(CLI::App& app, options& o) {
  app.add_option("--row", o.rows, "of family general, rows of the TCCG benchmark: 1-48 (default) or 1-8,12");
  app.add_option("--einsum", o.einsum, "of family general, a contraction of two tensors instead: bda,dc->abc");
  app.add_option("--extents", o.extents, "of --einsum: a=72,b=72,...");
  app.add_option("--scale", o.scale, "of --row: extents times this")
      ->check(bench::real_between(0.001, 1))
      ->capture_default_str();
}

void add_general_search_options(CLI::App& app, options& o) {
  app.add_option("--search", o.search,
                 "of family general: model: the model's best tiles; random: tiles drawn from all that fit the GPU, and "
                 "how rare good ones are")
      ->check(CLI::IsMember({"model", "random"}))
      ->capture_default_str();
  app.add_option("--within", o.within,
                 "of --search random: ends as soon as it has drawn three times as many tiles as are expected until one "
                 "is within this of the best (0.05: 5 %); else all candidates are measured")
      ->check(bench::real_between(0, 0.9));
  app.add_flag("--model-only", o.model_only,
               "of family general: print the tiles with the model's times, measure nothing; needs no GPU");
}

}  // namespace tessera::tune
