"""Tries the units in the systemd that this runs under; prints a line for each thing that holds.

The steps build on each other, as a day with the service does: none of them is run without those before it.
"""

import sys
import time
import traceback

import commands
import daily
import death
import drain
import handbook
import start
import units

STEPS = [*units.STEPS, *start.STEPS, *daily.STEPS, *commands.STEPS, *death.STEPS, *drain.STEPS, *handbook.STEPS]


def main():
    sys.stdout.reconfigure(line_buffering=True)
    for step in STEPS:
        began = time.monotonic()
        try:
            step()
        except Exception:
            print(f"FAILED: {step.__doc__}\n{traceback.format_exc()}")
            from service import journal
            print(journal("-n", "60"))
            sys.exit(1)
        print(f"{time.monotonic() - began:6.1f} s  {step.__doc__}")
    print("all of it holds")


main()
