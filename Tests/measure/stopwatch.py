"""What the release build of the stopwatch tells of ticks and parts."""

import subprocess


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def lateness(stopwatch, server, seconds):
    """How many milliseconds after its moment a job began, by job."""
    late = {"second": [], "minute": []}
    for line in said(stopwatch, "lateness", server.address, str(seconds)):
        _, job, microseconds = line.split()
        late[job].append(int(microseconds) / 1000)
    # The first tick meets connections that are just being opened.
    return {job: values[1:] if job == "second" else values for job, values in late.items()}


def parts(stopwatch, server, *runs):
    """The most parts in a second, one by one and in batches."""
    best = {}
    for line in said(stopwatch, "parts", server.address, *runs):
        words = dict(word.split("=") for word in line.split()[1:])
        kind = "one" if words["batch"] == "1" else "batch"
        best[kind] = max(best.get(kind, 0), int(words["per_second"]))
    return best


def said(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
