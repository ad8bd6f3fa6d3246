"""The service under test, asked and told by the same commands that a person would use."""

import json
import subprocess
import time

# Where the ledger's owner is let in without a password, through the unix socket.
OWNER = "postgresql://postgres@/worker?host=/run/postgresql"
PASSWORD = "pl4nted-password"
SETTINGS = "/etc/worker/worker.toml"


def run(*words, fails=False, **more):
    """Runs a program; what it printed, provided that it ended as it should."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    assert (done.returncode != 0) == fails, f"{words} ended with {done.returncode}: {done.stdout}"
    return done.stdout.strip()


def eventually(what, within=300):
    """Asks until it is true; the last answer."""
    bound = time.monotonic() + within
    while not (answer := what()):
        assert time.monotonic() < bound, f"waited in vain for {what.__doc__ or what.__name__}: {answer!r}"
        time.sleep(0.05)
    return answer


def wait(what, question, within=300):
    question.__doc__ = what
    return eventually(question, within)


def show(name, unit="worker"):
    return run("systemctl", "show", "--property", name, "--value", unit)


def is_active(unit="worker"):
    return show("ActiveState", unit) == "active"


def settle(unit="worker"):
    """Waits until the service is ready."""
    wait(f"{unit} to be active", lambda: is_active(unit))


def sql(text, database="worker"):
    return run("/usr/bin/psql", "--host=/run/postgresql", "--username=postgres", f"--dbname={database}", "-XAtqc",
               text)


def journal(*words, unit="worker"):
    return run("journalctl", "--no-pager", "--quiet", f"--unit={unit}", *words)


def entries(*words, unit="worker"):
    """What the journal keeps of each entry that the words ask for."""
    return [json.loads(line) for line in journal("--output=json", *words, unit=unit).splitlines()]


def said(text, *words):
    """Waits until the service has said this; the newest entry."""
    return wait(f"'{text}'", lambda: [entry for entry in entries(*words) if text in entry["MESSAGE"]])[-1]


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def change(old, new):
    """Edits the settings."""
    with open(SETTINGS) as file:
        text = file.read()
    assert old in text, f"'{old}' does not stand in {text}"
    write(SETTINGS, text.replace(old, new))


def drop_in(name, text, unit="worker"):
    """Changes the unit as `systemctl edit` does."""
    folder = f"/etc/systemd/system/{unit}.service.d"
    run("mkdir", "-p", folder)
    write(f"{folder}/{name}.conf", f"[Service]\n{text}\n")
    run("systemctl", "daemon-reload")
