import msgspec
import pytest

from pumice.commit import effects
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.effect import Effect


def call(tool: str, arguments: object, *, openai: bool = False) -> Block:
    value = (
        {"id": "c1", "type": "function", "function": {"name": tool, "arguments": msgspec.json.encode(arguments).decode()}}
        if openai
        else {"type": "tool_use", "id": "c1", "name": tool, "input": arguments}
    )
    raw = msgspec.json.encode(value)
    return Block("b1", Kind.CALL, Role.ASSISTANT, Origin.MODEL, "", raw, "h", call_id="c1", tool=tool)


def result(text: str, *, is_error: bool = False) -> Block:
    return Block("b2", Kind.RESULT, Role.TOOL, Origin.TOOL, text, b"{}", "h", call_id="c1", is_error=is_error)


OK = result("fine")


@pytest.mark.parametrize("openai", [False, True])
def test_read_is_a_file_read_with_its_first_line_in_every_dialect(openai: bool) -> None:
    """A slice of a file is labelled by its path and starts at the line that was asked for."""
    use = effects.describe(call("Read", {"file_path": "/a/b.py", "offset": 40, "limit": 9}, openai=openai), OK)
    assert (use.target, use.effect, use.is_file_read, use.first_line) == ("/a/b.py", Effect.READ, True, 40)


def test_read_that_failed_or_has_no_result_yet_is_no_file_read() -> None:
    """Only a result that shows the file is protected as a read."""
    read = call("Read", {"file_path": "/a"})
    assert not effects.describe(read, None).is_file_read
    assert not effects.describe(read, result("File does not exist.", is_error=True)).is_file_read
    assert not effects.describe(read, result("Error: ENOENT: no such file")).is_file_read


def test_offset_is_counted_as_the_client_counts() -> None:
    """Gemini CLI's offset starts at 0, a view_range and start_line at 1."""
    assert effects.describe(call("read_file", {"absolute_path": "/a", "offset": 10}), OK).first_line == 11
    assert effects.describe(call("read_file", {"file_path": "/a", "start_line": 10}), OK).first_line == 10
    view = {"command": "view", "path": "/a", "view_range": [7, 20]}
    assert effects.describe(call("str_replace_editor", view), OK).first_line == 7


def test_cat_in_a_shell_is_a_read_but_no_file_read() -> None:
    """Shell output is a listing: not protected, and its entities are rarely needed again."""
    use = effects.describe(call("Bash", {"command": "cat src/app.py"}), OK)
    assert (use.effect, use.is_file_read, use.is_listing) == (Effect.READ, False, True)


def test_tool_whose_argument_decides_is_judged_by_it() -> None:
    """One editor tool both shows and changes files."""
    view = effects.describe(call("str_replace_based_edit_tool", {"command": "view", "path": "/a"}), OK)
    change = effects.describe(call("str_replace_based_edit_tool", {"command": "insert", "path": "/a"}), OK)
    assert (view.is_file_read, view.is_edit) == (True, False)
    assert (change.is_file_read, change.is_edit, change.effect) == (False, True, Effect.WRITE)


def test_name_of_a_server_is_looked_up_behind_its_prefix() -> None:
    """An MCP tool is known by its own name, whichever server offers it; any other name stays unknown."""
    assert effects.describe(call("mcp__linear-server__list_issues", {"query": "ENT-96"}), OK).effect is Effect.READ
    assert effects.describe(call("mcp__x__frobnicate", {"thing": "t1"}), OK).effect is Effect.UNKNOWN
    assert effects.describe(call("mcp__x__frobnicate", {"thing": "t1"}), OK).target == "t1"


def test_business_tools_are_known_by_what_they_change() -> None:
    """A booking is never taken for something that could be done again."""
    assert effects.describe(call("book_reservation", {"user_id": "mia_li_3668"}), OK).effect is Effect.WRITE
    assert effects.describe(call("get_user_details", {"user_id": "mia_li_3668"}), OK).effect is Effect.READ


def test_patch_is_labelled_by_the_file_it_changes() -> None:
    """A patch in free text names its file in its own header."""
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch"
    use = effects.describe(call("apply_patch", {"input": patch}), OK)
    assert (use.target, use.is_edit) == ("src/a.py", True)


def test_command_given_as_words_is_read_as_its_text() -> None:
    """Codex starts a shell on a text: the text is what counts."""
    use = effects.describe(call("shell", {"command": ["bash", "-lc", "git status && rg foo"]}), OK)
    assert (use.effect, use.target) == (Effect.READ, "git status && rg foo")


def test_arguments_that_are_no_json_leave_a_call_with_a_label() -> None:
    """Broken arguments are no reason to fail."""
    broken = Block("b1", Kind.CALL, Role.ASSISTANT, Origin.MODEL, "oops\nmore", b"{not json", "h", tool="Read")
    assert effects.describe(broken, None).target == "oops"


READS = [
    "ls -la",
    "cd /x && git status; git log --oneline main..HEAD | tail -1 | awk '{print $1}'",
    "git -C /a diff HEAD~1 -- b.py 2>&1 | head -5",
    "grep -rn 'a > b' src 2>/dev/null || echo none",
    "sed -n '18,20p' f.jsonl | jq -c '{type}'",
    "for f in *.py; do wc -l $f; done",
    'n=$(gh pr view --json number -q .number) && echo "PR $n"',
    "find . -name '*.go' -type f | xargs grep -l foo",
    "timeout 10 rg foo; python3 --version",
    "bash -c 'git show HEAD:a.py'",
    "curl -G -d q=parser https://api.example.com/search",
    "cat <<'EOF'\n$(rm -rf /)\nEOF",
]
WRITES = [
    "sort -uo f f",
    "echo x > a.txt",
    "rm -rf build",
    "git push",
    "ls && npm install",
    "sed -i s/a/b/ f",
    "sort -uo f f",
    "find . -delete",
    "sudo systemctl restart nginx",
    "curl -s -X POST https://api.example.com/v2/orders/7/refunds",
    "curl -XDELETE https://api.example.com/v2/orders/7",
    "curl --request=PUT https://api.example.com/v2/orders/7",
    "curl -s https://api.example.com/v2/refunds -d amount=17 | jq .id",
    "wget --method=POST https://api.example.com/v2/refunds",
    "http POST api.example.com/v2/refunds amount=17",
    "psql -h db -c 'select 1; update orders set paid = true'",
    "sqlite3 shop.db 'DROP TABLE carts'",
    "redis-cli DEL cart:7",
    "docker compose up -d",
    "apt install -y ripgrep",
    "helm -n shop upgrade web ./chart",
    "aws --profile shop s3 cp report.csv s3://reports/",
    "alembic upgrade head",
]
UNKNOWN = [
    "make",
    "pytest -q",
    "ls | sh",
    "find . -exec foo {} ;",
    "curl http://x",
    "curl -sSfL https://example.com/install -o install",
    "curl -H 'X-Note: POST it' http://x",
    "psql -c 'select * from updates'",
    "sqlite3 update.db 'select 1'",
    "redis-cli GET cart:7",
    "echo $(make)",
    "echo `make`",
    "cat <<EOF\n$(make)\nEOF",
    "awk '{print > \"f\"}' a",
    "sed 's/a/b/w f' a",
    "echo 'unclosed",
    "cat a#b; make",
    "sudo ls",
    "ls & make",
    'echo "$(date; make)"',
]


@pytest.mark.parametrize(
    ("command", "effect"),
    [(c, Effect.READ) for c in READS] + [(c, Effect.WRITE) for c in WRITES] + [(c, Effect.UNKNOWN) for c in UNKNOWN],
)
def test_shell_line_is_a_read_only_if_every_part_is(command: str, effect: Effect) -> None:
    """Pipes, lists, substitutions, here-documents and redirections are all looked at."""
    assert effects.describe(call("Bash", {"command": command}), OK).effect is effect


def test_message_of_a_commit_is_no_command() -> None:
    """Quotes, brackets and apostrophes in a here-document inside a substitution are text."""
    line = "git log -1 --format=\"$(cat <<'EOF'\nit's (not a command) `here`\nEOF\n)\""
    assert effects.describe(call("Bash", {"command": line}), OK).effect is Effect.READ


@pytest.mark.parametrize(
    "text", ["Exit code 1\nboom", "<tool_use_error>no</tool_use_error>", "Error: no such file", "x\nexited with code 2"]
)
def test_failure_is_seen_where_a_dialect_has_no_flag(text: str) -> None:
    """Chat dialects carry errors as text only."""
    assert effects.failed(result(text))


@pytest.mark.parametrize("text", ["Exit code 0\nfine", "0 errors", "the Error class:\n" + "x" * 2000])
def test_text_about_errors_is_no_failure(text: str) -> None:
    """Words about errors inside a good result do not make it one."""
    assert not effects.failed(result(text))


def test_no_tool_is_named_under_two_clients() -> None:
    """The table is looked up without knowing the client, so a second meaning would be lost."""
    names = [name for client in effects.names_by_client().values() for name in client]
    assert len(set(names)) == len(names)
