"""Jobs that run programs, below the unit as it is and below one of root."""

import os

from service import SETTINGS, drop_in, run, settle, sql, wait

# What a program finds of itself: its user, its limits, and whether it can get further rights.
JOB = """
[jobs.{name}]
kind = "command"
command = ["/bin/sh", "-c", "id -un; ulimit -v; ulimit -n; grep NoNewPrivs /proc/self/status"]
every = "1s"
overlap = "allow"
memory = "256M"
files = 99
{more}
"""
RIGHTS = """User=root
Group=root
PrivateUsers=no
CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_KILL
SystemCallFilter=@setuid"""


def printed(name):
    """What the newest run of a job that has succeeded printed."""
    return sql("SELECT text FROM jobkit.output JOIN jobkit.run ON id = run "
               f"WHERE job = '{name}' AND state = 'succeeded' ORDER BY id DESC LIMIT 1")


def runs_programs():
    """a program has its limits and the daemon's user, and no way to another's rights"""
    with open(SETTINGS) as file:
        before = file.read()
    with open(SETTINGS, "a") as file:
        file.write(JOB.format(name="ours", more="") + JOB.format(name="theirs", more='command_user = "nobody"'))
    run("systemctl", "reload", "worker")
    wait("its output", lambda: printed("ours") == "worker\n262144\n99\nNoNewPrivs:\t1")
    refusal = "only a daemon that is root can run a program as 'nobody'"
    wait("a refusal", lambda: refusal in sql("SELECT string_agg(error, ' ') FROM jobkit.part WHERE job = 'theirs'"))
    runs_as_others()
    with open(SETTINGS, "w") as file:
        file.write(before)
    os.remove("/etc/systemd/system/worker.service.d/programs.conf")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "worker")
    settle()
    sql("DELETE FROM jobkit.run WHERE job IN ('ours', 'theirs')")


def runs_as_others():
    """Below the drop-in that is documented, a daemon of root runs it as another."""
    with open(SETTINGS) as file:
        text = file.read()
    with open(SETTINGS, "w") as file:
        # A daemon that is root runs nothing as root.
        file.write(text.replace("[jobs.ours]", "[jobs.ours]\nenabled = false"))
    drop_in("programs", RIGHTS)
    run("systemctl", "restart", "worker")
    settle()
    wait("its output", lambda: printed("theirs") == "nobody\n262144\n99\nNoNewPrivs:\t1")


STEPS = [runs_programs]
