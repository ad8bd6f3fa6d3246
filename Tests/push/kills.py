#!/usr/bin/env python3
"""Kills, ends and freezes whole daemons while they bring pushes to a provider, and asks the provider what it got.

  kills.py WORKER PROGRAMS MOCK FOLDER KILLS SEED LEARNERS LATENCY

Two daemons share the pushes. First one of them is killed at a random moment, again and again; then one is told to end;
then one is frozen until others have taken its part, and until its pushes may leave no more, and woken. The provider's
own list is the witness: no identifier may stand in it twice, and what the database calls sent must. Ends with 1 when
that is not so, when a push has no end, or when more are uncertain of which the provider knows nothing than may be.
"""

import collections
import os
import random
import signal
import sys
import time

from scene import HANG, Scene

# In a debug build, in seconds; the usual one is 15. Where nobody is killed no lease may run out, on a slow machine neither.
LEASE, LONG_LEASE = 4, 120
# How many uncertain pushes of the killed the provider may not know, and from how many kills on that is judged: it is for
# a machine that has nothing else to do, as one that is busy kills more of them between a note and a write.
MOST_IN_VAIN, FROM_KILLS = 10, 50


class Kills:
    def __init__(self, scene, kills, seed, learners):
        self.scene, self.kills, self.learners = scene, kills, learners
        self.random = random.Random(seed)
        self.added, self.wrong = 0, []

    def add(self, count, **more):
        self.scene.add(self.added + 1, count, **more)
        self.added += count

    def start(self, lease=LEASE):
        self.scene.environment["WORKER_REHEARSAL_LEASE"] = f"{lease}s"
        return [self.scene.start(), self.scene.start()]

    def await_growth(self, pushes, within=HANG):
        """Waits until the provider has got so many more pushes; false when none is left to come."""
        bound = time.monotonic() + within
        wanted = self.scene.mock.size() + pushes * 54
        looked = time.monotonic()
        while self.scene.mock.size() < wanted:
            if time.monotonic() > looked + 0.5:
                looked = time.monotonic()
                if not self.scene.states().keys() & {"planned", "sending"}:
                    return False
            assert time.monotonic() < bound, f"nothing leaves: see {self.scene.folder}"
            time.sleep(0.002)
        return True

    def who_works(self, daemons):
        """A daemon that has a part, or any."""
        holders = self.scene.psql.ask("SELECT daemon FROM jobkit.part WHERE state = 'running'").split()
        processes = {int(holder.split(":")[1]) for holder in holders}
        return self.random.choice([daemon for daemon in daemons if daemon.id in processes] or daemons)

    def kill(self):
        """Kills one at a random moment of what it does, until that was done often enough."""
        self.add(self.learners)
        daemons, killed = self.start(), 0
        while killed < self.kills:
            if not self.await_growth(self.random.randint(1, max(int(1.4 * self.learners / self.kills), 2))):
                # On a quick machine more of them end between two kills: there are always some to be killed with.
                self.add(max(self.learners // self.kills, 1))
                continue
            victim = self.who_works(daemons)
            time.sleep(self.random.uniform(0, 0.08))
            victim.kill()
            killed += 1
            daemons[daemons.index(victim)] = self.scene.start()
        self.scene.await_end()
        self.end(daemons)
        found = self.judge(f"{killed} kills, {self.added:,} pushes")
        if killed >= FROM_KILLS and found["in vain"] > MOST_IN_VAIN:
            self.wrong.append(f"{found['in vain']} uncertain pushes that the provider never got")

    def terminate(self, count, times):
        """Tells one to end while it has pushes in its hands."""
        self.add(count)
        daemons = self.start(LONG_LEASE)
        before = self.scene.states().get("uncertain", 0)
        ended = 0
        for _ in range(times):
            if not self.await_growth(self.random.randint(1, count // times // 2)):
                break
            victim = self.who_works(daemons)
            victim.await_ready()
            if victim.end() != 0:
                self.wrong.append(f"a daemon that was told to end did not in good order: see {victim.path}")
            ended += 1
            daemons[daemons.index(victim)] = self.scene.start()
        self.scene.await_end()
        self.end(daemons)
        self.judge(f"{ended} times SIGTERM, {count:,} pushes")
        uncertain = self.scene.states().get("uncertain", 0) - before
        if uncertain or not ended:
            self.wrong.append(f"{uncertain} pushes are uncertain after {ended} daemons were told to end")

    def freeze(self, count, by_night):
        """Freezes one that has pushes in its hands, until its lease is over and nothing may leave any more."""
        daemons = self.start()
        for daemon in daemons:
            daemon.await_ready()
        end = self.moment_of_silence(by_night)
        time.sleep(max(end - time.time() - 30, 0))
        self.add(count, **{"quiet_from" if by_night else "window_to": end})
        self.await_growth(self.random.randint(1, 200))
        victim = self.who_works(daemons)
        victim.send(signal.SIGSTOP)
        in_hand = self.scene.states().get("sending", 0)
        frozen = time.time()
        # By day for longer than a connection may stand still, and not so long that its requests wait no more for another.
        time.sleep(max(end - frozen, 10) + 2 if by_night else max(end - frozen, 5) + 1)
        lasted = time.time() - frozen
        victim.send(signal.SIGCONT)
        self.scene.await_end()
        self.end(daemons)
        self.judge(f"frozen for {lasted:.0f} s with {in_hand} pushes in hand, {count:,} pushes")
        known = {identifier for identifier, state, _ in self.scene.rows()}
        first = self.identifiers(self.added - count)
        late = [what for moment, what in self.scene.mock.lines() if what in known - first and moment > end * 1e6]
        words = "in quiet hours" if by_night else "after their window"
        print(f"kills:   {len(late)} of them left {words}", flush=True)
        if late:
            self.wrong.append(f"{len(late)} pushes left {words}: {late[:3]}")

    def identifiers(self, count):
        return {self.scene.identifier(53 * number) for number in range(1, count + 1)}

    @staticmethod
    def moment_of_silence(by_night):
        """The end of a minute, as quiet hours begin with one, or a few seconds from now."""
        now = time.time()
        return (now + 30) // 60 * 60 + 60 if by_night else now + 8

    def end(self, daemons):
        for daemon in daemons:
            # One that has only just begun does not hear yet that it is told to end.
            daemon.await_ready()
            if daemon.end() != 0:
                self.wrong.append(f"a daemon did not end in good order: see {daemon.path}")

    def judge(self, what):
        """Holds what the database says of all pushes so far against what the provider got."""
        got = collections.Counter(what for _, what in self.scene.mock.lines() if "-" in what)
        twice = [identifier for identifier, count in got.items() if count > 1]
        counts, ended = collections.Counter(), {"sent", "uncertain", "suppressed", "expired"}
        for identifier, state, reason in self.scene.rows():
            counts[state] += 1
            if state == "sent" and identifier not in got:
                counts["unknown"] += 1
            if state == "uncertain" and identifier not in got:
                counts["in vain"] += 1
            if state in ("suppressed", "expired") and identifier in got:
                self.wrong.append(f"{identifier} is {state}, {reason}, and the provider has it")
        words = ", ".join(f"{counts[state]:,} {state}" for state in sorted(set(counts) - {"unknown", "in vain"}))
        print(f"kills: {what}: {words} so far; {len(twice)} got twice, {counts['unknown']} sent that it never got, "
              f"{counts['in vain']} uncertain that it never got", flush=True)
        if twice:
            self.wrong.append(f"the provider got {len(twice)} pushes twice: {twice[:3]}")
        if counts["unknown"]:
            self.wrong.append(f"{counts['unknown']} pushes are called sent that the provider never got")
        if set(counts) - ended - {"unknown", "in vain"}:
            self.wrong.append(f"pushes without an end: {dict(counts)}")
        return counts


def main():
    worker, programs, mock, folder, *numbers = sys.argv[1:]
    kills, seed, learners, latency = map(int, numbers)
    print(f"kills: seed {seed}, {kills} kills, {learners:,} pushes, answers after {latency} ms", flush=True)
    scene = Scene(worker, programs, mock, folder)
    scene.open(latency)
    scene.migrate()
    whole = Kills(scene, kills, seed, learners)
    is_long = kills >= FROM_KILLS
    try:
        whole.kill()
        whole.terminate(learners // 10 if is_long else 2000, 10 if is_long else 2)
        whole.freeze(learners // 10 if is_long else 2000, by_night=is_long)
    finally:
        scene.kill_all()
        scene.mock.end()
        scene.psql.end()
    for words in whole.wrong:
        print(f"kills: NOT right: {words}", flush=True)
    return 1 if whole.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
