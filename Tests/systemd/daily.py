"""What an operator does each day: reads the log, changes settings, looks after instances."""

import os

import handbook
from service import PASSWORD, SETTINGS, change, entries, is_active, journal, run, said, show, sql, wait, write


def journal_fields():
    """the journal knows each field and the priority of a line"""
    entry = said("succeeded", "WORKER_JOB=settle_rewards")
    assert {name: entry[name] for name in ("PRIORITY", "SYSLOG_IDENTIFIER", "WORKER_PART")} == {
        "PRIORITY": "7", "SYSLOG_IDENTIFIER": "worker", "WORKER_PART": "0"}
    assert entry["_TRANSPORT"] == "journal"
    run_id, moment = entry["WORKER_RUN"], entry["WORKER_SCHEDULED_FOR"]
    assert sql(f"SELECT scheduled_for = '{moment}' FROM jobkit.run WHERE id = {run_id}") == "t"
    # The service may have been started anew in the middle of the run.
    assert sql(f"SELECT epoch FROM jobkit.part WHERE run = {run_id} AND number = 0") == entry["WORKER_EPOCH"]
    assert {line["WORKER_JOB"] for line in entries(f"WORKER_RUN={run_id}")} == {"settle_rewards"}
    assert f"job=settle_rewards run={run_id} part=0" in entry["MESSAGE"]
    assert "ts=" not in entry["MESSAGE"] and PASSWORD not in journal()
    handbook.follow("Read the log")


def takes_settings_on():
    """a reload takes good settings on, in the same process"""
    process = show("MainPID")
    change('every = "1s"', 'every = "2s"')
    run("systemctl", "reload", "worker")
    said("settings: taken on")
    assert (show("MainPID"), show("ActiveState")) == (process, "active")


def refuses_broken_settings():
    """a reload of broken settings fails with the place, and the old ones stay in force"""
    process = show("MainPID")
    change("every =", "evry =")
    run("systemctl", "reload", "worker", fails=True)
    place = said(f"{SETTINGS}:")
    assert "unknown setting" in place["MESSAGE"] and place["PRIORITY"] == "3"
    # Whoever sends the signal by hand is not kept from it; then the daemon refuses by itself.
    run("systemctl", "kill", "--kill-who=main", "--signal=HUP", "worker")
    refusal = said("settings: refused, the old ones stay in force")
    assert (refusal["PRIORITY"], refusal["_PID"]) == ("3", process)
    wait("a status", lambda: "refused the settings: " in show("StatusText"))
    wait("it to be ready again", is_active)
    change("evry =", "every =")
    run("systemctl", "reload", "worker")
    wait("a status", lambda: "refused" not in show("StatusText"))
    assert (show("MainPID"), show("ActiveState")) == (process, "active")


def stays_down_with_broken_settings():
    """a start with broken settings fails for good: it is not tried again until somebody has corrected them"""
    run("systemctl", "stop", "worker")
    change("every =", "evry =")
    run("systemctl", "start", "worker", fails=True)
    assert [show(name) for name in ("ActiveState", "ExecMainStatus", "NRestarts")] == ["failed", "78", "0"]
    change("evry =", "every =")
    run("systemctl", "start", "worker")
    assert is_active()


def sandbox():
    """it writes to its own folder and to no other"""
    with open(SETTINGS, "a") as file:
        file.write('[push]\nlog = "/var/log/pushes"\n')
    run("systemctl", "reload", "worker")
    said("cannot write pushes to '/var/log/pushes': read-only file system")
    change("/var/log/pushes", "/var/lib/worker/pushes")
    run("systemctl", "reload", "worker")
    wait("the file", lambda: os.path.exists("/var/lib/worker/pushes"))
    assert not os.path.exists("/var/log/pushes")
    status = dict(line.split(":\t") for line in open(f"/proc/{show('MainPID')}/status").read().splitlines())
    assert (status["NoNewPrivs"], status["Seccomp"], int(status["CapBnd"], 16)) == ("1", "2", 0)


def instance():
    """an instance has its own settings, folders and a role without a password"""
    write("/etc/worker/eu.toml", '[database]\nurl = "host=/run/postgresql user=worker dbname=worker"\n')
    run("mv", "/etc/worker/credentials/database/password", "/run/password")
    run("systemctl", "start", "worker@eu")
    run("mv", "/run/password", "/etc/worker/credentials/database/password")
    assert show("ActiveState", "worker@eu") == "active"
    assert os.path.isdir("/var/lib/worker/eu") and os.path.isdir("/run/worker-eu")
    assert sql("SELECT count(*) FROM jobkit.daemon") == "2"
    run("systemctl", "stop", "worker@eu")
    assert show("Result", "worker@eu") == "success"


def single_run():
    """a single run is a unit of its own, and a timer starts it"""
    run("systemctl", "start", "worker-run@refresh_leaderboard")
    assert show("Result", "worker-run@refresh_leaderboard") == "success"
    assert sql("SELECT state FROM jobkit.run WHERE job = 'refresh_leaderboard' AND trigger = 'manual'") == "succeeded"
    change("[jobs.settle_rewards]", "[jobs.settle_rewards]\nenabled = false")
    run("systemctl", "reload", "worker")
    said("settings: jobs.settle_rewards.enabled: true -> false")
    wait("the end of its runs", lambda: sql("SELECT count(*) FROM jobkit.run WHERE finished_at IS NULL") == "0")
    handbook.follow("A timer of systemd")
    assert run("systemd-analyze", "verify", "--man=no", "worker-run@settle_rewards.timer") == ""
    due = show("NextElapseUSecRealtime", "worker-run@settle_rewards.timer")
    assert "03:00:00" in run("date", "--date", due, env={"TZ": "Europe/Berlin", "PATH": "/usr/bin"})
    run("systemctl", "disable", "--now", "worker-run@settle_rewards.timer")
    change("enabled = false", "enabled = true")
    run("systemctl", "reload", "worker")


STEPS = [journal_fields, takes_settings_on, refuses_broken_settings, stays_down_with_broken_settings, sandbox,
         instance, single_run]
