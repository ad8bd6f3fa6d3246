"""What the units are before anything is started."""

import os
import stat

import handbook
from service import drop_in, run

UNITS = ["worker.service", "worker@.service", "worker-run@.service"]
FOLDER = "deploy/systemd"


def installs():
    """what the handbook says brings the files to their places"""
    handbook.follow("Install")
    for unit in UNITS:
        assert run("systemd-analyze", "verify", "--man=no", unit.replace("@.", "@example.")) == ""


def exposure():
    """no unit is more exposed than 1.3, and all have one sandbox"""
    sandboxes = []
    for unit in UNITS:
        run("systemd-analyze", "security", "--offline=true", "--threshold=13", "--no-pager", f"{FOLDER}/{unit}")
        with open(f"{FOLDER}/{unit}") as file:
            sandboxes.append(file.read().split("# The sandbox")[1].split("\n\n")[0].strip())
    assert sandboxes[0] == sandboxes[1] == sandboxes[2]


def people_and_folders():
    """the user exists and can do nothing but work, and only root reads the secrets"""
    assert run("getent", "passwd", "worker").endswith(":/var/lib/worker:/usr/sbin/nologin")
    for folder in ["", "/database", "/push", "/notify"]:
        state = os.stat(f"/etc/worker/credentials{folder}")
        assert (state.st_uid, stat.S_IMODE(state.st_mode)) == (0, 0o700)
    # From here on whatever would take long is made short, so that each bound is met.
    drop_in("short", "RestartSec=200ms\nWatchdogSec=4s\nTimeoutStopSec=4s")


STEPS = [installs, exposure, people_and_folders]
