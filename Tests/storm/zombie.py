"""A daemon that was frozen while it worked: what it held when it stopped, and what it said when it woke."""

import dataclasses
import time


@dataclasses.dataclass
class Zombie:
    daemon: "Daemon"
    until: float
    run: str
    part: str
    epoch: str

    # Where its log ended when it was woken; nothing while it is frozen.
    woken_at: int | None = None
    woken: float = 0
    was_replaced: bool = False

    def held(self):
        return f"run = {self.run} AND number = {self.part}"

    def wake(self, server):
        epoch = server.sql(f"SELECT epoch FROM jobkit.part WHERE {self.held()}")
        self.was_replaced = int(epoch) > int(self.epoch)
        self.woken_at, self.woken = self.daemon.log_size(), time.monotonic()
        self.daemon.thaw()

    def said(self, since=None):
        """What the daemon has logged about the part since it woke, or since another place in its log."""
        fields = f"run={self.run} part={self.part} epoch={self.epoch} "
        return [line for line in self.daemon.log_since(self.woken_at if since is None else since) if fields in line]

    def had_given_up(self):
        """Whether it lost the connection before it was frozen, and has said so: then it has nothing left to write."""
        return any("its end could not be written" in line for line in self.said(since=0))

    def verdict(self, within=0):
        """How the late write ended: 'refused', 'cut off' with its connection, or nothing when it said nothing."""
        while True:
            for line in self.said():
                if "is no longer ours" in line:
                    return "refused"
                if "its end could not be written" in line:
                    return "cut off"
            if time.monotonic() > self.woken + within:
                return None
            time.sleep(0.05)
