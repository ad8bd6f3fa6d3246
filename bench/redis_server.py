"""A Redis of its own, and one connection to it, which is written in C as that to PostgreSQL is."""

import os
import socket
import subprocess

import hiredis

from watch import Stopwatch


class Redis:
    """A server on a unix socket that writes nothing to disk, and one connection, for as long as the block lasts."""

    def __init__(self, scratch):
        self.scratch, self.path = scratch, os.path.join(scratch, "redis.sock")

    def __enter__(self):
        with open(os.path.join(self.scratch, "redis.log"), "w") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", self.path, "--save", "", "--appendonly", "no",
                 "--dir", self.scratch], stdout=log, stderr=log)
        self.connection, self.reader = self.connected(), hiredis.Reader(encoding="utf-8")
        return self

    def connected(self):
        stopwatch = Stopwatch()
        while stopwatch.seconds < 10 and self.process.poll() is None:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self.path)
                return connection
            except (FileNotFoundError, ConnectionRefusedError):
                connection.close()
        self.process.kill()
        raise SystemExit(f"bench: Redis did not answer: see {self.scratch}/redis.log")

    def __exit__(self, *_):
        self.connection.close()
        self.process.terminate()
        self.process.wait()

    def ask(self, *words):
        return self.ask_all([command(*words)])[0]

    def ask_all(self, commands):
        """Sends all of them before the first answer is read."""
        self.connection.sendall(b"".join(commands))
        return [self.answer() for _ in commands]

    def answer(self):
        while (answer := self.reader.gets()) is False:
            received = self.connection.recv(65536)
            if not received:
                raise SystemExit(f"bench: Redis has gone away: see {self.scratch}/redis.log")
            self.reader.feed(received)
        if isinstance(answer, Exception):
            raise SystemExit(f"bench: Redis says '{answer}'")
        return answer


def command(*words):
    """A command as it is sent."""
    return hiredis.pack_command(words)
