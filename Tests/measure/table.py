"""The page that tells what was measured."""

from dataclasses import dataclass


@dataclass
class Row:
    what: str
    bound: str
    found: str


def page(rows, machine, given):
    lines = [
        "# Measurements", "",
        "Written by `script/measure`, which anyone can run; a figure that misses its bound stands here as it is.",
        "The server keeps all its promises while it is measured (`fsync`, `synchronous_commit`).",
        "This is the runner; what its jobs take beside plain SQL at a million learners: [benchmark](benchmark.md).", "",
        f"Commit {given.commit}; " + "; ".join(machine) + ".", "",
        "| what | must reach | measured |", "|---|---|---|",
    ]
    lines += [f"| {row.what} | {row.bound} | {row.found} |" for row in rows]
    return "\n".join(lines) + "\n"
