"""A set of components of one's own."""

import pytest
from component_sets import ComponentSet


@pytest.fixture
def mine(tmp_path):
    return ComponentSet(tmp_path)
