"""The server that is measured on: asked, watched, and put back to where it was."""

import json
import os
import subprocess


class Server:
    """A PostgreSQL that runs already, on a socket in the scratch folder; one database of it."""

    def __init__(self, programs, scratch, database="postgres"):
        self.programs, self.scratch, self.database = programs, scratch, database
        self.socket = os.path.join(scratch, "socket")
        self.address = f"host={self.socket} user=worker dbname={database}"

    def words(self, *more):
        return [f"{self.programs}/psql", "-h", self.socket, "-U", "worker", "-d", self.database, "-XAtq",
                "-v", "ON_ERROR_STOP=1", *more]

    def ask(self, text):
        """What the statements come to, as text."""
        done = subprocess.run(self.words("-f", "-"), input=text, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"bench: {done.stderr.strip()}\n  of: {text.strip()[:400]}")
        return done.stdout.strip()

    def rows(self, query):
        """The rows of a query, each as a dictionary."""
        answer = self.ask(f"SELECT coalesce(json_agg(answer), '[]') FROM ({query}) AS answer")
        return json.loads(answer)

    def settings(self):
        return self.rows("SELECT name, current_setting(name) AS value FROM pg_settings "
                         "WHERE source IN ('command line', 'configuration file') AND name NOT LIKE 'lc\\_%' "
                         "AND name NOT IN ('unix_socket_directories', 'TimeZone', 'log_timezone', "
                         "'listen_addresses', 'default_text_search_config', 'DateStyle', "
                         "'dynamic_shared_memory_type') ORDER BY name")

    def counters(self):
        """What the server has written so far, for differences."""
        return self.rows(
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS wal, "
            "(SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()) AS temp, "
            "(SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_user_tables "
            "WHERE schemaname = 'learning') AS rows")[0]


class Session:
    """One session of psql that is asked one thing after the other."""

    END = "-- that is all --"

    def __init__(self, server):
        self.process = subprocess.Popen(server.words(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)

    def ask(self, text):
        self.process.stdin.write(f"{text}\n\\echo {self.END}\n")
        self.process.stdin.flush()
        answer = []
        while (line := self.process.stdout.readline().rstrip("\n")) != self.END:
            if not line and self.process.poll() is not None:
                raise SystemExit(f"bench: psql gave up: {self.process.stderr.read().strip()}")
            answer.append(line)
        return answer

    def run(self, text):
        self.ask(text)

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
