import csv
import io
import json

from pumice import excerpt
from pumice.measure import tokens


def cut(text: str, limit: int = 400, tool: str = "") -> excerpt.Excerpt:
    made = excerpt.make(text, limit=limit, count=tokens.count, tool=tool)
    assert made is not None
    assert tokens.count(made.text) <= limit
    return made


def rows(made: excerpt.Excerpt) -> list[str]:
    return [line for line in made.text.split("\n") if not line.startswith("⋯")]


def test_bank_statement_keeps_its_header_and_rows() -> None:
    """A plain CSV is never reduced to zero rows, and its header never goes."""
    lines = ["date;payee;amount;currency"] + [f"2026-08-{n % 28 + 1:02};Shop {n};{n * 3.17:.2f};EUR" for n in range(200)]
    made = cut("\n".join(lines), 250)
    assert made.kind == "table"
    assert rows(made)[0] == lines[0]
    assert len(rows(made)) > 8
    assert "200 rows, 4 columns" in made.text


def test_orders_keep_every_date_as_it_was_written() -> None:
    """Dates in a CSV look like file:line to a careless reader; every shown row is a row of the source."""
    lines = ["order_id,placed,customer,total"] + [f"{n},2026-08-12,c{n}@example.org,{n}.50" for n in range(320)]
    made = cut("\n".join(lines), 300)
    assert made.kind == "table"
    assert set(rows(made)) <= set(lines)
    assert rows(made)[0] == lines[0]


def test_listing_keeps_its_first_row_a_row() -> None:
    """`ls -l` has no header: nothing is made one."""
    lines = ["total 412"] + [f"-rw-r--r-- 1 root root {n * 37} Aug 12 10:{n % 60:02} file_{n}.txt" for n in range(400)]
    made = cut("\n".join(lines), 300)
    assert rows(made)[:2] == lines[:2]
    assert set(rows(made)) <= set(lines)


def test_odd_rows_of_a_table_stay() -> None:
    """The one failed order, the one figure far out and the one broken row are what a reader looks for."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "state", "amount"])
    for n in range(1500):
        writer.writerow([n, "on hold" if n == 911 else "shipped", 1_000_000 if n == 444 else 10 + n % 90])
    made = cut(out.getvalue(), 300)
    assert "911,on hold,21" in made.text
    assert "444,shipped,1000000" in made.text


def test_psql_result_keeps_header_rule_and_row_count() -> None:
    """The frame of a psql answer is its header and its foot."""
    lines = [" id | name      | city", "----+-----------+--------"] + [f" {n} | person_{n} | town{n % 5}" for n in range(500)]
    made = cut("\n".join([*lines, "(500 rows)"]), 250)
    assert rows(made)[:3] == [line.strip("\n") for line in lines[:3]]
    assert rows(made)[-1] == "(500 rows)"
    assert made.kind == "table"


def test_pods_by_width_keep_the_one_that_crashes() -> None:
    """Columns by width are a table too."""
    lines = ["NAME          READY   STATUS    RESTARTS   AGE"]
    lines += [f"web-{n:05d}     1/1     Running   0          {n % 20}d" for n in range(400)]
    lines[200] = "web-00199     0/1     CrashLoopBackOff   17          3d"
    made = cut("\n".join(lines), 300)
    assert (rows(made)[0], made.kind) == (lines[0], "table")
    assert lines[200] in made.text


def test_search_results_show_matches_before_context() -> None:
    """Of a search with context the matching lines come first, in their order."""
    lines = []
    for n in range(60):
        lines += [
            f"src/mod{n}.py-9-    # context of {n}",
            f"src/mod{n}.py:10:    def handle_event_{n}(self):",
            f"src/mod{n}.py-11-",
            "--",
        ]
    made = cut("\n".join(lines), 500, "Grep")
    assert made.kind == "search"
    shown = rows(made)
    assert sum(":10:" in line for line in shown) > 3 * sum("-9-" in line for line in shown)
    assert "60 matches in 60 files" in made.text


def test_diff_keeps_files_and_hunks() -> None:
    """Every file of a diff is named, changed lines come before context."""
    parts = []
    for n in range(12):
        parts += [
            f"diff --git a/src/f{n}.py b/src/f{n}.py",
            f"index 00{n}a..00{n}b 100644",
            f"--- a/src/f{n}.py",
            f"+++ b/src/f{n}.py",
        ]
        parts += ["@@ -1,40 +1,41 @@ def main():", *[f" unchanged line {k}" for k in range(40)], f"+    call_new_{n}(thing)"]
    made = cut("\n".join(parts), 700)
    assert made.kind == "diff"
    assert all(f"diff --git a/src/f{n}.py b/src/f{n}.py" in made.text for n in range(12))
    assert "12 files, 12 hunks" in made.text


def test_json_shows_schema_samples_and_the_odd_item() -> None:
    """Keys and types in our words, whole items in the source's own."""
    items = [{"id": n, "state": "ok", "owner": {"login": f"user{n}"}, "tags": ["a"]} for n in range(500)]
    items[321]["state"] = "failed"
    text = json.dumps({"total": 500, "items": items})
    made = cut(text, 400)
    assert made.kind == "json"
    assert "500 items: object with id number, state string, owner {login}, tags [string]" in made.text
    assert json.dumps(items[0]) in made.text
    assert json.dumps(items[321]) in made.text
    assert '{"total": 500, "items": [' in made.text


def test_json_lines_are_cut_by_records() -> None:
    """One record a line is as good as an array."""
    text = "\n".join(json.dumps({"n": n, "level": "info" if n != 77 else "error", "msg": f"step {n}"}) for n in range(700))
    made = cut(text, 300)
    assert made.kind == "json"
    assert '{"n": 77, "level": "error", "msg": "step 77"}' in made.text


def test_statistics_hold_no_value() -> None:
    """Our own lines count; they never state a figure of the data."""
    items = [{"price": 123456 + n} for n in range(300)]
    ours = [line for line in cut(json.dumps(items), 200).text.split("\n") if line.startswith("⋯")]
    assert not any("123" in line for line in ours)


def test_name_is_shown_where_it_stands_last() -> None:
    """Of many lines with the same names the last ones are worth most: they are what is looked up later."""
    lines = [f"step {n}: call setup_worker and then run_batch over the queue" for n in range(200)]
    lines += [f"final note {n}: nothing of interest here" for n in range(200)]
    made = cut("\n".join(lines), 150)
    assert lines[199] in made.text
