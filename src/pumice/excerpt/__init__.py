"""What stays in view of something big, fit for its content type."""

from pumice.excerpt.already import is_already_cut
from pumice.excerpt.build import Excerpt, make

__all__ = ["Excerpt", "is_already_cut", "make"]
