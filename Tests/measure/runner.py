"""The server and the program that are measured."""

import contextlib
import os
import re
import subprocess
import time


class Server:
    """A PostgreSQL that runs already, on a socket in the scratch folder."""

    def __init__(self, programs, scratch):
        self.programs, self.scratch = programs, scratch
        self.socket = os.path.join(scratch, "socket")
        self.address = f"host={self.socket} user=worker dbname=postgres"

    def ask(self, text):
        words = [os.path.join(self.programs, "psql"), "-h", self.socket, "-U", "worker", "-d", "postgres",
                 "-XAtqc", text]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    def settings(self):
        return self.ask("SELECT string_agg(name || ' = ' || current_setting(name), ', ' ORDER BY name) "
                        "FROM pg_settings WHERE source IN ('command line', 'configuration file') AND name IN "
                        "('fsync', 'synchronous_commit', 'shared_buffers', 'full_page_writes', 'max_wal_size')")

    def clear(self):
        self.ask("DROP SCHEMA IF EXISTS jobkit CASCADE")

    @contextlib.contextmanager
    def load(self):
        """Keeps the server as busy as it can be for as long as the block lasts."""
        bench = [os.path.join(self.programs, "pgbench"), "-h", self.socket, "-U", "worker"]
        subprocess.run([*bench, "-i", "-s", "10", "-q", "postgres"], check=True, capture_output=True)
        process = subprocess.Popen([*bench, "-c", str(2 * os.cpu_count()), "-T", "36000", "postgres"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(2)
            yield
        finally:
            process.terminate()
            process.wait()


class Worker:
    """The program, with settings for the server."""

    def __init__(self, path, server, **variables):
        self.path = path
        settings = os.path.join(server.scratch, "worker.toml")
        with open("config/worker.toml") as file:
            jobs = re.findall(r"^\[jobs\.(\w+)\]$", file.read(), re.MULTILINE)
        with open(settings, "w") as file:
            file.write(f'[database]\nurl = "{server.address}"\n')
            # The runner is measured, not its jobs: none of them is due before the year ends.
            file.writelines(f'[jobs.{job}]\nschedule = "0 0 1 1 *"\n' for job in jobs)
        self.environment = {"WORKER_CONFIG": settings, "PATH": os.environ["PATH"], **variables}

    def call(self, *words):
        subprocess.run([self.path, *words], env=self.environment, check=True, capture_output=True)

    def start(self):
        """A daemon, and the seconds until it said that it is ready."""
        begin = time.monotonic()
        daemon = subprocess.Popen([self.path, "daemon"], env=self.environment, stderr=subprocess.PIPE, text=True)
        for line in daemon.stderr:
            if "msg=ready" in line:
                return daemon, time.monotonic() - begin
        raise SystemExit(f"measure: the daemon ended with {daemon.wait()} before it was ready")


def end(daemon):
    daemon.terminate()
    daemon.wait(timeout=40)
    daemon.stderr.close()
