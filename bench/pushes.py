"""Pushes to a provider, from the planned row to the row that says what became of each, beside aioapns alone."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from daemons import resident_megabytes
from schedulers import Place, Program
from watch import Stopwatch

sys.path.insert(0, str(Path(__file__).parent.parent / "Tests" / "push"))

from provider import Mock  # noqa: E402
from scene import Scene  # noqa: E402

# How many pushes are on their way at most, of everybody, and after how many milliseconds the provider answers.
WINDOW = 1000
LATENCIES = [0, 50]
# How many bytes the provider takes at once: with the usual 65,535, aioapns loses a stream for each push that must wait
# for room, until it has none left.
TAKES = 16_000_000
HERE = Path(__file__).parent


def processor_seconds(pid):
    """What all threads of a process have used, to the nanosecond."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def measured(given, extent):
    """Yields what was measured, of whom, and what came."""
    folder = Path(given.out) / "provider"
    for number in range(extent.rounds):
        for latency in LATENCIES:
            what = f"pushes {latency} ms"
            yield what, "worker", {"round": number, **whole(given, extent, folder, latency)}
            yield what, "client", {"round": number, **client(given, extent, folder, latency)}
            yield what, "aioapns", {"round": number, **aioapns(extent, folder, latency)}
    yield "silence", "worker", silence(given, extent, folder)


def open_scene(given, folder, latency, pushes, **settings):
    place = Place(given, "pushes")
    place.make()
    scene = Scene(given.worker, given.bin, folder / "mock", folder, "pushes", given.out)
    scene.open(latency, window=WINDOW // 2, parts=2, takes=TAKES, **settings)
    scene.migrate()
    scene.add(1, pushes)
    place.ask("CHECKPOINT")
    return place, scene


def close(place, scene):
    scene.kill_all()
    got = scene.mock.end()
    scene.psql.end()
    place.drop()
    return got


def whole(given, extent, folder, latency):
    """The program: pushes are claimed, committed, sent, and what became of them is written down."""
    place, scene = open_scene(given, folder, latency, extent.pushes)
    try:
        daemon = scene.start()
        daemon.await_ready()
        while scene.mock.size() == 0:
            time.sleep(0.001)
        before = processor_seconds(daemon.id)
        scene.await_end()
        end = time.time()
        used = processor_seconds(daemon.id) - before
        megabytes = resident_megabytes(daemon.process)
        if daemon.end() != 0 or scene.states() != {"sent": extent.pushes}:
            raise SystemExit(f"bench: not all pushes were sent: {scene.states()}, see {daemon.path}")
        first = next(moment for moment, what in scene.mock.lines() if "-" in what) / 1e6
    finally:
        got = close(place, scene)
    if set(got.values()) != {1} or len(got) != extent.pushes:
        raise SystemExit(f"bench: the provider got {len(got)} pushes, of {extent.pushes}")
    return {"rate": extent.pushes / (end - first), "cpu": used / extent.pushes * 1e6, "megabytes": megabytes}


def client(given, extent, folder, latency):
    """The program's own HTTP/2 client alone."""
    mock = Mock(folder / "mock", folder, latency, window=TAKES)
    try:
        told = json.loads(subprocess.run(
            [given.client, f"port={mock.port}", "address=127.0.0.1", f"ca={folder}/ca.crt", f"count={extent.pushes}",
             f"window={WINDOW}"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    finally:
        mock.end()
    return {"rate": told["sent"] / told["seconds"], "cpu": told["processor seconds"] / told["sent"] * 1e6}


def aioapns(extent, folder, latency):
    """aioapns alone: it neither reads nor writes a database."""
    # It takes long enough over these.
    pushes = max(extent.pushes // 10, 100)
    mock = Mock(folder / "mock", folder, latency, window=TAKES)
    try:
        program = Program(str(HERE / "peer_aioapns.py"), str(mock.port), str(folder), str(pushes), str(WINDOW))
        before, stopwatch = processor_seconds(program.pid), Stopwatch()
        program.go()
        program.wait_for("sent")
        seconds, used = stopwatch.seconds, processor_seconds(program.pid) - before
        megabytes = resident_megabytes(program)
        program.process.kill()
        program.process.wait()
    finally:
        mock.end()
    return {"rate": pushes / seconds, "cpu": used / pushes * 1e6, "megabytes": megabytes}


def silence(given, extent, folder):
    """A daemon that has sent pushes and has none to send: what the provider is sent, and what the daemon uses."""
    place, scene = open_scene(given, folder, 0, 100, schedule="* * * * *")
    try:
        daemon = scene.start()
        daemon.await_ready()
        scene.await_end()
        time.sleep(2)
        before, lines = processor_seconds(daemon.id), len(scene.mock.lines())
        time.sleep(extent.silence_of_pushes)
        used, sent = processor_seconds(daemon.id) - before, [what for _, what in scene.mock.lines()[lines:]]
    finally:
        close(place, scene)
    if set(sent) - {"ping"}:
        raise SystemExit(f"bench: while no push was due the provider was sent {sent}")
    return {"pings": len(sent), "cpu": used * 60 / extent.silence_of_pushes, "seconds": extent.silence_of_pushes}
