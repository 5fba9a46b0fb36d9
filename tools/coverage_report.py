#!/usr/bin/python3
"""gcovr that takes functions of one name at two lines for one function. Arguments are those of gcovr.

Templates over lambdas have such names. Versions from 6 on have an option for it; 5.2 has the setting but no option, and gives
up with an assertion. Lines and branches are counted the same either way. Called by ./test --coverage, with the Python that
the system's gcovr belongs to.
"""

import sys

from gcovr import merging
from gcovr.__main__ import main

options = merging.DEFAULT_MERGE_OPTIONS
arguments = sys.argv[1:]
if hasattr(options, "ignore_function_lineno"):
    object.__setattr__(options, "ignore_function_lineno", True)
else:
    arguments.append("--merge-mode-functions=merge-use-line-max")
sys.exit(main(arguments))
