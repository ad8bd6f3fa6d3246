"""When the service is ready, and when it is not."""

import os
import subprocess

import handbook
from service import OWNER, PASSWORD, is_active, run, said, settle, show, sql, wait, write

# Starts behind the worker, and tells by a file that it has.
FOLLOWER = """[Unit]
Requires=worker.service
After=worker.service
[Service]
Type=oneshot
ExecStart=/bin/touch /run/follower
"""

POSTGRES = """[Service]
Type=notify
User=postgres
RuntimeDirectory=postgresql
ExecStartPre=/bin/sh -c "[ -e /var/lib/pg/PG_VERSION ] || {bin}/initdb --pgdata=/var/lib/pg --username=postgres \
--auth=trust --encoding=UTF8 --locale=C --no-sync >/dev/null"
ExecStartPre=/bin/sh -c "printf 'local all worker peer\\nlocal all all trust\\nhost all all all scram-sha-256\\n' \
>/var/lib/pg/pg_hba.conf"
ExecStart={bin}/postgres -D /var/lib/pg -c listen_addresses=127.0.0.1 -c unix_socket_directories=/run/postgresql \
-c fsync=off -c dynamic_shared_memory_type=mmap
"""


def waits_for_the_database():
    """while the database is away the service is starting, says so, and nothing behind it starts"""
    handbook.follow("Settings", stdin=PASSWORD)
    # A job of every second, so that there is always something to be seen.
    with open("/etc/worker/worker.toml", "a") as file:
        file.write('[log]\nlevel = "debug"\n[jobs.settle_rewards]\nevery = "1s"\nparts = 1\n')
    write("/etc/systemd/system/follower.service", FOLLOWER)
    run("systemctl", "daemon-reload")
    run("systemctl", "start", "--no-block", "follower")
    wait("a status", lambda: show("StatusText").startswith(
        "waits for the database: cannot reach Postgres at 127.0.0.1:5432"))
    assert show("ActiveState") == "activating"
    assert not os.path.exists("/run/follower")


def refuses_an_empty_database():
    """without its migrations it is never ready, and systemd tries again"""
    programs = sorted(os.listdir("/usr/lib/postgresql"))[-1]
    write("/etc/systemd/system/postgresql.service", POSTGRES.format(bin=f"/usr/lib/postgresql/{programs}/bin"))
    run("install", "-d", "-m", "700", "-o", "postgres", "-g", "postgres", "/var/lib/pg")
    run("systemctl", "daemon-reload")
    run("systemctl", "start", "postgresql")
    sql(f"CREATE ROLE worker LOGIN PASSWORD '{PASSWORD}'", "postgres")
    sql("CREATE ROLE ledger_owner LOGIN", "postgres")
    sql("CREATE DATABASE worker OWNER ledger_owner", "postgres")
    refusal = said("migrations are missing")
    assert (refusal["PRIORITY"], refusal["SYSLOG_IDENTIFIER"]) == ("3", "worker")
    wait("another try", lambda: int(show("NRestarts")) >= 2)
    assert show("ActiveEnterTimestampMonotonic") == "0"


def becomes_ready_by_itself():
    """after the migration the next try is ready"""
    handbook.follow("Migrate")
    settle()
    handbook.follow("Start")
    run("systemctl", "stop", "worker", "follower")
    run("rm", "-f", "/run/follower")


def ready_after_the_first_pass():
    """it is ready, and what is behind it starts, only after the first pass"""
    blocker = subprocess.Popen(["/usr/bin/psql", OWNER, "-XAtq"], stdin=subprocess.PIPE, text=True)
    blocker.stdin.write("BEGIN; LOCK TABLE jobkit.job;\n")
    blocker.stdin.flush()
    wait("the lock", lambda: sql("SELECT 1 FROM pg_locks WHERE relation = 'jobkit.job'::regclass AND "
                                 "mode = 'AccessExclusiveLock' AND granted"))
    since = run("date", "+%F %T.%N")
    run("systemctl", "start", "--no-block", "follower")
    said("started daemon=", f"--since={since}")
    wait("a pass that waits", lambda: sql("SELECT 1 FROM pg_locks WHERE NOT granted"))
    assert show("ActiveState") == "activating"
    assert not os.path.exists("/run/follower")
    blocker.communicate("COMMIT;\n")
    settle()
    wait("the follower", lambda: os.path.exists("/run/follower"))
    assert "runs " in show("StatusText") and "; next tick 20" in show("StatusText")


def credential():
    """the password comes from a credential, which neither the environment nor the command line shows"""
    assert sql("SELECT DISTINCT client_addr FROM pg_stat_activity WHERE usename = 'worker'") == "127.0.0.1"
    process = show("MainPID")
    for name in ("environ", "cmdline"):
        with open(f"/proc/{process}/{name}") as file:
            assert PASSWORD not in file.read()
    run("setpriv", "--reuid=worker", "--regid=worker", "--clear-groups", "cat",
        "/etc/worker/credentials/database/password", fails=True)
    assert run("ls", "/run/credentials/worker.service") == "database_password"
    assert is_active()


STEPS = [waits_for_the_database, refuses_an_empty_database, becomes_ready_by_itself, ready_after_the_first_pass,
         credential]
