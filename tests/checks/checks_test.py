"""The scripts that check the repository must fail on a bad sample and pass on a good one."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True  # of the scripts that are loaded

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"

ROWS = "| section, equation | function (file) | test | status |\n| --- | --- | --- | --- |\n"
FIX = "`solveAngle` (src/dynamics/fix.cpp)"


class Sample(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_check(self, script):
        run = subprocess.run([SCRIPTS / script, "--root", self.root], capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout

    def assert_passes(self, script):
        status, output = self.run_check(script)
        self.assertEqual(status, 0, output)

    def assert_fails(self, script, message):
        status, output = self.run_check(script)
        self.assertEqual(status, 1, output)
        self.assertIn(message, output)


class Includes(Sample):
    def setUp(self):
        super().setUp()
        self.write("src/math/vec.h", '#include "core/hash.h"\n#include "sunder/types.h"\n')
        self.write("src/core/hash.h", "#include <vector>\n")
        self.write("include/sunder/types.h", "#include <cstdint>\n")

    def test_to_the_left_passes(self):
        self.assert_passes("check_includes")

    def test_to_the_right_fails(self):
        self.write("src/core/hash.cpp", '#include "math/vec.h"\n')
        self.assert_fails("check_includes", "src/core/hash.cpp:1: math/vec.h: core may include only core")

    def test_unknown_folder_fails(self):
        self.write("src/utilities/everything.h", "")
        self.assert_fails("check_includes", "src/utilities: not a folder")

    def test_public_header_naming_the_inside_fails(self):
        self.write("include/sunder/world.h", '#include "math/vec.h"\n')
        self.assert_fails("check_includes", "include/sunder/world.h:1")

    def test_public_header_naming_a_dependency_fails(self):
        self.write("include/sunder/world.h", "#include <nlohmann/json.hpp>\n")
        self.assert_fails("check_includes", "include/sunder/world.h:1")

    def test_app_naming_the_inside_fails(self):
        self.write("apps/cli/main.cpp", '#include "sunder/types.h"\n#include "math/vec.h"\n')
        self.assert_fails("check_includes", "apps/cli/main.cpp:2")

    def test_engine_naming_scene_headers_fails(self):
        self.write("include/sunder/scene/scene.h", "#include <string>\n")
        self.write("src/core/hash.cpp", '#include "sunder/scene/scene.h"\n')
        self.assert_fails("check_includes", "only render, scene and apps see")

    def test_climbing_out_of_a_folder_fails(self):
        self.write("src/core/hash.cpp", '#include "../math/vec.h"\n')
        self.assert_fails("check_includes", "without '..'")

    def test_cycle_of_subfolders_fails(self):
        self.write("src/collision/broad/tree.h", '#include "collision/narrow/collide.h"\n')
        self.write("src/collision/narrow/collide.h", '#include "collision/broad/tree.h"\n')
        self.assert_fails("check_includes", "cycle: collision/broad -> collision/narrow -> collision/broad")

    def test_files_beside_the_subfolders_are_one_folder(self):
        self.write("src/dynamics/body.h", "#pragma once\n")
        self.write("src/dynamics/contact/row.h", '#include "dynamics/body.h"\n')
        self.assert_passes("check_includes")
        self.write("src/dynamics/islands.h", '#include "dynamics/contact/row.h"\n')
        self.assert_fails("check_includes", "cycle: dynamics -> dynamics/contact -> dynamics")

    def test_cycle_of_modules_fails(self):
        self.write("src/core/names.h", "#pragma once\n")
        self.write("src/core/names.cpp", '#include "core/lists.h"\n')
        self.write("src/core/lists.h", '#include "core/names.h"\n')
        self.assert_fails("check_includes", "cycle: core/lists -> core/names -> core/lists")

    def test_room_to_the_right_fails(self):
        self.write("src/world/record/body.h", "#pragma once\n")
        self.write("src/world/sleep/wake.h", '#include "world/record/body.h"\n')
        self.assert_passes("check_includes")
        self.write("src/world/record/joint.h", '#include "world/sleep/wake.h"\n')
        self.assert_fails("check_includes", "src/world/record/joint.h:1: world/sleep/wake.h: record may include only record")

    def test_room_naming_a_file_beside_the_rooms_fails(self):
        self.write("src/world/world.h", "#pragma once\n")
        self.write("src/world/record/body.h", '#include "world/world.h"\n')
        self.assert_fails("check_includes", "src/world/record/body.h:1: world/world.h")

    def test_unknown_room_fails(self):
        self.write("src/world/attic/box.h", "#pragma once\n")
        self.assert_fails("check_includes", "attic is not a room of world")

    def test_full_folder_fails(self):
        for i in range(25):
            self.write(f"src/core/file{i}.h", "#pragma once\n")
        self.assert_fails("check_includes", "src/core: 26 files, more than 25")


class Names(Sample):
    def source(self, name, text):
        self.write(f"src/{name}", "namespace sunder::math {\nnamespace {\n\n" + text + "\n}  // namespace\n}  // namespace sunder::math\n")

    def test_what_stands_once_passes(self):
        self.source("math/a.cpp", "constexpr int kRounds = 3;\nusing Four = Quad;\nint sum(int a) { return a; }\n")
        self.source("math/b/b.cpp", "constexpr int kSweeps = 3;\nusing Four = Quad;\nint sum(double a) { return 1; }\n")
        self.source("world/c.cpp", "constexpr int kRounds = 4;\n")
        self.assert_passes("check_names")

    def test_a_constant_of_two_files_of_a_folder_fails(self):
        self.source("math/a.cpp", "constexpr int kRounds = 3, kMost = 2;\n")
        self.source("math/b/b.cpp", "constexpr int kLeast = 1, kMost = 2;\n")
        self.assert_fails("check_names", "src/math/b/b.cpp: kMost: src/math/a.cpp has that name for itself too")

    def test_a_type_of_two_files_of_a_folder_fails(self):
        self.source("math/a.cpp", "struct Row {\n    int kMost = 1;\n};\n")
        self.source("math/b.cpp", "class Row {\n};\n")
        self.assert_fails("check_names", "src/math/b.cpp: Row: src/math/a.cpp has that name for itself too")

    def test_a_name_of_a_header_fails(self):
        self.write("src/core/none.h", "inline constexpr unsigned kNone = 0xffffffffu;\n")
        self.source("math/a.cpp", "constexpr int kNone = -1;\n")
        self.assert_fails("check_names", "src/math/a.cpp: kNone: src/core/none.h gives that name another meaning")


class Together(Sample):
    def batches(self, **files):
        for name, text in files.items():
            self.write(f"{name}.cpp", "namespace {\n\n" + text + "\n}  // namespace\n")
        run = subprocess.run([SCRIPTS / "together", *(self.root / f"{name}.cpp" for name in files)], capture_output=True, text=True,
                             check=True)
        return [line.split()[0] for line in sorted(run.stdout.splitlines(), key=lambda line: line.split()[1])]

    def test_files_with_other_names_are_together(self):
        self.assertEqual(self.batches(a="constexpr int kA = 1;\nint f() { return 1; }\n", b="constexpr int kB = 1;\n"), ["0", "0"])

    def test_files_with_one_name_are_apart(self):
        self.assertEqual(self.batches(a="int f() { return 1; }\n", b="int f() { return 2; }\n", c="struct C {\n};\n"), ["0", "1", "0"])

    def test_who_sees_the_name_in_a_header_is_apart(self):
        self.write("step.h", "inline constexpr int kStep = 1;\n")
        self.write("b.cpp", '#include "step.h"\n')
        self.write("a.cpp", "constexpr int kStep = 2;\n")
        run = subprocess.run([SCRIPTS / "together", self.root / "a.cpp", self.root / "b.cpp"], capture_output=True, text=True, check=True)
        self.assertEqual([line.split()[0] for line in run.stdout.splitlines()], ["0", "1"])

    def test_ten_at_most(self):
        self.assertEqual(self.batches(**{f"f{i:02}": "" for i in range(12)}), ["0"] * 10 + ["1"] * 2)


class Fields(Sample):
    TABLE = "## Structs with many fields\n\n| struct | who writes it |\n| --- | --- |\n"

    def struct(self, fields):
        self.write("src/core/box.h", "#pragma once\nstruct Box {\n" + fields + "};\n")

    def list(self, rows):
        self.write("docs/architecture.md", self.TABLE + rows + "\n## Next\n")

    def test_what_is_small_passes(self):
        self.struct("".join(f"    int field{i} = 0;\n" for i in range(15)))
        self.assert_passes("check_fields")

    def test_what_is_large_must_be_listed(self):
        self.struct("".join(f"    int field{i} = 0;\n" for i in range(16)))
        self.assert_fails("check_fields", "src/core/box.h:2: Box has 16 fields and is not in the table")
        self.list("| `Box` | core |\n")
        self.assert_passes("check_fields")

    def test_what_is_too_large_fails_unless_one_owner_writes_it(self):
        self.struct("".join(f"    int field{i} = 0;\n" for i in range(21)))
        self.list("| `Box` | core |\n")
        self.assert_fails("check_fields", "src/core/box.h:2: Box has 21 fields, more than 20")
        self.list("| `Box` | core alone |\n")
        self.assert_passes("check_fields")

    def test_what_is_listed_and_gone_fails(self):
        self.list("| `Box` | core |\n")
        self.assert_fails("check_fields", "docs/architecture.md: Box is gone, or has no more than 15 fields")

    def test_counts_every_name_of_a_declaration(self):
        self.struct("    int a = 0, b[3], c{};  // three, not four\n" * 5 + "    std::map<int, long> d;\n")
        self.assert_fails("check_fields", "Box has 16 fields")

    def test_counts_fields_alone(self):
        self.struct("".join(f"    int field{i} = f(1, 2);\n" for i in range(15)) + """
    static constexpr int kMost = 3;
    using Map = std::map<int, int>;
    enum class Kind { A, B };
    struct Inner { int a, b; };
    Box(int a, int b) : field0(a), field1{b} { g(a); }
    int sum() const { return field0 + field1; }
    bool operator==(const Box&) const = default;
    template <class T> void visit(T& t) { t(field0, field1); }
""")
        self.assert_passes("check_fields")
        self.write("docs/architecture.md", "")
        self.struct("".join(f"    int field{i} = f(1, 2);\n" for i in range(15)) + "    std::function<int(int, int)> filter;\n")
        self.assert_fails("check_fields", "Box has 16 fields")

    def test_classes_and_source_files_have_one_owner(self):
        fields = "".join(f"    int field{i} = 0;\n" for i in range(30))
        self.write("src/core/box.cpp", "struct Box {\n" + fields + "};\n")
        self.write("src/core/ball.h", "#pragma once\nclass Ball {\n" + fields + "};\n")
        self.assert_passes("check_fields")


class PaperTags(Sample):
    def setUp(self):
        super().setUp()
        self.write("src/dynamics/fix.cpp", "// [Su09] 2.2 eq. 3-6: why\nvoid solveAngle() {}\n")
        self.write("tests/dynamics/fix_test.cpp", "TEST(Fix, Restores) {}\n")
        self.page(f"| 2.2, eq. 3-6: angle | {FIX} | `Fix.Restores` | done |\n")

    def page(self, rows):
        self.write("docs/papers/su09.md", "# Su09\n\n" + ROWS + rows)

    def test_agreement_passes(self):
        self.assert_passes("check_paper_tags")

    def test_range_of_sections_covers_a_tag(self):
        self.page("| 2.1 to 2.4 | `solveAngle` | `Fix.*` | deviates: sign |\n")
        self.assert_passes("check_paper_tags")

    def test_tag_of_a_whole_section_is_covered_by_its_parts(self):
        self.write("src/dynamics/fix.h", "// [Su09] 2\n")
        self.assert_passes("check_paper_tags")

    def test_rows_not_done_ask_for_nothing(self):
        self.page(f"| 2.2 | {FIX} | `Fix.Restores` | done |\n| 4.1: pattern | | | not done |\n| 4.2 | | | later |\n")
        self.assert_passes("check_paper_tags")

    def test_row_without_tag_fails(self):
        self.page(f"| 2.2 | {FIX} | `Fix.Restores` | done |\n| 3.2: clamp | {FIX} | `Fix.Restores` | done |\n")
        self.assert_fails("check_paper_tags", "3.2: clamp: no tag of this section")

    def test_tag_without_row_fails(self):
        self.write("src/dynamics/clamp.cpp", "// [Su09] 3.2\n")
        self.assert_fails("check_paper_tags", "src/dynamics/clamp.cpp:1: [Su09] 3.2 has no row")

    def test_equation_number_is_not_a_section(self):
        self.page(f"| 3 | {FIX} | `Fix.Restores` | done |\n")
        self.assert_fails("check_paper_tags", "3: no tag of this section")

    def test_missing_function_fails(self):
        self.page("| 2.2 | `solveNothing` | `Fix.Restores` | done |\n")
        self.assert_fails("check_paper_tags", "function `solveNothing` does not exist")

    def test_function_of_another_file_fails(self):
        self.write("src/dynamics/other.cpp", "void elsewhere() {}\n")
        self.page("| 2.2 | `solveAngle` (src/dynamics/other.cpp) | `Fix.Restores` | done |\n")
        self.assert_fails("check_paper_tags", "function `solveAngle` does not exist in src/dynamics/other.cpp")

    def test_missing_file_fails(self):
        self.page("| 2.2 | `solveAngle` (src/dynamics/gone.cpp) | `Fix.Restores` | done |\n")
        self.assert_fails("check_paper_tags", "src/dynamics/gone.cpp does not exist")

    def test_missing_test_fails(self):
        for name in ("Fix.Forgets", "Unfixed.*"):
            self.page(f"| 2.2 | {FIX} | `{name}` | done |\n")
            self.assert_fails("check_paper_tags", f"test `{name}` does not exist")

    def test_row_that_names_no_test_fails(self):
        self.page(f"| 2.2 | {FIX} | | deviates |\n")
        self.assert_fails("check_paper_tags", "names no test")

    def test_unknown_status_fails(self):
        self.page(f"| 2.2 | {FIX} | `Fix.Restores` | nearly |\n")
        self.assert_fails("check_paper_tags", "the status begins with none of")

    def test_page_without_table_fails(self):
        self.write("docs/papers/su09.md", "# Su09\n")
        self.assert_fails("check_paper_tags", "no table with the columns")

    def test_work_without_page_must_be_listed(self):
        self.write("src/dynamics/shock.cpp", "// [GBF03] 8\n")
        self.assert_fails("check_paper_tags", "[GBF03] has neither a page")
        self.write("docs/papers/README.md", "- [GBF03] Guendelman, Bridson, Fedkiw\n")
        self.assert_passes("check_paper_tags")


class Rows(Sample):
    """scripts/check_rows: its table against the pages, and its verdicts with programs that pass or fail by a line of a source."""

    def setUp(self):
        super().setUp()
        self.write("src/dynamics/fix.cpp", "int solveAngle() { return 1; }\n")
        self.write("tests/dynamics/fix_test.cpp", "TEST(Fix, Restores) {}\nTEST_P(Fix, Turns) {}\nTEST(Other, Stays) {}\n")
        self.write("docs/papers/su09.md", "| section | function | test | status |\n| --- | --- | --- | --- |\n"
                   "| 2.2: angle | `solveAngle` | `Fix.Restores`, `Other.*` | done |\n| 9 | | | later |\n")
        self.table({"2.2: angle": [{"file": "src/dynamics/fix.cpp", "find": "return 1", "replace": "return 0"}]})
        loader = importlib.machinery.SourceFileLoader("check_rows", str(SCRIPTS / "check_rows"))
        self.module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(self.module)

    def table(self, switches):
        self.write("docs/papers/switches.json", json.dumps({"su09": switches}))

    def problems(self):
        done = subprocess.run([SCRIPTS / "check_rows", "--table", "--root", self.root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_a_table_that_fits_passes(self):
        self.assertEqual(self.problems(), (0, ""))

    def test_a_row_without_switch_fails(self):
        self.table({})
        self.assertIn('no switch for the row "2.2: angle"', self.problems()[1])

    def test_a_switch_without_row_fails(self):
        self.table({"2.2: angle": [], "9": []})
        self.assertIn('"9" is no row that is done or deviates', self.problems()[1])

    def test_a_text_that_is_not_there_once_fails(self):
        self.write("src/dynamics/fix.cpp", "return 1; return 1;\n")
        status, said = self.problems()
        self.assertEqual(status, 1)
        self.assertIn("src/dynamics/fix.cpp holds 2 times: return 1", said)

    def test_files_of_tests_are_found_by_their_names(self):
        for names in (["Fix.Restores"], ["Fix.Turns"], ["Other.*"]):
            self.assertEqual(list(self.module.test_files(self.root, names)), ["dynamics"])
        self.assertEqual(self.module.test_files(self.root, ["Fix.Forgets"]), {})

    def verdict(self, program):
        tree = types.SimpleNamespace(root=self.root, program=lambda folder, files: self.root / "program")
        self.write("build/here", "")
        self.write("program", "#!/bin/sh\n" + program)
        (self.root / "program").chmod(0o755)
        edits = [{"file": "src/dynamics/fix.cpp", "find": "return 1", "replace": "return 0"}]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            good = self.module.check(tree, "2.2: angle", ["Fix.Restores", "Other.*"], edits, "su09")
        self.assertIn("return 1", (self.root / "src/dynamics/fix.cpp").read_text(encoding="utf-8"))
        return good, said.getvalue()

    def test_a_row_passes_the_check_where_a_test_fails_without_the_feature(self):
        good, said = self.verdict("grep -q 'return 1' ../src/dynamics/fix.cpp\n")
        self.assertTrue(good)
        self.assertIn("fails: Fix.Restores", said)

    def test_a_row_whose_tests_all_pass_without_the_feature_is_named(self):
        good, said = self.verdict("exit 0\n")
        self.assertFalse(good)
        self.assertIn("PASSES WITHOUT su09: 2.2: angle", said)


class Repository(Sample):
    def setUp(self):
        super().setUp()
        for name in ("LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".ci/run", "packages.txt"):
            self.write(name, "text\n")
        self.write("src/core/hash.h", "// Hashes.\n#pragma once\n")

    def test_clean_passes(self):
        self.assert_passes("check_repo")

    def test_missing_licence_fails(self):
        (self.root / "LICENSE").unlink()
        self.assert_fails("check_repo", "LICENSE: missing")

    def test_bad_lines_fail(self):
        # Put together here, so that this file passes the check itself.
        for line in ("// TO" + "DO later", "// FIX" + "ME", 'open("/ho' + 'me/someone/file")', "https://regis" + "try.example.com/x",
                     "int a; "):
            with self.subTest(line=line):
                self.write("src/core/bad.cpp", f"// Purpose.\n{line}\n")
                self.assert_fails("check_repo", "src/core/bad.cpp:2")

    def test_source_without_purpose_fails(self):
        self.write("src/core/bare.cpp", "int a = 0;\n")
        self.assert_fails("check_repo", "src/core/bare.cpp: does not open with a comment")

    def test_two_types_of_one_name_fail(self):
        point = "// Purpose.\n#pragma once\nnamespace sunder::geometry {\nstruct Point {\n};\n}  // namespace sunder::geometry\n"
        self.write("src/geometry/a.h", point)
        self.write("src/geometry/b.h", point.replace("Point {", "Point final {"))
        self.assert_fails("check_repo", "src/geometry/b.h: sunder::geometry::Point is also defined in src/geometry/a.h")
        self.write("src/geometry/b.h", point.replace("struct Point {\n}", "struct Point"))
        self.assert_passes("check_repo")
        self.write("src/geometry/b.cpp", "namespace sunder::geometry {\nnamespace {\nstruct Point {\n};\n}  // namespace\n}\n")
        self.assert_passes("check_repo")

    def test_named_files_must_exist(self):
        for text in ("`src/core/hash.h`, src/core/ and `src/core/*.h`", "`hash.h`, core/hash.h", "[page](../src/core/hash.h#top)",
                     "`src/core/NAME` and build/include/made.h, /usr/include/other.h, <library/other.h>"):
            with self.subTest(text=text):
                self.write("docs/page.md", text + "\n")
                self.assert_passes("check_repo")
        for text, what in (("see `src/core/gone.h`.", "names src/core/gone.h"), ("math/hash.h", "names math/hash.h"),
                           ("src/math/", "names src/math"), ("`gone_*.cpp`", "names gone_*.cpp"), ("scenes/gone", "names scenes/gone"),
                           ("[page](../src/hash.h)", "links to ../src/hash.h")):
            with self.subTest(text=text):
                self.write("docs/page.md", f"# Page\n{text}\n")
                self.assert_fails("check_repo", f"docs/page.md:2: {what}, which is not there")
        (self.root / "docs/page.md").unlink()
        self.write("src/core/user.cpp", "// Purpose.\nint a;  // as core/gone.h has it\n")
        self.assert_fails("check_repo", "src/core/user.cpp:2: names core/gone.h")
        self.write("src/core/user.cpp", '// Purpose.\n#include "core/gone.h"\n')  # the compiler's to find
        self.assert_passes("check_repo")

    def test_long_file_only_warns(self):
        self.write("src/core/long.cpp", "// Purpose.\n" + "int a;\n" * 600)
        status, output = self.run_check("check_repo")
        self.assertEqual(status, 0, output)
        self.assertIn("warning: src/core/long.cpp: 601 lines", output)


if __name__ == "__main__":
    unittest.main()
