"""Importing this module loads the vocabulary: the import system makes a second thread wait instead of loading it again."""

import toktok

from pumice.measure.tokens import ENCODING

toktok.batch_count((), ENCODING, 1)
