// SPDX-License-Identifier: BSD-3-Clause
// The emulated cluster itself: barriers, warps and copies are as late as on a GPU, and what would hang one throws.
#include "cluster.hpp"

#include "testing/catch.hpp"

using namespace tessera::testing;

namespace {

int thread() { return int(threadIdx.x); }
emulated_cluster& here() { return emulated_cluster::of_caller(); }

std::string thrown_by(int blocks, int threads, const std::function<void(char*)>& body) {
  try {
    emulated_cluster(blocks, threads, 1024, {}).run(0, body);
    return "";
  } catch (const std::logic_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("gpu emulated cluster: threads see what others wrote before a barrier", "[general]") {
  for (const bool backwards : {false, true}) {
    emulated_cluster cluster(2, 64, 64, {.backwards = backwards});
    int wrong = 0, last_block = 0;
    for (const int first : {4, 6})
      cluster.run(first, [&](char* shared) {
        wrong += shared[thread()] != char(0xff);
        here().block_barrier();
        shared[thread()] = char(thread());
        here().block_barrier();
        wrong += shared[63 - thread()] != 63 - thread();
        here().cluster_barrier();
        wrong += here().in_block(shared, 1)[thread()] != thread();
        last_block = std::max(last_block, int(blockIdx.x));
      });
    CHECK(wrong == 0);
    CHECK(last_block == 7);
  }
  // Without a barrier they do not.
  int unseen = 0;
  emulated_cluster(1, 64, 64, {}).run(0, [&](char* shared) {
    shared[thread()] = char(thread());
    unseen += shared[63 - thread()] != 63 - thread();
  });
  CHECK(unseen == 32);
}

TEST_CASE("gpu emulated cluster: copies are made when they are queued, or waited for", "[general]") {
  alignas(16) static const char from[32] = "0123456789abcde0123456789abcde";
  for (const bool late : {false, true}) {
    std::string found;
    emulated_cluster(1, 32, 64, {.copies_late = late}).run(0, [&](char* shared) {
      if (thread() != 0) return;
      here().copy(0, from, 16);
      here().commit_copies();
      here().copy(16, from, 16);
      here().copy(16, nullptr, 4);
      here().commit_copies();
      const auto note = [&] { found += (shared[0] == '0' ? "x" : "-") + std::string(shared[20] == '4' ? "x" : "-"); };
      note();
      here().wait_for_copies(1);
      note();
      here().wait_for_copies(0);
      note();
      found += shared[16] == 0 ? " 0" : " -";
    });
    CHECK(found == (late ? "--x-xx 0" : "xxxxxx 0"));
  }
}

TEST_CASE("gpu emulated cluster: what hangs a GPU, or is not aligned, throws", "[general]") {
  CHECK(thrown_by(1, 64, [](char*) {
          if (thread() < 63) here().block_barrier();
        }) == "threads wait for others for ever");
  CHECK(thrown_by(2, 32, [](char*) {
          if (blockIdx.x == 0) here().cluster_barrier();
        }) == "threads wait for others for ever");
  const auto nothing = [](int* const*) {};
  CHECK(thrown_by(1, 32, [&](char*) {
          int mine = 0;
          if (thread() < 16)
            here().as_warp("a shuffle", mine, nothing);
          else
            here().as_warp("a product", mine, nothing);
        }) == "lanes of a warp are at a shuffle and a product");
  CHECK(thrown_by(1, 32, [](char*) { here().copy(8, nullptr, 16); }) == "a copy that is not aligned");
  CHECK(thrown_by(1, 32, [](char*) { here().copy(1024, nullptr, 16); }) == "an access beyond the end of shared memory");
  static const char tensor[32]{};
  CHECK(thrown_by(1, 32, [](char*) {
          here().may_read(tensor, 16);
          here().copy(0, tensor + 14, 2);
        }).empty());
  CHECK(thrown_by(1, 32, [](char*) {
          here().may_read(tensor, 15);
          here().copy(0, tensor + 14, 2);
        }) == "a copy from outside of a tensor");
  CHECK(thrown_by(1, 32, [](char*) {}).empty());
}
