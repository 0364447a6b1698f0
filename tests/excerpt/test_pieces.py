"""Pieces of very long lines: no name and no number is cut in two."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import excerpt
from pumice.domain import marks
from pumice.measure import entities, tokens

USER = {
    "name": {"first_name": "Ada", "last_name": "Lovelace"},
    "email": "ada.lovelace6639@example.com",
    "payment_methods": {
        "certificate_7473723": {"source": "certificate", "amount": 250, "id": "certificate_7473723"},
        "gift_card_8887175": {"source": "gift_card", "amount": 187, "id": "gift_card_8887175"},
    },
    "saved": [f"passenger_{at}" for at in range(20)],
    "reservations": ["M05KNL", "UHDAHF"],
}


@settings(max_examples=40, deadline=None)
@given(limit=st.integers(40, 400))
def test_a_small_excerpt_of_one_line_shows_whole_values(limit) -> None:
    """Whatever the room: a part of a number would be another number."""
    text = json.dumps(USER)
    made = excerpt.make(text, limit=limit, count=tokens.count)
    for line in made.text.split("\n") if made is not None else ():
        if not line.startswith(marks.GAP):
            assert line in text
            assert entities.names(line) <= entities.names(text)
