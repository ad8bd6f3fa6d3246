#!/usr/bin/env python3
"""Abuses the HTTP of a daemon in every way that is cheap, and says how it bore that, as JSON.

usage: abuse.py PORT PID [CONNECTIONS]

While slow clients hold their connections and thousands more are opened, an ordinary client asks again and again. Afterwards
it must be answered at once.
"""

import contextlib
import json
import os
import re
import resource
import select
import socket
import sys
import threading
import time

PORT = int(sys.argv[1])
PID = int(sys.argv[2])
CONNECTIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
WAVE = 500
# For how many seconds the flood lasts at least, so that enough passes fall into it.
LASTING = 6
# Connections of the flood that stay open until others take their place.
HELD = 1000
held = []


def connect(timeout=60.0):
    client = socket.socket()
    client.settimeout(timeout)
    client.connect(("127.0.0.1", PORT))
    return client


def ask(text, timeout=60.0):
    """Everything that is answered to some bytes, until the connection is closed or nothing comes."""
    try:
        with connect(timeout) as client:
            client.sendall(text if isinstance(text, bytes) else text.encode())
            answer = b""
            while len(answer) < 1 << 20:
                piece = client.recv(65_536)
                if not piece:
                    break
                answer += piece
            return answer
    except OSError:
        return b""


def get(path, version="1.1", method="GET", headers="", timeout=60.0):
    return ask(f"{method} {path} HTTP/{version}\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n", timeout)


def status(answer):
    found = re.match(rb"HTTP/1\.[01] (\d+)", answer)
    return int(found.group(1)) if found else 0


def memory():
    with open(f"/proc/{PID}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) // 1024


def passes():
    """How many decision passes took no longer than each bound; the seconds of all, and by how much their ticks were late."""
    text = get("/metrics").decode()
    counts = {
        bound: int(count)
        for bound, count in re.findall(r'worker_pass_duration_seconds_bucket\{le="([^"]+)"\} (\d+)', text)
    }
    sums = [
        float(re.search(name + r"_seconds_sum ([\d.e-]+)", text).group(1))
        for name in ["worker_pass_duration", "worker_tick_lateness"]
    ]
    return counts, sums


def since(before):
    """How many passes there were since then, and in milliseconds their mean and the mean lateness of what they decided."""
    (old, old_sums), (new, new_sums) = before, passes()
    count = new["+Inf"] - old["+Inf"]
    mean, late = [round((b - a) * 1000 / max(count, 1), 2) for a, b in zip(old_sums, new_sums)]
    return {"count": count, "mean_ms": mean, "late_ms": late}


def quiet(seconds):
    """Lets passes be made in peace, by asking seldom."""
    before, end = passes(), time.monotonic() + seconds
    while time.monotonic() < end:
        get("/livez")
        threading.Event().wait(0.25)
    return since(before)


def trickle():
    """After how many seconds one client is sent away that sends a byte now and then."""
    began = time.monotonic()
    with connect() as client, contextlib.suppress(OSError):
        while time.monotonic() < began + 120:
            client.send(b"G")
            threading.Event().wait(0.05)
    return round(time.monotonic() - began, 1)


class Slow:
    """Clients that send a byte now and then, and never end their request."""

    def __init__(self, count):
        self.clients, self.closed = [], 0
        for _ in range(count):
            try:
                self.clients.append(connect(1.0))
            except OSError:
                pass

    def trickle(self, until):
        began = time.monotonic()
        oldest = 0.0
        while time.monotonic() < until and self.clients:
            for client in list(self.clients):
                try:
                    client.send(b"G")
                except OSError:
                    self.clients.remove(client)
                    self.closed += 1
                    oldest = max(oldest, time.monotonic() - began)
            threading.Event().wait(0.2)
        for client in self.clients:
            client.close()
        return oldest


class Ordinary(threading.Thread):
    """Asks again and again, and remembers how long it took."""

    def __init__(self):
        super().__init__(daemon=True)
        self.times, self.refused, self.is_over = [], 0, False

    def run(self):
        while not self.is_over:
            began = time.monotonic()
            if status(get("/livez", timeout=3.0)) == 200:
                self.times.append(time.monotonic() - began)
            else:
                self.refused += 1
            threading.Event().wait(0.05)


def flood(count):
    """Makes so many connections, in waves that the limits of this process allow, each of which begins a request and never ends it."""
    made = 0
    while made < count:
        poll, wave = select.poll(), {}
        for _ in range(min(WAVE, count - made)):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", PORT))
            poll.register(client, select.POLLOUT)
            wave[client.fileno()] = client
        end = time.monotonic() + 2
        while wave and time.monotonic() < end:
            for number, _ in poll.poll(100):
                poll.unregister(number)
                client = wave[number]
                made += 1
                # One that was let in may have been sent away again by now.
                with contextlib.suppress(OSError):
                    client.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n")
                held.append(wave.pop(number))
        for client in [*wave.values(), *held[:-HELD]]:
            client.close()
        del held[:-HELD]
    for client in held:
        client.close()
    return made


def garbage():
    """What each sort of nonsense is answered with; 0 where the connection is just closed."""
    return {
        "bytes": status(ask(os.urandom(4096))),
        "zeros": status(ask(b"\0" * 10_000)),
        "line": status(ask("G" * 100_000)),
        "header": status(get("/livez", headers="X: " + "a" * 200_000 + "\r\n")),
        "headers": status(get("/livez", headers="".join(f"X{n}: y\r\n" for n in range(20_000)))),
        "no version": status(ask("GET /livez\r\n\r\n")),
        "version 9": status(get("/livez", version="9.9")),
        "tls": status(ask(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500))),
        "length": status(get("/livez", headers="Content-Length: 99999999999999999999\r\n")),
        "two lengths": status(get("/livez", headers="Content-Length: 0\r\nContent-Length: 45\r\n")),
        "length and coding": status(get("/livez", headers="Content-Length: 3\r\nTransfer-Encoding: chunked\r\n")),
        "stranger": status(ask("GET /livez HTTP/1.1\r\nHost: rebind.attacker.example\r\nConnection: close\r\n\r\n")),
    }


def methods():
    answers = {}
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"]:
        answers[method] = status(get("/metrics", method=method))
    body = "Content-Length: 1000000\r\n"
    answers["POST with a body"] = status(get("/metrics", method="POST", headers=body))
    return answers


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    report = {"memory_before": memory(), "peace": quiet(4)}
    report["methods"], report["garbage"] = methods(), garbage()
    report["old"] = status(ask("GET /livez HTTP/1.0\r\n\r\n"))
    report["pipelined"] = len(
        re.findall(
            rb"HTTP/1\.1 200",
            ask("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n" * 9 + "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        )
    )
    report["trickled_seconds"] = trickle()
    before, ordinary, slow = passes(), Ordinary(), Slow(60)
    ordinary.start()
    trickling = threading.Thread(target=lambda: report.update(slow_seconds=round(slow.trickle(time.monotonic() + 120), 1)))
    trickling.start()
    began = time.monotonic()
    report["flooded"] = flood(CONNECTIONS)
    report["flood_seconds"] = round(time.monotonic() - began, 1)
    while time.monotonic() < began + LASTING:
        report["flooded"] += flood(WAVE)
    trickling.join()
    report["abuse"] = since(before)
    ordinary.is_over = True
    ordinary.join()
    report["memory_after"] = memory()
    report["slow_closed"] = slow.closed
    report["ordinary"] = {
        "answered": len(ordinary.times), "refused": ordinary.refused,
        "slowest_ms": round(max(ordinary.times, default=99) * 1000),
    }
    report["afterwards"] = [status(get(path)) for path in ["/livez", "/readyz", "/metrics", "/nothing"]]
    print(json.dumps(report))


main()
