"""Makes the kits of this folder importable in its tests, and the records' `record_kit`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "replays")]
