"""Whatever a YAML file holds, it is a policy or a refusal that names a path; nothing in between."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pumice.domain.policy import Policy, keys
from pumice.domain.policy.aliases import KEYS
from pumice.domain.policy.limits import CHOICES, ITEMS, RANGES, TOKENS_OR_SHARE
from pumice.domain.policy.read import build, over, read, written
from pumice.errors import BadPolicy

NAMES = sorted({part for key in (*keys.leaves(), *KEYS) for part in key.split(".")} | {"compression", "extends"})
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(sorted({word for words in (*CHOICES.values(), *ITEMS.values()) for word in words})),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(NAMES) | st.integers(), VALUES, max_size=5))
def test_anything_is_a_policy_or_refused_by_its_path(data: dict[Any, Any]) -> None:
    """No other error, and one line that begins with the path."""
    try:
        assert isinstance(read(data, name="p"), Policy)
    except BadPolicy as error:
        assert str(error).startswith("$"), error
        assert "\n" not in str(error)


def _valid(key: str) -> st.SearchStrategy[Any]:
    """Values a key accepts, as a YAML file would hold them."""
    options, ways = keys.kinds(keys.leaves()[key]), []
    if key in TOKENS_OR_SHARE:
        ways += [st.integers(*map(int, RANGES[key])), st.floats(0, 1, exclude_max=True)]
    elif key in RANGES:
        low, high = RANGES[key]
        ways.append(st.integers(int(-(-low // 1)), int(high)) if float not in options else st.floats(low, high))
    if key in CHOICES:
        ways.append(st.sampled_from(CHOICES[key]))
    if key in ITEMS:
        ways.append(st.lists(st.sampled_from(ITEMS[key]), unique=True))
    if bool in options:
        ways.append(st.booleans())
    return st.one_of(ways) if ways else st.nothing()


CHECKED = [
    key for key in keys.leaves() if not _valid(key).is_empty and not key.startswith(("stable", "semi_stable", "dynamic"))
]
FILES = st.lists(st.sampled_from(CHECKED), max_size=6, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: _valid(name) for name in names if not name.startswith("first_sight.m")})
)


@given(FILES, FILES)
def test_what_is_accepted_stands_in_the_policy(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Each value as written, the later file's over the earlier's, and the result reads back to itself."""
    values = over(written(first).values, written(second).values)
    found = dict(keys.values(build(values, name="p")))
    for key, value in {**first, **second}.items():
        if key == "never_compress":
            assert set(found[key]) >= set(value)
        else:
            assert found[key] == (tuple(value) if isinstance(value, list) else value)
    assert dict(keys.values(build(found, name="p"))) == found
