"""`python -m taut.cli` is the same as `taut`."""

import sys

from taut.cli import main

sys.exit(main())
