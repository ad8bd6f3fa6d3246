"""Holds the rows that a floor or a peer leaves against those that the job leaves."""

# What is compared with a floor of each table, by case; rounded where sums are added up in another order. What a floor
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
    "widgets": {"widget_snapshots": "user_id, local_day, sentences_remaining, streak, tokens, updated_at",
                "widget_changes": "user_id"},
    "sweep": {"notifications": "user_id, local_day, state, reason, ended_at",
              "notification_events": "user_id, local_day, event, at", "devices": "user_id, device_id"},
    "push": {"notifications": "user_id, local_day, kind, template, window_from", "push_agenda": "user_id"},
}


# What is compared with a peer is all that its case writes, but for these columns: who delivers, at which moment, and in
# which transaction, is another each time.
NOT_OF_PEERS = {
    "review": {"review_learners": {"written_in"}}, "push": {}, "streak": {}, "reward": {},
    "deliver": {"notifications": {"epoch", "sending_at", "sent_at", "ended_at"},
                "notification_events": {"at", "written_in"}},
}


class Same:
    """The rows of a case as the job has left them, to be compared with what another side leaves."""

    def __init__(self, server, other, queries):
        self.server, self.other, self.queries = server, other, queries

    @classmethod
    def as_floor(cls, server, case, other="floor"):
        return cls(server, other, {table: f"SELECT ROW ({columns})::text AS line FROM learning.{table}"
                                   for table, columns in COLUMNS[case.floor.split("-")[0]].items()})

    @classmethod
    def as_peer(cls, server, case, learners, columns_of):
        """Of the learners for whom there are tasks; how far a job has read is no task's to keep."""
        whose = "user_id = ANY ('{" + ",".join(map(str, learners)) + "}')"
        left_out = NOT_OF_PEERS[case.peer]
        columns = {table: ", ".join(column for column in columns_of(table) if column not in left_out.get(table, ()))
                   for table in case.changed + case.grown if table != "watermarks"}
        return cls(server, "peer", {table: f"SELECT ROW ({names})::text AS line FROM learning.{table} WHERE {whose}"
                                    for table, names in columns.items()})

    def keep(self):
        for table, query in self.queries.items():
            kept = f"kept.{self.other}_{table}"
            self.server.ask(f"DROP TABLE IF EXISTS {kept}; CREATE TABLE {kept} AS {query}")

    def differences(self):
        """How many rows of each table only one of the two has, and how many there are, as far as any differ."""
        found = {}
        for table, query in self.queries.items():
            job = f"TABLE kept.{self.other}_{table}"
            count = self.server.rows(
                f"SELECT (SELECT count(*) FROM (({job}) EXCEPT ({query})) AS a) AS missing, "
                f"(SELECT count(*) FROM (({query}) EXCEPT ({job})) AS b) AS more, "
                f"(SELECT count(*) FROM kept.{self.other}_{table}) AS rows")[0]
            if count["missing"] or count["more"]:
                found[table] = count
        return found
