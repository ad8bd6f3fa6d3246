"""Holds the rows that a floor leaves against those that the job leaves."""

# What is compared of each table, by case; rounded where sums are added up in another order. What a floor
# does not do (which its first lines say) is not among the columns.
COLUMNS = {
    "board": {"leaderboard_entries": "user_id, period, category, since, until, score, accuracy, reached_at",
              "leaderboard_marks": "board, category, version, place, rank, user_id",
              "leaderboards": "board, category, version, period, is_current, entries"},
    "review": {"pattern_conquest": "user_id, pattern_id, round(ewma::numeric, 9), round(conquest::numeric, 9), "
                                   "round(week_before::numeric, 9), trend, attempts, measured_at",
               "reviews": "user_id, local_day, rank, pattern_id, difficulty, sentences, locked, state"},
    "rewards": {"reward_entries": "user_id, idempotency_key, queue_id, kind, score, xp, at",
                "balances": "user_id, score, xp",
                "reward_pending": "user_id, queue_id, state, reason, settled_at"},
    "streaks": {"streaks": "user_id, state, length, longest, started_on, last_day, missed_day, repairable_until, "
                           "check_at, changed_at",
                "streak_events": "user_id, number, event, day, cause, length_before, length_after, at",
                "streak_repairs": "user_id, day, state, offered_at, accepted_at, ended_at",
                "token_entries": "user_id, entry, amount, reason, at", "brain_tokens": "user_id, balance"},
    "push": {"notifications": "user_id, local_day, kind, template, window_from", "push_agenda": "user_id"},
}


class Same:
    """The rows of a case as the job has left them, to be compared with what the floor leaves."""

    def __init__(self, server, case):
        self.server = server
        self.columns = COLUMNS[case.floor.split("-")[0]]

    def keep(self):
        for table, columns in self.columns.items():
            self.server.ask(f"CREATE TABLE kept.job_{table} AS SELECT ROW ({columns})::text FROM learning.{table}")

    def differences(self):
        """How many rows of each table only one of the two has, and how many there are, as far as any differ."""
        found = {}
        for table, columns in self.columns.items():
            job, floor = f"TABLE kept.job_{table}", f"SELECT ROW ({columns})::text FROM learning.{table}"
            count = self.server.rows(
                f"SELECT (SELECT count(*) FROM (({job}) EXCEPT ({floor})) AS a) AS missing, "
                f"(SELECT count(*) FROM (({floor}) EXCEPT ({job})) AS b) AS more, "
                f"(SELECT count(*) FROM kept.job_{table}) AS rows")[0]
            if count["missing"] or count["more"]:
                found[table] = count
        return found
