"""Looking for a word first must not miss what a pattern would find."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice.excerpt import salience

SOUGHT = {name: getattr(salience, name) for name in ("_WRONG", "_HARD", "_EXIT", "_OUTCOME", "_NONE_WRONG")}


@pytest.mark.parametrize("name", SOUGHT)
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_match_holds_a_word(name: str, data: st.DataObject) -> None:
    """Whatever a pattern matches, one of its words stands in it in lower case."""
    sought = SOUGHT[name]
    text = data.draw(st.from_regex(sought.pattern))
    assert sought.is_in(text, text.lower())
