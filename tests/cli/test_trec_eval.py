"""`gaincurve trec_eval`: flags, text, reading and exit codes, by hand from what trec_eval's source does."""

import gzip
import io
import math
import sys
from pathlib import Path

import pytest
from command import Command

QRELS = "2 0 a 2\n2 0 b 0\n2 0 c -1\n10 0 a 1\n10 0 d 1\n"
RUN = "2 Q0 b 1 3.5 first\n2 Q0 a 2 2.5 first\n2 Q0 c 3 1.5 first\n2 Q0 z 4 0.5 first\n10 Q0 a 1 7 last\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "r").write_text(RUN)
    return tmp_path


def line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}\n"


class TestText:
    def test_topics_come_in_byte_order_and_the_tag_is_the_last_lines(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "-q", "-m", "map", "-m", "runid", "-m", "num_q", "q", "r")
        assert found.stdout == (
            line("map", "10", "0.5000") + line("map", "2", "0.5000")
            + line("runid", "all", "last") + line("num_q", "all", "2") + line("map", "all", "0.5000")
        )  # fmt: skip
        assert (found.stderr, found.returncode) == ("", 0)

    def test_measures_print_in_its_order_whatever_the_order_asked(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "-m", "set_F", "-m", "P.3,1", "-m", "num_ret", "q", "r").stdout
        assert [one.split("\t")[0].strip() for one in found.splitlines()] == ["num_ret", "P_1", "P_3", "set_F"]

    def test_a_repeated_measure_keeps_its_first_list(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "-m", "P.1", "-m", "P.2", "-m", "P", "q", "r").stdout
        assert [one.split("\t")[0].strip() for one in found.splitlines()] == ["P_1"]

    def test_relstring_shows_grades_pooled_and_unjudged(self, gaincurve: Command) -> None:
        assert gaincurve("trec_eval", "-q", "-n", "-m", "relstring", "q", "r").stdout == (
            line("relstring", "10", "'1'") + line("relstring", "2", "'02.-'")
        )
        assert line("relstring_2", "2", "'02'") in gaincurve("trec_eval", "-q", "-m", "relstring.2", "q", "r").stdout

    def test_grades_above_nine_are_one_sign(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text("2 0 a 10\n2 0 b 9\n")
        assert line("relstring", "2", "'9>--'") in gaincurve("trec_eval", "-q", "-m", "relstring", "q", "r").stdout

    @pytest.mark.parametrize(
        "flags", [["-n", "-q"], ["-qn"], ["--nosummary", "--query_eval_wanted"], ["--query", "-n"]]
    )
    def test_flags_may_be_joined_spelled_out_and_shortened(self, gaincurve: Command, flags: list[str]) -> None:
        found = gaincurve("trec_eval", *flags, "-mmap", "q", "r").stdout
        assert found == line("map", "10", "0.5000") + line("map", "2", "0.5000")

    def test_flags_may_follow_the_files(self, gaincurve: Command) -> None:
        assert gaincurve("trec_eval", "q", "r", "-m", "num_q").stdout == line("num_q", "all", "2")

    def test_the_default_is_the_official_set(self, gaincurve: Command) -> None:
        names = [one.split("\t")[0].strip() for one in gaincurve("trec_eval", "q", "r").stdout.splitlines()]
        assert names[:8] == ["runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec"]
        assert (names[-1], len(names)) == ("P_1000", 30)
        assert gaincurve("trec_eval", "-m", "official", "q", "r").stdout == gaincurve("trec_eval", "q", "r").stdout

    def test_the_set_named_set(self, gaincurve: Command) -> None:
        names = [
            one.split("\t")[0].strip() for one in gaincurve("trec_eval", "-m", "set", "q", "r").stdout.splitlines()
        ]
        assert names == [
            "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_relative_P", "set_recall",
            "set_map", "set_F",
        ]  # fmt: skip

    def test_ids_that_are_no_text_come_out_as_they_went_in(self, files: Path, capsysbinary: object) -> None:
        from gaincurve.cli import main  # noqa: PLC0415 -- beside the fixture that decodes

        (files / "q").write_bytes(b"\xe91 0 a 1\n")
        (files / "r").write_bytes(b"\xe91 Q0 a 1 1 x\n")
        assert main(["trec_eval", "-q", "-m", "map", "q", "r"]) == 0
        assert capsysbinary.readouterr().out.startswith(b"map                   \t\xe91\t1.0000\n")  # type: ignore[attr-defined]


class TestNumbers:
    """Topic 2: judged 0, relevant (grade 2), pooled, unjudged; topic 10: one of two relevant documents."""

    def test_l_sets_the_level_of_binary_measures_only(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "-q", "-n", "-l", "2", "-m", "P.2", "-m", "ndcg", "-m", "Rndcg", "q", "r").stdout
        dcg = 2 / math.log2(3)
        assert line("P_2", "2", "0.5000") in found
        assert line("P_2", "10", "0.0000") in found
        assert line("ndcg", "2", f"{dcg / 2:.4f}") in found
        assert line("ndcg", "10", f"{1 / (1 + 1 / math.log2(3)):.4f}") in found
        assert line("Rndcg", "10", "0.0000") in found  # no document reaches the level

    def test_m_cuts_before_j_drops(self, gaincurve: Command) -> None:
        both = gaincurve("trec_eval", "-q", "-n", "-M2", "-J", "-m", "num_ret", "q", "r").stdout
        assert both == line("num_ret", "10", "1") + line("num_ret", "2", "2")
        judged = gaincurve("trec_eval", "-q", "-n", "-J", "-m", "num_ret", "-m", "relstring", "q", "r").stdout
        assert line("num_ret", "2", "2") in judged  # the pooled and the unjudged document are gone
        assert line("relstring", "2", "'02'") in judged

    def test_parameters_are_read_as_c_reads_them(self, gaincurve: Command) -> None:
        assert gaincurve("trec_eval", "-q", "-n", "-m", "relstring.x", "q", "r").stdout == (
            line("relstring_x", "10", "''") + line("relstring_x", "2", "''")
        )
        assert gaincurve("trec_eval", "-m", "P.1.9", "q", "r").stdout == line("P_1", "all", "0.5000")

    def test_n_enters_utility(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "-q", "-n", "-N", "100", "-m", "utility.1,-1,2,0.5", "q", "r").stdout
        assert line("utility_1,-1,2,0.5", "10", f"{1 - 0 + 2 * 1 + 0.5 * (100 + 1 - 1 - 2):.4f}") in found

    def test_gains_not_named_stay_the_grade(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text("2 0 a 2\n2 0 b 1\n")
        found = gaincurve("trec_eval", "-m", "ndcg.1=10", "q", "r").stdout
        actual, ideal = 10 + 2 / math.log2(3), 10 + 2 / math.log2(3)
        assert found == line("ndcg_1=10", "all", f"{actual / ideal:.4f}")

    def test_fractional_gains_count_here(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "-q", "-n", "-m", "ndcg.2=0.5", "q", "r").stdout
        assert line("ndcg_2=0.5", "2", f"{1 / math.log2(3):.4f}") in found

    def test_geometric_means_have_a_floor(self, gaincurve: Command, files: Path) -> None:
        (files / "r").write_text("2 Q0 b 1 1 x\n10 Q0 a 1 1 x\n")
        expected = math.exp((math.log(1e-5) + math.log(0.5)) / 2)
        assert gaincurve("trec_eval", "-m", "gm_map", "q", "r").stdout == line("gm_map", "all", f"{expected:.4f}")

    def test_rbp_of_10_is_scaled_to_the_topics_top_grade(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "--like", "10", "-q", "-n", "-m", "rbp", "-m", "rbp_resid", "q", "r").stdout
        assert line("rbp", "2", f"{0.1 * 0.9:.4f}") in found
        assert line("rbp_resid", "2", f"{1 - 0.1 * (1 + 0.9):.4f}") in found

    def test_rbp_of_10_takes_gains_beside_p(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "--like", "10", "-q", "-n", "-m", "rbp.p=0.5,1=3,2=6", "q", "r").stdout
        assert line("rbp_p=0.5,1=3,2=6", "2", f"{0.5 * 0.5 * 6 / 6:.4f}") in found

    def test_the_weight_of_f_is_taken_as_it_is_given(self, gaincurve: Command, files: Path) -> None:
        """P = 1, R = 1/30: 1.5·1/30 / (.5 + 1/30) = .09375, which the square of a root would print as 0.0937."""
        (files / "q").write_text("".join(f"1 0 d{i} 1\n" for i in range(30)))
        (files / "r").write_text("1 Q0 d0 1 1 x\n")
        assert gaincurve("trec_eval", "-m", "set_F.0.5", "q", "r").stdout == line("set_F_0.5", "all", "0.0938")
        assert gaincurve("trec_eval", "-m", "set_F.0.5,7", "q", "r").stdout == line("set_F_0.5,7", "all", "0.0938")
        assert gaincurve("trec_eval", "-m", "set_F.-0.5", "q", "r").stdout == line(
            "set_F_-0.5", "all", f"{0.5 * 1 / 30 / (-0.5 + 1 / 30):.4f}"
        )
        assert "0.0938" in gaincurve("eval", "-m", "set_F.0.5", "-f", "tsv", "--digits", "4", "q", "r").stdout

    @pytest.fixture
    def three_at_5_16_and_32(self, files: Path) -> None:
        (files / "q").write_text("".join(f"1 0 d{i} 1\n" for i in (5, 16, 32)))
        (files / "r").write_text("".join(f"1 Q0 d{i} {i} {100 - i} x\n" for i in range(1, 41)))

    @pytest.mark.usefixtures("three_at_5_16_and_32")
    def test_eleven_points_are_added_from_recall_1_down(self, gaincurve: Command) -> None:
        """Precisions .2, .125, .09375: (4·.2 + 3·.125 + 4·.09375)/11 is a hair below .14375 in this order only."""
        assert gaincurve("trec_eval", "-m", "11pt_avg", "q", "r").stdout == line("11pt_avg", "all", "0.1437")

    @pytest.mark.usefixtures("three_at_5_16_and_32")
    @pytest.mark.parametrize("version", ["9", "10"])
    def test_other_points_may_be_averaged_over(self, gaincurve: Command, version: str) -> None:
        """One, two and three of three relevant documents reach recall .2, .5 and .8 (in 9: 1.5, 2.4, 3.3 cut down)."""
        points = {"9": (0.2, 0.125, 0.09375), "10": (0.2, 0.125, 0.125)}[version]
        found = gaincurve("trec_eval", "--like", version, "-m", "11pt_avg.0.2,0.5,0.8", "q", "r").stdout
        assert found == line("11pt_avg_0.2,0.5,0.8", "all", f"{sum(points) / 3:.4f}")
        again = gaincurve("trec_eval", "--like", version, "-m", "11pt_avg.0.2,0.2,0.8", "q", "r").stdout
        assert again == line("11pt_avg_0.2,0.2,0.8", "all", f"{(2 * points[0] + points[2]) / 3:.4f}")

    def test_values_after_a_name_that_takes_none_are_ignored(self, gaincurve: Command) -> None:
        assert gaincurve("trec_eval", "-m", "map.5", "q", "r").stdout == line("map", "all", "0.5000")

    def test_unj_is_only_in_10(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "--like", "10", "-q", "-n", "-m", "unj.4", "q", "r").stdout
        assert line("unj_4", "2", "0.5000") in found  # pooled and unjudged
        assert gaincurve("trec_eval", "-m", "unj", "q", "r").returncode == 1


class TestMissingTopics:
    @pytest.fixture(autouse=True)
    def missing(self, files: Path) -> None:
        (files / "r").write_text("2 Q0 a 1 1 x\n3 Q0 a 1 1 x\n")

    def test_9_skips_them(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "-q", "-m", "map", "-m", "num_q", "-m", "num_rel", "q", "r")
        assert found.stdout == (
            line("num_rel", "2", "1") + line("map", "2", "1.0000")
            + line("num_q", "all", "1") + line("num_rel", "all", "1") + line("map", "all", "1.0000")
        )  # fmt: skip

    def test_9_with_c_counts_zeros_and_prints_no_line_for_them(self, gaincurve: Command) -> None:
        asked = ["-m", "map", "-m", "gm_map", "-m", "num_q", "-m", "num_rel", "-m", "num_ret"]
        found = gaincurve("trec_eval", "-q", "-c", *asked, "q", "r").stdout
        assert line("map", "10", "0.0000") not in found
        assert line("num_q", "all", "2") in found
        assert line("num_rel", "all", "3") in found
        assert line("num_ret", "all", "1") in found
        assert line("map", "all", "0.5000") in found
        assert line("gm_map", "all", f"{math.exp(math.log(1e-5) / 2):.4f}") in found

    def test_num_rel_under_c_does_not_ask_for_the_level(self, gaincurve: Command) -> None:
        assert gaincurve("trec_eval", "-c", "-l3", "-m", "num_rel", "q", "r").stdout == line("num_rel", "all", "3")

    def test_10_stops_at_the_first(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "--like", "10", "-q", "-m", "map", "q", "r")
        assert (found.stdout, found.returncode) == ("", 4)  # 10 comes before 2
        assert "topic 10" in found.stderr

    def test_10_with_c_prints_zeros(self, gaincurve: Command) -> None:
        found = gaincurve("trec_eval", "--like", "10", "-q", "-c", "-m", "map", "-m", "num_rel", "q", "r").stdout
        assert line("map", "10", "0.0000") in found
        assert line("num_rel", "10", "2") in found
        assert line("map", "all", "0.5000") in found


class TestReading:
    def map_of(self, gaincurve: Command, *flags: str) -> str:
        found = gaincurve("trec_eval", *flags, "-m", "map", "q", "r")
        assert found.returncode == 0, found.stderr
        return found.stdout.split("\t")[-1].strip()

    @pytest.mark.parametrize(
        ("score", "expected"),
        [("abc", "0.5000"), ("0x10", "1.0000"), ("1e1junk", "1.0000"), ("inf", "1.0000"), ("-", "0.5000"),
         ("5.", "1.0000"), (".9e1", "1.0000"), ("nan", "0.5000")],
    )  # fmt: skip
    def test_scores_are_read_as_c_reads_them(self, gaincurve: Command, files: Path, score: str, expected: str) -> None:
        (files / "q").write_text("1 0 a 1\n1 0 b 0\n")
        (files / "r").write_text(f"1 Q0 a 1 {score} x\n1 Q0 b 2 1 x\n")
        assert self.map_of(gaincurve) == expected

    @pytest.mark.parametrize(("grade", "expected"), [("1.7", "1"), ("x", "0"), ("+2", "1"), ("1e9", "1"), ("-3", "0")])
    def test_grades_are_read_as_c_reads_them(self, gaincurve: Command, files: Path, grade: str, expected: str) -> None:
        (files / "q").write_text(f"2 0 a {grade}\n10 0 a 0\n")
        assert gaincurve("trec_eval", "-m", "num_rel", "q", "r").stdout == line("num_rel", "all", expected)

    def test_scores_that_differ_beyond_32_bits_tie_in_9_only(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text("1 0 a 1\n1 0 b 0\n")
        (files / "r").write_text("1 Q0 a 1 1.00000001 x\n1 Q0 b 2 1.0 x\n")
        assert (self.map_of(gaincurve), self.map_of(gaincurve, "--like", "10")) == ("0.5000", "1.0000")

    def test_blank_lines_extra_fields_and_carriage_returns_in_runs(self, gaincurve: Command, files: Path) -> None:
        (files / "r").write_text("\n  \n2 Q0 a 1 2 x more fields\r\n\n10 Q0 a 1 1 x\r\n")
        assert self.map_of(gaincurve) == "0.7500"

    def test_a_blank_line_in_qrels_is_refused(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text("2 0 a 1\n\n10 0 a 1\n")
        found = gaincurve("trec_eval", "q", "r")
        assert found.returncode == 2
        assert "line 2" in found.stderr

    def test_comments_are_read_by_10_only(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text("# judged in May\n" + QRELS)
        (files / "r").write_text("# tuned\n" + RUN)
        assert self.map_of(gaincurve, "--like", "10") == "0.5000"
        assert gaincurve("trec_eval", "q", "r").returncode == 2
        (files / "q").write_text(QRELS)
        assert gaincurve("trec_eval", "q", "r").returncode == 2

    def test_a_comment_with_enough_fields_is_a_line_of_topic_hash_in_9(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text(QRELS + "# 0 a 1\n")
        (files / "r").write_text(RUN + "# Q0 a 1 1 tag\n")
        assert line("map", "#", "1.0000") in gaincurve("trec_eval", "-q", "-m", "map", "q", "r").stdout

    def test_lines_of_a_topic_may_be_scattered(self, gaincurve: Command, files: Path) -> None:
        lines = RUN.splitlines(keepends=True)
        (files / "r").write_text("".join([lines[1], lines[4], lines[0], *lines[2:4]]))
        assert self.map_of(gaincurve) == "0.5000"
        assert line("runid", "all", "first") in gaincurve("trec_eval", "q", "r").stdout

    def test_a_run_may_come_packed_and_from_standard_input(
        self, gaincurve: Command, files: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain = gaincurve("trec_eval", "-m", "all_trec", "q", "r").stdout
        (files / "r.gz").write_bytes(gzip.compress(RUN.encode()))
        assert gaincurve("trec_eval", "-m", "all_trec", "q", "r.gz").stdout == plain
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
        assert gaincurve("trec_eval", "-m", "all_trec", "q", "-").stdout == plain

    def test_an_end_without_newline(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text(QRELS.rstrip("\n"))
        (files / "r").write_text(RUN.rstrip("\n"))
        assert self.map_of(gaincurve) == "0.5000"


class TestExitCodes:
    @pytest.mark.parametrize(
        ("arguments", "code", "said"),
        [
            (["-m", "nonsense", "q", "r"], 1, "nonsense"),
            (["-m", "P_5", "q", "r"], 1, "P_5"),
            (["-m", "P.", "q", "r"], 1, "P."),
            (["-x", "q", "r"], 1, "-x"),
            (["--like", "8", "q", "r"], 1, "--like"),
            (["q"], 1, "1 file where"),
            (["q", "r", "s"], 1, "3 files"),
            (["-m", "P.0", "q", "r"], 2, "0"),
            (["-m", "P.5,5", "q", "r"], 2, "twice"),
            (["-m", "P.five", "q", "r"], 2, "five"),
            (["-m", "ndcg.1", "q", "r"], 2, "ndcg"),
            (["-m", "ndcg.1=-3", "q", "r"], 2, "negative"),
            (["-m", "ndcg.1=2=3", "q", "r"], 2, "ndcg"),
            (["-m", "11pt_avg.0.2,inf", "q", "r"], 2, "11pt_avg"),
            (["-m", "iprec_at_recall.nan", "q", "r"], 2, "iprec_at_recall"),
            (["--like", "10", "-m", "rbp.0.8", "q", "r"], 2, "rbp"),
            (["--like", "10", "-m", "rbp.p=1", "q", "r"], 2, "rbp"),
            (["-m", "utility.1,2", "q", "r"], 4, "utility"),
            (["-R", "prefs", "q", "r"], 2, "prefs"),
            (["-Z", "scores", "q", "r"], 1, "-Z"),
            (["q", "absent"], 2, "absent"),
            (["absent", "r"], 2, "absent"),
            (["q", "."], 2, "folder"),
        ],
    )
    def test_what_is_wrong_with_the_command_line(
        self, gaincurve: Command, arguments: list[str], code: int, said: str
    ) -> None:
        found = gaincurve("trec_eval", *arguments)
        assert (found.returncode, found.stdout) == (code, "")
        assert said in found.stderr

    @pytest.mark.parametrize(
        "text", ["", "2 Q0 a 1 2\n", "2 Q0 a\n", '{"2": {"a": 1}}', "topic,document,score\n2,a,1\n"], ids=repr
    )
    def test_a_run_that_is_none(self, gaincurve: Command, files: Path, text: str) -> None:
        (files / "r").write_text(text)
        assert gaincurve("trec_eval", "q", "r").returncode == 2

    def test_a_document_listed_twice_stops_at_its_topic(self, gaincurve: Command, files: Path) -> None:
        (files / "r").write_text(RUN + "2 Q0 a 9 9 x\n")
        found = gaincurve("trec_eval", "-q", "-m", "map", "q", "r")
        assert (found.stdout, found.returncode) == (line("map", "10", "0.5000"), 4)
        assert "document a" in found.stderr

    def test_a_document_judged_twice_stops_at_its_topic(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text(QRELS + "2 0 b 1\n")
        found = gaincurve("trec_eval", "-q", "-m", "map", "q", "r")
        assert (found.stdout, found.returncode) == (line("map", "10", "0.5000"), 4)

    def test_duplicates_in_topics_that_nobody_evaluates_do_not_matter(self, gaincurve: Command, files: Path) -> None:
        (files / "q").write_text(QRELS + "99 0 a 1\n99 0 a 1\n")
        (files / "r").write_text(RUN + "98 Q0 a 1 1 last\n98 Q0 a 2 1 last\n")
        assert gaincurve("trec_eval", "-m", "map", "q", "r").stdout == line("map", "all", "0.5000")

    @pytest.mark.parametrize("version", ["9", "10"])
    def test_a_first_topic_without_a_grade_of_0_or_above(self, gaincurve: Command, files: Path, version: str) -> None:
        """trec_eval counts grades in room that it has only after a topic with such a grade."""
        asked = ("trec_eval", "--like", version, "-q", "-m", "num_q", "-m", "map", "q", "r")
        (files / "q").write_text("10 0 a -1\n10 0 d -2\n2 0 a 1\n")
        found = gaincurve(*asked)
        assert (found.stdout, found.returncode) == ("", 4)
        assert "topic 10" in found.stderr
        assert gaincurve("trec_eval", "--like", version, "-m", "num_q", "q", "r").stdout == line("num_q", "all", "2")
        (files / "q").write_text("10 0 a 1\n2 0 a -1\n")  # a later one has nothing relevant
        assert line("map", "2", "0.0000") in gaincurve(*asked).stdout

    def test_no_topic_in_common(self, gaincurve: Command, files: Path) -> None:
        (files / "r").write_text("7 Q0 a 1 1 x\n")
        assert gaincurve("trec_eval", "q", "r").returncode == 7
        assert gaincurve("trec_eval", "--like", "10", "q", "r").returncode == 4
        assert gaincurve("trec_eval", "--like", "10", "-c", "-m", "map", "q", "r").stdout == line(
            "map", "all", "0.0000"
        )

    def test_help_and_version(self, gaincurve: Command) -> None:
        assert "-M NUM" in gaincurve("trec_eval", "-h").stdout
        assert gaincurve("trec_eval", "--help").returncode == 0
        assert "9.0.8" in gaincurve("trec_eval", "-v").stderr
        assert "10.0" in gaincurve("trec_eval", "--like", "10", "-v").stderr
