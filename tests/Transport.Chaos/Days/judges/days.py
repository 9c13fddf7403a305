#!/usr/bin/env python3
"""Judges a round of `Transport.Chaos days`: reads what its parties wrote down, and says which promise was broken.

    days.py FAMILY FOLDER

A file of facts has a line a fact: the monotonic time in ms, a word, its values. `begin NAME MS` and `end NAME` bound a wait. The judge of
each family is the module of its name; none knows anything of the library but what its documentation promises.
"""
import importlib
import sys

import facts


def main():
    family, folder = sys.argv[1:]
    seen = facts.read(folder)
    wrong = list(facts.waits(seen)) + list(importlib.import_module(family).judge(seen, folder))
    print("\n".join(wrong))
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
