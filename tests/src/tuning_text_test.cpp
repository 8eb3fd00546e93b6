// SPDX-License-Identifier: BSD-3-Clause
// Tunings in words: every axis that a kernel's tuning has leaves a word, and sources keep their notes apart.
#include <tessera/detail/axes.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/detail/tuning_text.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using detail::text_of;

TEST_CASE("tunings of a CPU's products in words", "[describe]") {
  CHECK(text_of(cpu_gemm_tuning{.plain = 1}) == "plain loops");
  CHECK(text_of(cpu_gemm_tuning{.plain = 1, .stream = 1}) == "plain loops, non-temporal stores");
  CHECK(text_of(cpu_gemm_tuning{.row_vectors = 2, .columns = 3, .unroll_k = 4}) ==
        "tile of 2 vectors x 3 columns, k unrolled by 4");
  CHECK(
      text_of(cpu_gemm_tuning{.columns = 5, .unroll_k = 0, .keep_left = 1, .matrices = 2, .stream = 1}) ==
      "tile of 1 vectors x 5 columns, k unrolled fully, A kept in registers, 2 products per task, non-temporal stores");
}

TEST_CASE("tunings of a GPU's products in words", "[describe]") {
  CHECK(text_of(gpu_gemm_tuning{.matrices = 24, .threads = 96, .tile_rows = 3, .tile_cols = 1}) ==
        "24 products per block of 96 threads, tile 3x1");
  CHECK(text_of(gpu_gemm_tuning{.over_a = 1, .loads = 1, .row_vector = 2}) ==
        "4 products per block of 128 threads, tile 2x2, C in an input's shared memory, loads by all threads, "
        "2 rows of A per load");
  CHECK(text_of(gpu_gemm_tuning{.over_a = 2, .tensor_cores = 1}) ==
        "4 products per block of 128 threads, tile 2x2, C in an input's shared memory where beta = 0, on tensor cores");
}

TEST_CASE("tunings of element operators in words", "[describe]") {
  CHECK(text_of(element_run{.prefetch_kib = 0, .nontemporal = 0, .prefetch_level = 0, .prefetch_repeats = 1}) ==
        "no prefetch");
  CHECK(text_of(element_run{.prefetch_kib = 8, .nontemporal = 1, .prefetch_level = 1, .prefetch_repeats = 1}) ==
        "prefetch 8 KiB ahead to L1, y by non-temporal stores");
  CHECK(text_of(element_run{.prefetch_kib = 64, .nontemporal = 0, .prefetch_level = 2, .prefetch_repeats = 3}) ==
        "prefetch 64 KiB ahead to L2, D shortly before its use, each line 3 times");
  CHECK(text_of(element_tuning{.elements = 1, .threads = 64}) == "1 element per block of 64 threads");
  CHECK(text_of(element_tuning{.elements = 5, .threads = 128}) == "5 elements per block of 128 threads");
}

TEMPLATE_TEST_CASE("tunings that differ in one axis differ in words, by which they are told apart", "[describe]",
                   cpu_gemm_tuning, gpu_gemm_tuning, element_run) {
  for (const axis<TestType>& a : axes_of<TestType>()) {
    TestType other;
    other.*(a.field) = other.*(a.field) == a.values.back() ? a.values.front() : a.values.back();
    INFO(a.name);
    CHECK(text_of(other) != text_of(TestType{}));
  }
}

TEST_CASE("a tuning's source with its notes, and without", "[describe]") {
  tuning_source source{"record of this device"};
  source.note("");
  CHECK(source.text() == "record of this device");
  source.note("one");
  source.note("two");
  CHECK(source.text() == "record of this device; one; two");
  CHECK(source.name == "record of this device");
}
