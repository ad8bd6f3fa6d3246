"""The provider of pushes that the tests have: the mock, over TLS, which writes down what it gets."""

import hashlib
import json
import signal
import subprocess

from servers import free_port


def identifier(user, day):
    """What the provider knows a push by: worked out here from the rule, not by the program."""
    digest = bytearray(hashlib.sha256(f"worker push {user}/{day}".encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


class Mock:
    """The provider: it writes each push down when it gets it, with the moment."""

    def __init__(self, program, folder, latency, clock=None, window=None):
        self.witness, self.port = folder / "witness", free_port()
        self.witness.write_bytes(b"")
        environment = {"MOCK_WITNESS": str(self.witness), **({"MOCK_CLOCK": str(clock)} if clock else {}),
                       **({"MOCK_WINDOW": str(window)} if window else {})}
        self.process = subprocess.Popen(
            [program, str(self.port), folder / "localhost.crt", folder / "localhost.key", "none", "1", str(latency)],
            env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n", "the provider did not start"

    def lines(self):
        """What it has written down: moments in microseconds, and an identifier or what else came."""
        with open(self.witness) as file:
            return [(int(moment), what) for moment, what in (line.split(" ", 1) for line in file.read().splitlines())]

    def size(self):
        return self.witness.stat().st_size

    def end(self):
        """Ends it; returns how often it worked on each identifier, by its own table."""
        self.process.send_signal(signal.SIGTERM)
        return json.loads(self.process.stdout.read())["worked"]
