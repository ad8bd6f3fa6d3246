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
        "What the runner costs. What its jobs take beside plain SQL at a million learners: [benchmark](benchmark.md).",
        "`script/measure` writes this page, and anyone can run it; a figure that misses its bound stands here as it is.",
        "The server keeps all its promises while it is measured (`fsync`, `synchronous_commit`).", "",
        "| measured |", "|---|", f"| commit {given.commit}; " + "; ".join(machine) + " |", "",
        "| what | must reach | measured |", "|---|---|---|",
    ]
    lines += [f"| {row.what} | {row.bound} | {row.found} |" for row in rows]
    return "\n".join(lines) + "\n"
