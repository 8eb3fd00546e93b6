# SPDX-License-Identifier: BSD-3-Clause
# tessera-info as its users call it: info_test.py PROGRAM VERSION TYPES ROWS GPU_ROWS
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, VERSION, TYPES, ROWS, GPU_ROWS = sys.argv[1:6]


def run(*arguments, **environment):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_")}
    return subprocess.run([PROGRAM, *arguments], env=variables | environment, capture_output=True, text=True)


def facts(**environment):
    result = run("--json", **environment)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


class Info(unittest.TestCase):
    def test_build_and_machine(self):
        found = facts(OMP_NUM_THREADS="3")
        self.assertEqual(found["build"]["version"], VERSION)
        self.assertNotEqual(found["build"]["compiler"], "")
        self.assertEqual(found["build"]["types"], TYPES.split(","))
        self.assertEqual(found["build"]["kernel_rows"], ROWS)
        self.assertEqual(found["build"].get("gpu_kernel_rows"), None if GPU_ROWS == ROWS else GPU_ROWS)
        self.assertIn(found["cpu"]["chosen_target"], found["cpu"]["usable_targets"])
        self.assertEqual(set(found["cpu"]["usable_targets"]) - set(found["build"]["instruction_sets"]), {"reference"})
        self.assertEqual(found["cpu"]["threads"], 3)
        self.assertEqual(found["environment"]["OMP_NUM_THREADS"], "3")
        self.assertEqual("why_not" in found["gpu"], not found["gpu"]["available"])

    def test_a_forced_target_is_the_one_chosen(self):
        self.assertEqual(facts(TESSERA_TARGET="reference")["cpu"]["chosen_target"], "reference")
        self.assertIn("reference has no element kernels", facts(TESSERA_TARGET="reference")["cpu"]["element_operators"])
        self.assertNotIn("element_operators", facts(TESSERA_TARGET="best")["cpu"])
        self.assertIn("did you mean 'avx512'?", facts(TESSERA_TARGET="avx-512")["cpu"]["chosen_target"])
        self.assertIn("z80", facts(TESSERA_TARGET="z80")["cpu"]["chosen_target"])

    def test_records(self):
        records = facts()["tuning_records"]
        self.assertEqual(records["file_at_run_time"], "none")
        numbers = [[int(word) for word in line.split(": ")[1].replace(",", "").split() if word.isdigit()]
                   for line in records["built_in"]]
        self.assertEqual(sum(pair[0] for pair in numbers), records["products"])
        self.assertEqual(sum(pair[1] for pair in numbers), records["element_operators"])

    def test_a_record_file_at_run_time_is_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "own.json")
            path.write_text('{"schema": 1, "device": "Mine", "target": "avx2", "records": []}', encoding="utf-8")
            self.assertEqual(facts(TESSERA_RECORDS=str(path))["tuning_records"]["file_at_run_time"], str(path))
            path.write_text("no JSON", encoding="utf-8")
            self.assertIn("line 1", facts(TESSERA_RECORDS=str(path))["tuning_records"]["file_at_run_time"])
            self.assertIn("a folder", facts(TESSERA_RECORDS=folder)["tuning_records"]["file_at_run_time"])
            fifo = pathlib.Path(folder, "fifo")
            os.mkfifo(fifo)
            self.assertIn("a FIFO", facts(TESSERA_RECORDS=str(fifo))["tuning_records"]["file_at_run_time"])

    def test_the_cache_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "kernel").write_bytes(b"12345")
            cache = facts(TESSERA_CACHE=folder)["kernel_cache"]
            self.assertEqual((cache["folder"], cache["files"], cache["bytes"]), (folder, 1, 5))
            self.assertEqual(facts(TESSERA_CACHE=folder + "/absent")["kernel_cache"]["files"], 0)

    def test_text_has_every_fact(self):
        result = run()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for section, of in facts().items():
            self.assertIn("\n" + section.replace("_", " ") + "\n", "\n" + result.stdout)
            for name in of:
                word = name if name.isupper() else name.replace("_", " ")
                self.assertIn("\n  " + word + " ", result.stdout)

    def test_odd_characters_stay_json(self):
        odd = 'a "quoted" \\ path\twith a tab'
        self.assertEqual(facts(TESSERA_CACHE=odd)["kernel_cache"]["folder"], odd)

    def test_arguments(self):
        help_text = run("--help")
        self.assertEqual(help_text.returncode, 0)
        self.assertIn("--json", help_text.stdout)
        for wrong in (["--yaml"], ["--json", "--help"]):
            self.assertEqual((run(*wrong).returncode, run(*wrong).stdout), (2, ""))


unittest.main(argv=sys.argv[:1])
