// SPDX-License-Identifier: BSD-3-Clause
// Whole runs on folders that look like builds: what is renewed, what stays stale, and what is refused.
#include "restamp/restamp.hpp"

#include <filesystem>

#include "restamp/recorded_code.hpp"
#include "small_objects.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

namespace fs = std::filesystem;

// Of 16 digits, as they are: a family's is the same in all builds unless it is set.
struct hashes {
  std::string cpu = "00000000000000c0", gpu = "00000000000000d0", element = "00000000000000e0",
              element_run = "00000000000000f0";
};

struct builds {
  scratch_folder folder;
  restamp_request o;
  const std::string object = object_of(kernel_source("former"));

  builds() {
    make("before", {}, object);
    fs::create_directories(folder / "records");
    o.former = (folder / "before").string();
    o.latter = (folder / "after").string();
    o.files = {(folder / "records").string()};
  }

  void make(const std::string& name, const hashes& h, const std::string& kernels,
            const std::string& settings =
                "CMAKE_BUILD_TYPE:STRING=Release\nTESSERA_ROWS:STRING=full\n"
                "TESSERA_TYPES:STRING=f32;f64\n") const {
    const fs::path in = folder / name;
    fs::create_directories(in / "generated/private");
    fs::create_directories(in / "bin");
    write_text((in / "CMakeCache.txt").string(), settings);
    std::string text;
    for (const auto& [family, hash] :
         {std::pair{"cpu", h.cpu}, {"gpu", h.gpu}, {"element", h.element}, {"element_run", h.element_run}})
      text += "inline constexpr const char* " + std::string(family) + "_kernel_hash = \"" + hash + "\";\n";
    write_text((in / "generated/private/kernel_hashes.hpp").string(), text);
    write_text(
        (in / "libtessera.a").string(),
        archive_of({{"device_facts.cpp.o", text}, {"rows_avx2_f64_0.cpp.o", kernels}, {"other.cpp.o", "anything"}}));
  }

  // A program that says what a tuner would.
  void make_tuner(const std::string& name, const std::string& says) const {
    const std::string program = (folder / (name + "/bin/tessera-tune")).string();
    write_text(program, "#!/bin/sh\ncat <<'END'\n" + says + "END\n");
    fs::permissions(program, fs::perms::owner_all);
  }

  std::string record_file_of(const std::string& hash) const {
    record_file f = sample_file();
    f.source_hash = hash;
    f.records[1].source_hash = "0000000000000bad";  // stale before
    write_records(f, (folder / "records/sample.json").string());
    return text();
  }
  std::string text() const { return text_of_file((folder / "records/sample.json").string()); }
};

const hashes changed_cpu{.cpu = "00000000000000c1"};

}  // namespace

TEST_CASE("restamp: a renamed identifier renews, and what was stale stays so", "[tune][restamp]") {
  builds b;
  b.make("after", changed_cpu, object_of(kernel_source("latter")));
  const std::string before = b.record_file_of(hashes{}.cpu);
  b.o.dry_run = true;
  CHECK(run_restamp(b.o) == 0);
  CHECK(b.text() == before);
  b.o.dry_run = false;
  CHECK(run_restamp(b.o) == 0);
  std::string expected = before;
  expected.replace(expected.find(hashes{}.cpu), 16, changed_cpu.cpu);
  CHECK(b.text() == expected);
  CHECK(b.folder.files() == 3);  // no lock, no temporary
  CHECK(std::distance(fs::directory_iterator(b.folder / "records"), {}) == 1);
}

TEST_CASE("restamp: a changed constant renews nothing", "[tune][restamp]") {
  builds b;
  b.make("after", changed_cpu, object_of(kernel_source("former", "5.0")));
  const std::string before = b.record_file_of(hashes{}.cpu);
  CHECK(run_restamp(b.o) == 1);
  CHECK(b.text() == before);
}

TEST_CASE("restamp: records of still older kernels stay as they are", "[tune][restamp]") {
  builds b;
  b.make("after", changed_cpu, object_of(kernel_source("latter")));
  const std::string before = b.record_file_of("0000000000000001");
  CHECK(run_restamp(b.o) == 0);
  CHECK(b.text() == before);
}

TEST_CASE("restamp: targets without kernels, and few rows, prove nothing", "[tune][restamp]") {
  builds b;
  const std::string settings = "TESSERA_ROWS:STRING=smoke\nTESSERA_TYPES:STRING=f32;f64\n";
  b.make("before", {}, b.object, settings);
  b.make("after", changed_cpu, b.object, settings);
  const std::string before = b.record_file_of(hashes{}.cpu);
  CHECK(run_restamp(b.o) == 1);
  CHECK(b.text() == before);
  record_file f = read_records((b.folder / "records/sample.json").string());
  f.target = "avx512";
  for (record& r : f.records) r.of.on = target::avx512;
  write_records(f, (b.folder / "records/other.json").string());
  const std::string other = text_of_file((b.folder / "records/other.json").string());
  b.o.some_rows = true;
  CHECK(run_restamp(b.o) == 1);
  CHECK(b.text() != before);
  CHECK(text_of_file((b.folder / "records/other.json").string()) == other);
}

TEST_CASE("restamp: builds for debugging prove nothing", "[tune][restamp]") {
  for (const char* how : {"CMAKE_BUILD_TYPE:STRING=Debug\n", "TESSERA_SANITIZE:STRING=address\n"}) {
    builds b;
    const std::string settings = std::string("TESSERA_ROWS:STRING=full\nTESSERA_TYPES:STRING=f32;f64\n") + how;
    b.make("before", {}, b.object, settings);
    b.make("after", changed_cpu, b.object, settings);
    const std::string before = b.record_file_of(hashes{}.cpu);
    CHECK(run_restamp(b.o) == 1);
    CHECK(b.text() == before);
  }
}

TEST_CASE("restamp: on a GPU by what the two tuners compile", "[tune][restamp]") {
  builds b;
  const hashes changed{.gpu = "00000000000000d1"};
  b.make("after", changed, b.object);
  record_file f = sample_file();
  f.target = "cuda";
  f.compute_capability = "9.0";
  f.source_hash = hashes{}.gpu;
  f.records.resize(1);
  f.records[0].of.on = target::cuda;
  f.records[0].winner = f.records[0].runner_up = {{64, 128, 1, 1, 0, 0, 1}};
  const std::string path = (b.folder / "records/gpu.json").string();
  write_records(f, path);
  const std::string before = text_of_file(path), own = hashes{}.gpu + " own\n";
  CHECK(run_restamp(b.o) == 1);  // no tuners
  b.make_tuner("before", own + "1234 cuda f64 cache 5x5x5\n");
  b.make_tuner("after", changed.gpu + " own\n5678 cuda f64 cache 5x5x5\n");
  CHECK(run_restamp(b.o) == 1);
  b.make_tuner("after", own + "1234 cuda f64 cache 5x5x5\n");  // of older kernels
  CHECK(run_restamp(b.o) == 1);
  b.make_tuner("after", changed.gpu + " own\n1234 cuda f64 cache 2x2x2\n");
  CHECK(run_restamp(b.o) == 1);
  CHECK(text_of_file(path) == before);
  b.make_tuner("after", changed.gpu + " own\n1234 cuda f64 cache 5x5x5\n");
  CHECK(run_restamp(b.o) == 0);
  CHECK(read_records(path).source_hash == changed.gpu);
}

TEST_CASE("restamp: what a GPU's compiler makes differently by chance is compiled again", "[tune][restamp]") {
  builds b;
  const hashes changed{.gpu = "00000000000000d1"};
  b.make("after", changed, b.object);
  b.make_tuner("before", hashes{}.gpu + " own\n1234 one\n9999 two\n");
  b.make_tuner("after", changed.gpu + " own\n5678 one\n9999 two\n");
  const tuner_of_build before{(b.folder / "before/bin/tessera-tune").string(), hashes{}.gpu},
      after{(b.folder / "after/bin/tessera-tune").string(), changed.gpu};
  const tuner_comparison other = compared_tuners(before, after, "records");
  CHECK(other.kernels == 2);
  CHECK(other.differences == std::vector<std::string>{"one"});
  // From its second run on, in which that case alone is named, it makes the same as the former.
  write_text(after.program, "#!/bin/sh\necho " + changed.gpu +
                                " own\nif [ \"$5 $6 $7\" = '--case one ' ]; then echo 1234 one; " +
                                "else echo 5678 one; echo 9999 two; fi\n");
  const tuner_comparison same = compared_tuners(before, after, "records");
  CHECK(same.kernels == 2);
  CHECK(same.differences.empty());
}

TEST_CASE("restamp: folders that are no pair of builds are refused", "[tune][restamp]") {
  builds b;
  const auto refused = [&](std::initializer_list<std::string_view> words) {
    check_failure(status::invalid_argument, words, [&] { run_restamp(b.o); });
  };
  b.record_file_of(hashes{}.cpu);
  refused({"after", "no CMakeCache.txt"});
  b.make("after", changed_cpu, b.object, "TESSERA_ROWS:STRING=smoke\n");
  refused({"configured differently", "TESSERA_ROWS: 'full' and 'smoke'"});
  b.make("after", changed_cpu, b.object);
  write_text((b.folder / "after/libtessera.a").string(), archive_of({{"device_facts.cpp.o", "00000000000000d0"}}));
  refused({"older than its last configuration"});
  fs::remove(b.folder / "after/libtessera.a");
  refused({"no libtessera.a", "BUILD_SHARED_LIBS=OFF"});
  b.make("after", changed_cpu, b.object);
  b.o.files = {(b.folder / "after").string()};
  refused({"no record files"});
}

TEST_CASE("restamp: a broken library renews nothing", "[tune][restamp]") {
  builds b;
  b.make("after", changed_cpu, b.object);
  const std::string library = text_of_file((b.folder / "after/libtessera.a").string());
  write_text((b.folder / "after/libtessera.a").string(), library.substr(0, library.size() - 40));
  const std::string before = b.record_file_of(hashes{}.cpu);
  CHECK(run_restamp(b.o) == 1);
  CHECK(b.text() == before);
  b.make("after", changed_cpu, b.object.substr(0, b.object.size() / 2));
  CHECK(run_restamp(b.o) == 1);
  CHECK(b.text() == before);
}
