"""What a page holds but does not show: JSON, deflated, as letters and digits.

Records and the data of figures say the same words over and over, and shrink to a fifth; and where
there is no markup, nothing needs to be escaped. The page's script unpacks what is wanted.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

__all__ = ["packed"]


def packed(content: Any) -> str:
    """The content's JSON, deflated (zlib), in base64."""
    text = json.dumps(content, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
