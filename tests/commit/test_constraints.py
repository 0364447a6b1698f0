import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.commit import constraints

RULES = """
不要动 migrations/ 目录
永远不要直接推送到 main
只能用标准库
除 docs/ 外，其他文件一律不要改
必须先跑测试再提交
禁止使用 eval
接口返回不得超过 200ms
至少保留 3 份备份
最多重试 5 次
务必保持向后兼容
别改 CI 配置
请用中文回答
所有注释都要写英文
提交信息统一用英文
除非我同意，否则不要删除数据
在不改变接口的前提下重构
金额不能低于 0
每次提交前都要跑 lint
密码不能写进日志
尽量不要引入新依赖
用 httpx，不要用 requests
只改 src/app.py
仅允许修改 tests 目录
请勿修改数据库结构
以后都用 tabs 缩进
响应时间控制在 200ms 以内
只有签收后7天内才可以退货，定制商品除外。
只有测试通过才合并
Only refund if I say so.
Only deploy when the tests pass.
never push to main
Never push to main, please.
don't touch migrations/
Do not modify src/legacy/*.py.
only change files under src/
You must run the tests before every commit.
Always use British spelling.
avoid new dependencies
No network calls in tests.
at most 3 retries
Keep functions under 15 lines
unless I say so, don't deploy
Please don't add comments to the code
make sure the public API stays stable
let's not add a new table
we should never log tokens
The script must be POSIX compliant.
use tabs, not spaces
Only use the standard library
Everything except docs/ must stay as it is.
leave the config file alone
from now on answer in German
Commit only after the tests pass
When you edit the schema, never drop a column.
and please, don't force-push
fix the bug without changing the API
the budget is $500
it should never block the UI thread
Under no circumstances delete user data
Refactor it, but don't rename public functions
no force pushes, ever
Ensure all endpoints require auth
You can't use any paid API
max 5 files per commit
Refactor the parser but don't change its output
""".strip().split("\n")
NO_RULES = """
只有这样才是对的
没有例外的情况
Only one thing is missing when I run it.
为什么不能运行？
我不知道要不要改
这个函数不能工作了
特别好
别的文件呢
不得不说写得不错
至少现在能跑了
除了这个还有别的问题
要不要加测试？
是否必须升级？
现在不能登录了
识别一下这张图
分别测试两个模块
帮我看看这个错误
这里是不是必须加锁
should we never cache this?
I don't know why it fails
it must have been deleted
there must be a bug in the parser
never mind
no problem
I only see two files
the only option is B
don't worry about it
does it always return null?
You don't have to rewrite it
it never works on my machine
The test never finishes, always times out
I must have missed that
It fails only when I run the tests in parallel
at least it works now
At least 3 tests fail on main
why must we use tabs?
can you always see the log?
What if we only use one thread?
I never said that
no idea
No, that's fine
yes, go with B
please continue
run the tests
fix the failing test in src/app.py
the function returns only the first item
the app crashes unless I restart it
We must be missing something
nothing works
Is it required?
He said it doesn't matter
the server has no logs
looks like it has to do with caching
I don't think that's right
it doesn't work, don't know why
you must be kidding
Never seen that before
No luck so far
where is the config file?
how do I make sure it works?
It works as long as the cache is warm
I fixed it
No tests found
""".strip().split("\n")


@pytest.mark.parametrize("sentence", RULES)
def test_rule_is_found_word_for_word(sentence: str) -> None:
    """Bans, duties, limits and exceptions, in both languages, as people really type them."""
    assert [rule.text for rule in constraints.find(sentence)] == [sentence]


@pytest.mark.parametrize("sentence", NO_RULES)
def test_question_report_or_talk_is_no_rule(sentence: str) -> None:
    """A pin takes room in every view: what lays nothing down must not become one."""
    assert constraints.find(sentence) == ()


def test_rule_comes_with_its_neighbours() -> None:
    """A sentence alone may not say what it is about."""
    text = "The exporter is old. Never change its output. It is read by a bank. Thanks for the help."
    (rule,) = constraints.find(text)
    assert rule.text == "Never change its output."
    assert rule.around == "The exporter is old. Never change its output. It is read by a bank."
    assert text[rule.start :].startswith(rule.text)


def test_no_rule_comes_from_what_was_not_typed() -> None:
    """Injected tags, quotes, fences and pasted terminal lines lay nothing down."""
    text = (
        "<system-reminder>You must never answer.</system-reminder>\n> never push to main\n```\nAlways use tabs.\n```\n"
        "[2026-08-12 10:00:01] do not restart the server\nlook at this please"
    )
    assert constraints.find(text) == ()


def test_rule_in_a_list_is_found_without_its_marker() -> None:
    """List markers are layout."""
    assert [rule.text for rule in constraints.find("Plan:\n- add a test\n- never touch ci.yml\n1) ok")] == [
        "never touch ci.yml"
    ]


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_gives_rules_that_stand_in_it(text: str) -> None:
    """Whatever is typed: a rule and its neighbours are pieces of it."""
    for rule in constraints.find(text):
        assert rule.text in text
        assert rule.text in rule.around
        assert rule.around in text


def test_customers_state_limits_and_refusals(data: Path) -> None:
    """Of 871 turns of airline customers those that bind the agent are found: about one in seventeen."""
    turns = {
        message["content"]
        for session in json.loads((data / "tau-bench" / "gpt-4o-airline.json").read_text("utf-8"))
        for message in session["traj"]
        if message["role"] == "user"
    }
    found = {rule.text for turn in turns for rule in constraints.find(turn)}
    assert 40 <= len(found) <= 60
    assert (
        "Please proceed using the same payment method from my profile, as long as the total cost doesn't exceed $500." in found
    )
    assert not any("don't remember" in rule or "don't have" in rule for rule in found)


def test_a_rule_keeps_the_lists_it_opens() -> None:
    """In a long message the conditions and exceptions listed under a rule stand with it; what comes after them does not."""
    filler = "The office has looked at the matter and found nothing. " * 30
    said = (
        f"{filler}\nRefunds are allowed only if:\n1. the parcel is unopened\n2. less than 30 days have passed\n"
        f"except when:\n1. it is food\n2. the customer is a reseller\n{filler}"
    )
    [rule] = [found for found in constraints.find(said) if "allowed only if" in found.text]
    wanted = ("1. the parcel", "2. less than", "except when:", "2. the customer is a reseller")
    assert all(words in rule.around for words in wanted)
    assert rule.around.count("The office") <= 1
