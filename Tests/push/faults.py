"""Plays each fault on each server while pushes are sent, and holds what the client says against the servers' counts.

  faults.py CLIENT MOCK FOLDER PUSHES SEED SERVER…

Of each push the client says one thing. A sent or refused one must have been worked on once, one that was not sent never,
an uncertain one at most once. Prints a table, and ends with 1 when that is not so in a cell of it.
"""

import collections
import json
import subprocess
import sys
import time
from pathlib import Path

from servers import KINDS

# What each fault is, for whoever reads the table.
WORDS = {
    "none": "none",
    "goaway": "GOAWAY, and answers to what it covers",
    "goaway-twice": "GOAWAY twice, first with the highest number there is",
    "goaway-abrupt": "GOAWAY, and the connection ended at once",
    "goaway-error": "GOAWAY with ENHANCE_YOUR_CALM, and the connection ended at once",
    "goaway-first": "GOAWAY before SETTINGS, on every other connection",
    "close-first": "no SETTINGS, on every other connection",
    "one-stream": "one stream allowed",
    "settings": "SETTINGS 1 → 1000 → 10 → 1000 …",
    "tcp-reset": "TCP reset",
    "fin": "TCP end (FIN)",
    "silence": "silence",
    "wrong-name": "a certificate for another name",
    "no-h2": "no HTTP/2 in ALPN",
    "slow-body": "a body that never ends",
    "big-body": "a body of 10 MB",
    **{f"rst-{code}": f"RST_STREAM with code {code}" + (" (REFUSED_STREAM)" if code == 7 else "")
       for code in range(14)},
    **{status + after: status + (" with Retry-After" if after else "")
       for status in ("429", "500", "503") for after in ("", "-after")},
}

RESETS = [f"rst-{code}" for code in range(14)]
ANSWERS = [status + after for status in ("429", "500", "503") for after in ("", "-after")]
OWN = ["none", "goaway", "goaway-twice", "goaway-abrupt", "goaway-error", "goaway-first", "close-first", *RESETS,
       "tcp-reset", "fin", "silence", "settings", "wrong-name", "no-h2", "slow-body", "big-body", *ANSWERS]
FAULTS = {
    "mock": OWN,
    "strict": OWN,
    "nghttpd": ["none", "one-stream", "tcp-reset", "fin", "silence", "wrong-name"],
    "nghttpx": ["none", "goaway", "one-stream", "rst-2", "rst-7", "tcp-reset", "fin", "silence", "wrong-name",
                "slow-body", "429", "503-after"],
    "nginx": ["none", "goaway", "one-stream", "tcp-reset", "fin", "silence", "wrong-name", *ANSWERS],
}
# What these faults must not cost: the server did not take the request, or there is an answer.
HARMLESS = {"none", "goaway", "goaway-twice", "goaway-first", "close-first", "rst-7", "settings", "one-stream",
            "big-body", *ANSWERS}
NEVER_SENT = {"wrong-name", "no-h2"}


class Scene:
    def __init__(self, client, mock, folder, pushes, seed):
        self.client, self.mock, self.folder = client, mock, Path(folder).absolute()
        self.pushes, self.seed = int(pushes), int(seed)
        self.certificate, self.key = self.folder / "localhost.crt", self.folder / "localhost.key"

    def latency(self, fault):
        """Milliseconds until an answer: without any, nothing would be out when a fault strikes."""
        return 5 if fault == "settings" else 20

    def send(self, server):
        fault = server.fault
        limits = {"silence": ["answer=5000", "pong=1000"], "slow-body": ["answer=1000"]}.get(fault, [])
        rounds = 1 if fault in NEVER_SENT else 3
        window = max(10, min(200, server.every // 2))
        return subprocess.Popen(
            [self.client, f"port={server.port}", "address=127.0.0.1", f"ca={self.folder}/ca.crt",
             f"host={'other.example' if fault == 'wrong-name' else 'localhost'}", f"count={self.pushes}",
             f"window={window}", "connections=2", "gap=50", "longest=500", f"rounds={rounds}", f"seed={self.seed}",
             f"output={self.folder}/client.out", *limits],
            stdout=subprocess.PIPE, text=True)


def judge(kind, fault, ends, worked, broken):
    """What is wrong with a cell, in words."""
    wrong = [f"the client broke a rule: {rule}" for rule in broken[:3]]
    for identifier, word in ends.items():
        times = worked.get(identifier, 0)
        # A proxy may refuse in its own name what the server behind it never saw.
        least = {"sent": 1, "refused": 0 if kind == "nghttpx" else 1}.get(word, 0)
        most = {"notSent": 0}.get(word, 1)
        if not least <= times <= most:
            wrong.append(f"{identifier} is {word}, and was worked on {times} times")
    counts = collections.Counter(ends.values())
    if counts["lost"]:
        wrong.append(f"{counts['lost']} have no end")
    if fault in HARMLESS and counts["uncertain"]:
        wrong.append(f"{counts['uncertain']} are uncertain that need not be")
    if fault in HARMLESS and counts["notSent"]:
        wrong.append(f"{counts['notSent']} were not sent in the end")
    if fault in NEVER_SENT and counts["notSent"] != len(ends):
        wrong.append("something left over a connection that is not to be trusted")
    return wrong


def play(scene, kind, fault):
    """Plays one fault on one server; returns the counts, and whether all is as it must be."""
    every = max(scene.pushes // 20, 20)
    server = KINDS[kind](scene, fault, every)
    client = scene.send(server)
    while client.poll() is None:
        time.sleep(0.2)
        server.beat()
    told = json.loads(client.stdout.read() or "{}")
    server.stop()
    ends = dict(line.split() for line in open(scene.folder / "client.out"))
    wrong = judge(kind, fault, ends, server.worked, server.broken)
    if client.returncode != 0 or len(ends) != scene.pushes:
        wrong.append(f"the client ended with {client.returncode} and {len(ends)} of {scene.pushes}")
    # Unique values would only push the others out of a small table. (nghttp2 keeps tokens out of it, too.)
    if server.table and ({":path", "apns-id"} & set(server.table) or "apns-topic" not in server.table):
        wrong.append(f"the compressor's table has {server.table}")
    counts = collections.Counter(ends.values())
    print(f"{kind}, {fault}: {in_words(counts)}, {told.get('opened', 0)} connections", file=sys.stderr, flush=True)
    for words in wrong[:5]:
        print(f"  {kind}, {fault}: {words}", file=sys.stderr, flush=True)
    return counts, not wrong


def in_words(counts):
    words = [("sent", "sent"), ("refused", "refused"), ("uncertain", "uncertain"), ("notSent", "not sent"),
             ("lost", "without an end")]
    return ", ".join(f"{counts[end]:,} {word}" for end, word in words if counts[end])


def table(outcomes):
    """The counts, a row for each fault and a column for each server."""
    kinds = list(dict.fromkeys(kind for kind, _ in outcomes))
    yield "| fault | " + " | ".join(kinds) + " |"
    yield "|---" * (len(kinds) + 1) + "|"
    for fault in WORDS:
        cells = [in_words(outcomes[kind, fault]) if (kind, fault) in outcomes else "" for kind in kinds]
        if any(cells):
            yield f"| {WORDS[fault]} | " + " | ".join(cells) + " |"


def main():
    scene = Scene(*sys.argv[1:6])
    kinds = sys.argv[6:] or list(KINDS)
    print(f"seed {scene.seed}, {scene.pushes} pushes in each cell", file=sys.stderr, flush=True)
    played = {(kind, fault): play(scene, kind, fault) for kind in kinds for fault in FAULTS[kind]}
    print("\n".join(table({cell: counts for cell, (counts, _) in played.items()})))
    if not all(is_right for _, is_right in played.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
