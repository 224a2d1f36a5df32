"""``python -m deduce`` is the command ``deduce``."""

from deduce.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
