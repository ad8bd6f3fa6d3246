"""A control group of our own for the container, so that two containers at once do not share theirs."""

import os


def hierarchies():
    """Where the hierarchies are mounted that a systemd needs, and where this process is in each."""
    mounts = {}
    with open("/proc/self/mountinfo") as file:
        for line in file:
            fields, kind = line.split(" - ")
            words, kind = fields.split(), kind.split()
            if kind[0] == "cgroup2":
                mounts[""] = words[4]
            elif kind[0] == "cgroup" and "name=systemd" in kind[2].split(","):
                mounts["name=systemd"] = words[4]
    with open("/proc/self/cgroup") as file:
        for line in file:
            _, name, path = line.rstrip("\n").split(":", 2)
            if name in mounts:
                yield mounts[name] + path.rstrip("/")


class OwnGroup:
    def __init__(self, name):
        self.paths = [f"{parent}/{name}" for parent in hierarchies()]
        for path in self.paths:
            os.mkdir(path)

    def enter(self):
        """Puts the calling process into the group."""
        for path in self.paths:
            with open(f"{path}/cgroup.procs", "w") as file:
                file.write(str(os.getpid()))

    def remove(self):
        """Removes the group and the empty ones that a container leaves in it."""
        for path in self.paths:
            for folder, _, _ in os.walk(path, topdown=False):
                os.rmdir(folder)
