"""One PostgreSQL of a streaming pair: started, asked, copied, promoted, killed and frozen."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time

SHELL = "source script/lib/setup.sh; source script/lib/postgres.sh; require_postgres; "


class Node:
    def __init__(self, programs, folder):
        self.programs, self.folder, self.port = programs, folder, free_port()

    def start(self):
        # libpq and the server both take the port from PGPORT.
        self.shell('export PGPORT=$2; start_server "$1" listen_addresses=127.0.0.1 fsync=off max_connections=60',
                   self.folder, str(self.port))

    def sql(self, text):
        return subprocess.run(self.psql(text), check=True, capture_output=True, text=True).stdout.strip()

    def psql(self, *texts):
        words = [f"{self.programs}/psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "worker", "-d", "postgres",
                 "-XAtq", "-v", "ON_ERROR_STOP=1"]
        for text in texts:
            words += ["-c", text]
        return words

    def copy(self, primary):
        """Makes this the standby of `primary`, and returns when all that is committed there waits for it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(f"{self.folder}/socket", mode=0o700)
        self.shell('own_by_server_user "$1"; own_by_server_user "$1/socket"; '
                   '"${as_server_user[@]}" "$postgres_bin/pg_basebackup" --pgdata="$1/data" --no-sync '
                   '--checkpoint=fast --write-recovery-conf --host=127.0.0.1 --port="$2" --username=worker',
                   self.folder, str(primary.port))
        # What the copied settings ask of the old primary is not asked of this one, once it is promoted.
        self.shell('sed -i /synchronous_standby_names/d "$1/data/postgresql.auto.conf"', self.folder)
        self.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")
        primary.wait("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "the standby")

    def wait(self, counting, what, within=300):
        """Waits until the statement counts something; the bound only ends a hang."""
        bound = time.monotonic() + within
        while self.sql(counting) == "0":
            assert time.monotonic() < bound, f"waited {within} s in vain for {what}"
            time.sleep(0.02)

    def promote(self):
        assert self.sql("SELECT pg_promote()") == "t", "the standby is not promoted"

    def kill(self):
        """Kills all of its processes at once, as a host does that loses its power."""
        processes = self.freeze()
        for process in processes:
            os.kill(process, signal.SIGKILL)
        bound = time.monotonic() + 300
        while any(os.path.exists(f"/proc/{process}") for process in processes):
            assert time.monotonic() < bound, "the server does not end"
            time.sleep(0.01)
        os.remove(f"{self.folder}/data/postmaster.pid")

    def freeze(self):
        """Stops all of its processes, and returns them: the kernel still takes connections and what is sent to it."""
        with open(f"{self.folder}/data/postmaster.pid") as file:
            server = int(file.readline())
        # First the one that starts the others, of which some end meanwhile.
        return [process for process in (server, *children(server)) if stopped(process)]

    def shell(self, script, *words):
        done = subprocess.run(["bash", "-c", SHELL + script, "failover", *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 0, done.stderr


def stopped(process):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGSTOP)
        return True


def children(parent):
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as file:
                if name.isdigit() and int(file.read().rsplit(")", 1)[1].split()[1]) == parent:
                    yield int(name)
        except OSError:
            pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
