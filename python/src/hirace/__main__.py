"""`python -m hirace` runs the command `hirace`."""

import os
import sys

from hirace._command import environment, find_command
from hirace._errors import HiraceError


def main() -> None:
    try:
        command = find_command()
    except HiraceError as error:
        print(f"hirace: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    os.execve(command, [command, *sys.argv[1:]], environment(required=False))


if __name__ == "__main__":
    main()
