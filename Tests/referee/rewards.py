"""Rewards: each settled once, in order, with the right reason for each that is not, and true balances."""

from bisect import bisect_left
from collections import defaultdict

WEEK = 7 * 86_400_000_000
WAIT = 86_400


class Rewards:
    def __init__(self, facts, verdict):
        self.facts, self.verdict = facts, verdict
        self.now = facts.ran["settle_rewards"]
        self.runs = facts.runs_of("settle_rewards")
        self.pending = facts.by_learner(
            "queue_id% idempotency_key kind amount% session_id% clock_lead% received_at@ state reason",
            "(SELECT *, (extract(epoch FROM server_clock - received_at) * 1000000)::bigint AS clock_lead"
            f" FROM learning.reward_pending WHERE received_at <= to_timestamp({self.now})) AS r"
            " ORDER BY user_id, queue_id")
        self.entries = facts.by_learner(
            "idempotency_key queue_id% kind score% xp%", "learning.reward_entries")

    def judge(self):
        count = sum(map(len, self.pending.values()))
        self.verdict.check("rewards that did not become what they must", count, self.wrong_ends())
        self.verdict.check("entries that differ from what was settled", count, self.wrong_entries())
        self.verdict.check("balances that are not the sum of their entries", *self.wrong_balances())

    def expected(self, reward, before, ends, others):
        if reward.idempotency_key in before:
            return "duplicate", None
        if reward.kind not in ("session_completed", "bonus"):
            return "rejected", "unknown_kind"
        if reward.amount < 0:
            return "rejected", "negative_amount"
        if reward.kind == "session_completed":
            arrived = ends.get(reward.session_id)
            if arrived is None and reward.session_id in others:
                # It has come and is no study: there is nothing to wait for.
                seen = bisect_left(self.runs, max(reward.received_at, others[reward.session_id]))
                return ("pending", None) if seen == len(self.runs) else ("rejected", "no_such_session")
            run = bisect_left(self.runs, reward.received_at + WAIT)
            if run == len(self.runs) and arrived is None:
                return "pending", None
            if arrived is None or run < len(self.runs) and arrived > self.runs[run]:
                return "rejected", "no_such_session"
        if reward.clock_lead > 0:
            return "rejected", "clock_in_the_future"
        if reward.clock_lead < -WEEK:
            return "rejected", "clock_too_old"
        return "settled", None

    def wrong_ends(self):
        for learner, rewards in self.pending.items():
            ends = {s.session_id: s.server_received_at for s in self.facts.studies(learner, self.now)}
            others = {s.session_id: s.server_received_at for s in self.facts.sessions.get(learner, [])
                      if s.completed and not s.is_study}
            before = set()
            for reward in rewards:
                state, reason = self.expected(reward, before, ends, others)
                before.add(reward.idempotency_key)
                reward.must_be = state
                if reward.state != state or reason and reward.reason != reason:
                    yield (f"learner {learner}, {reward.queue_id} {reward.idempotency_key}:"
                           f" {reward.state} {reward.reason or ''}, by the rules {state} {reason or ''}")

    def wrong_entries(self):
        for learner in self.pending.keys() | self.entries.keys():
            settled = sorted(
                (r.idempotency_key, r.queue_id, r.kind, r.amount if r.kind == "session_completed" else 0,
                 r.amount)
                for r in self.pending.get(learner, []) if r.must_be == "settled")
            written = sorted(
                (e.idempotency_key, e.queue_id, e.kind, e.score, e.xp)
                for e in self.entries.get(learner, []))
            if settled != written:
                yield f"learner {learner}: {sorted(set(settled) ^ set(written))[:4]}"

    def wrong_balances(self):
        sums = defaultdict(lambda: [0, 0])
        for learner, entries in self.entries.items():
            sums[learner] = [sum(e.score for e in entries), sum(e.xp for e in entries)]
        balances = {
            b.user_id: [b.score, b.xp]
            for b in self.facts.database.rows("user_id% score% xp%", "learning.balances")}
        return len(balances), (
            f"learner {learner}: {balances.get(learner)}, the sum is {sums[learner]}"
            for learner in sorted(sums.keys() | balances.keys())
            if balances.get(learner, [0, 0]) != sums[learner])
