"""The brain tokens of one learner, and what else the days of chains have earned."""

MOST_TOKENS = 3
DAYS_FOR_TOKEN = 7
MILESTONES = {3: "title", 7: "theme", 14: "title", 30: "theme"}


class Purse:
    """Each entry has a key and each award its days, and none is made twice.

    A chain that begins on another day than it did, as when a study of the day before arrives late, has been given
    what it was given then.
    """

    def __init__(self, entries, reached):
        self.keys, self.balance = {row.entry for row in entries}, sum(row.amount for row in entries)
        self.reached, self.rewarded, self.entries, self.awards = set(reached), {}, [], []

    def reward(self, chain, at):
        """Gives what the days of a chain have earned and was not given yet."""
        days = range(self.rewarded.get(chain.started_on, 0) + 1, chain.length + 1)
        if not days:
            return
        self.rewarded[chain.started_on] = chain.length
        for milestone, kind in MILESTONES.items():
            if milestone in days and not any(
                    (reached, of) == (milestone, kind) and chain.covers(start) for start, reached, of in self.reached):
                self.reached.add((chain.started_on, milestone, kind))
                self.awards.append((chain.started_on, milestone, kind, "milestone", at))
        self.earn([day for day in days if day % DAYS_FOR_TOKEN == 0], chain, at)

    def earn(self, days, chain, at):
        """Gives a token for each of these days, the last ones first that the chain has no token for."""
        missing = chain.length // DAYS_FOR_TOKEN - self.tokens_earned_in(chain) if days else 0
        for day in days[-missing:] if missing > 0 else []:
            key = f"earned:{chain.started_on}:{day}"
            if key not in self.keys:
                kind, reason = ("token", "weekly") if self.enter(key, "earned", at) else ("theme", "capped")
                self.awards.append((chain.started_on, day, kind, reason, at))

    def tokens_earned_in(self, chain):
        """How many tokens were earned by chains that began on a day of this one."""
        starts = [key.split(":")[1] for key in self.keys if key.startswith("earned:")]
        return sum(str(chain.started_on) <= start <= str(chain.last_day) for start in starts)

    def spend(self, day, at):
        """Spends a token on a day; whether there was one."""
        if self.balance == 0 or f"spent:{day}" in self.keys:
            return False
        self.enter(f"spent:{day}", "spent", at)
        return True

    def give_back(self, day, chain, at):
        key = f"returned:{day}"
        if key not in self.keys and not self.enter(key, "returned", at):
            self.awards.append((chain.started_on, chain.length, "theme", "returned", at))

    def enter(self, key, reason, at):
        """Enters a token under a key that is new; whether it was not one too many."""
        is_capped = reason != "spent" and self.balance >= MOST_TOKENS
        amount = 0 if is_capped else -1 if reason == "spent" else 1
        self.keys.add(key)
        self.balance += amount
        self.entries.append((key, amount, "capped" if is_capped else reason, at))
        return not is_capped
