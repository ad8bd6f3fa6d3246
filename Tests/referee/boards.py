"""Leaderboards: a direct sort of what was scored, ties included."""

from collections import defaultdict
from datetime import date, timedelta

EPOCH = date(1970, 1, 1)


def week_of(day):
    year, week, _ = (EPOCH + timedelta(days=day)).isocalendar()
    return year, week


class Boards:
    def __init__(self, facts, verdict):
        self.facts, self.verdict = facts, verdict
        self.now = facts.ran["refresh_leaderboard"]

    def judge(self):
        written = defaultdict(list)
        current = {
            (b.board, b.category) for b in self.facts.database.rows(
                "board category", "learning.leaderboards WHERE is_current")}
        for entry in self.facts.database.rows(
                "board category rank% user_id% display_name score% accuracy#",
                # In stretches, so that places are counted from every mark.
                "(SELECT board, category, entry.* FROM learning.leaderboards,"
                " generate_series(1, entries + 1, 100) AS first,"
                " learning.leaderboard_places(board, category, first, first + 99) AS entry"
                " WHERE is_current ORDER BY place) AS e"):
            written[entry.board, entry.category].append(entry)
        ruled = self.ruled()
        count = sum(map(len, ruled.values()))
        self.verdict.check("rows of a leaderboard that a direct sort does not give", count, (
            wrong for board in sorted(ruled.keys() | current)
            for wrong in self.differences(board, written.get(board, []), ruled.get(board, []))))

    def ruled(self):
        scored = defaultdict(lambda: defaultdict(list))
        this_week = week_of(self.now // 86_400)
        for learner in self.facts.sessions:
            state = self.facts.state(learner, self.now)
            if state is None or state.status != "active":
                continue
            for study in self.facts.studies(learner, self.now):
                for category in ("overall", study.category):
                    scored["all_time", category][learner].append(study)
                    if week_of(study.day) == this_week:
                        scored["weekly", category][learner].append(study)
        return {board: self.ranked(learners) for board, learners in scored.items()}

    def ranked(self, learners):
        rows = []
        for learner, studies in learners.items():
            score = sum(s.score for s in studies)
            if score > 0:
                accuracy = sum(s.accuracy for s in studies) / len(studies)
                reached = max(s.ended_at for s in studies if s.score > 0)
                rows.append((-score, -round(accuracy, 6), reached, learner, accuracy))
        rows.sort()
        ranked, rank = [], 0
        for place, (score, _, _, learner, accuracy) in enumerate(rows, 1):
            if place == 1 or score != rows[place - 2][0]:
                rank = place
            ranked.append((rank, learner, -score, accuracy))
        return ranked

    def differences(self, board, written, ruled):
        if len(written) != len(ruled):
            yield f"{board}: {len(written)} rows, by the rules {len(ruled)}"
            return
        for row, (rank, learner, score, accuracy) in zip(written, ruled):
            if (row.rank, row.user_id, row.score) != (rank, learner, score) or abs(row.accuracy - accuracy) > 1e-6:
                yield (f"{board}: rank {row.rank} learner {row.user_id} score {row.score}"
                       f" accuracy {row.accuracy}, by the rules {rank} {learner} {score} {accuracy}")
