"""Every number that limits something, with its unit and its reason. Mirrors ``src/shared/limits.ts``."""

from __future__ import annotations

from typing import Final

QUERY_MAX_CHARS: Final = 4_000
READ_MAX_CHARS: Final = 12_000  # one page of reading, about 3,000 tokens
OUTLINE_MAX: Final = 100
OUTLINE_DEFAULT: Final = 10
RESULTS_MAX: Final = 100
RESULTS_DEFAULT: Final = 10
EXCERPT_MAX_CHARS: Final = 360
MESSAGE_MAX_CHARS: Final = 500
MODEL_JSON_MAX_BYTES: Final = 64 * 1024  # what a model is shown of one answer
RESPONSE_MAX_BYTES: Final = 256 * 1024  # one message across the boundary
REQUEST_MAX_BYTES: Final = 1024 * 1024
PAGE_MAX_BYTES: Final = 16 * 1024 * 1024  # a page is text that somebody reads
FRONTMATTER_MAX_CHARS: Final = 64 * 1024  # beyond it, a block is data, not a page's head
JSON_MAX_DEPTH: Final = 100  # deeper nesting can end the interpreter
FOLDER_MAX_DEPTH: Final = 64
EOF_READ: Final = 1 << 20  # bytes asked for in one read
