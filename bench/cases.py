"""What is measured: each job in a situation that a day brings, and the plain SQL that is its floor."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

# A Monday, a quarter to nine in the evening of Seoul.
EVENING = "2026-03-02T11:45:00Z"
FIVE_MINUTES_LATER = "2026-03-02T11:50:00Z"
HALF_AN_HOUR_LATER = "2026-03-02T12:10:00Z"
AN_HOUR_LATER = "2026-03-02T12:45:00Z"
BEFORE_MIDNIGHT = "2026-03-02T17:45:00Z"
MIDNIGHT = "2026-03-02T18:00:00Z"
AFTER_MIDNIGHT = "2026-03-02T18:05:00Z"
NEXT_EVENING = "2026-03-03T11:45:00Z"
BEFORE_THE_NEXT_DAY = "2026-03-03T14:55:00Z"
NEXT_DAY_OF_SEOUL = "2026-03-03T15:00:00Z"

STREAKS = (["streaks", "streak_repairs", "brain_tokens", "widget_changes", "watermarks"],
           ["streak_events", "token_entries", "awards", "quarantine"])


@dataclass
class Case:
    """A job in a situation; `changed` and `grown` are the tables that it writes and that it adds to."""
    name: str
    title: str
    job: str
    at: str
    changed: list
    grown: list
    since: str = ""
    floor: str = ""
    most: float = 0
    least_peer: float = 0
    least_gain: float = 0
    peer: str = ""
    # In how many parts the same is measured besides, and how many processes share these: one has a worker for each.
    parts: int = 1
    processes: int = 1
    prepare: str = ""
    tidy: str = ""
    is_shown_dry: bool = True
    has_readers: bool = False
    # What takes minutes and has no floor is run once, and not undone: the world needs it anyway.
    stays: bool = False
    # Which share of the rows may differ from the floor's: the last digit of a mean, what a floor leaves out.
    differs: float = 0


@dataclass
class Stage:
    """Brings the world on: what learners do until then, the jobs that then run, and what is measured first."""
    until: str
    cases: list
    runs: list = field(default_factory=list)


# Pushes whose minute has come, for one learner in five: planned as the planner writes them. What the world's own
# evening has planned is months late by the clock that deliveries go by, and is put aside meanwhile.
DUE_PUSHES = """
BEGIN;
CREATE TABLE IF NOT EXISTS bench.late (LIKE learning.notifications);
WITH late AS (DELETE FROM learning.notifications WHERE state = 'planned' AND planned_at < '2026-03-10' RETURNING *)
INSERT INTO bench.late SELECT * FROM late;
DELETE FROM learning.notifications WHERE planned_at > '2026-03-10';
INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to, due_at,
  template, locale, planned_at)
SELECT user_id, today, 'planned', 'reminder', zone, minute, minute + interval '45 minutes', minute, 'basic',
  locale, now()
FROM learning.users
JOIN (SELECT name, (now() AT TIME ZONE name)::date AS today, (now() AT TIME ZONE name)::time AS time,
  date_trunc('minute', now()) AS minute FROM bench.zone) AS place ON place.name = users.zone
WHERE status = 'active' AND push_opt_in AND (audience <> 'child' OR guardian_consent) AND quiet_from IS NULL
  AND time BETWEEN '07:05' AND '20:45'
  AND EXISTS (SELECT FROM learning.devices WHERE devices.user_id = users.user_id AND invalidated_at IS NULL)
ORDER BY user_id LIMIT (SELECT count(*) / 5 FROM learning.users);
COMMIT;
ANALYZE learning.notifications;
"""
NO_DUE_PUSHES = """
BEGIN;
CREATE TABLE IF NOT EXISTS bench.late (LIKE learning.notifications);
DELETE FROM learning.notifications WHERE planned_at > '2026-03-10';
INSERT INTO learning.notifications SELECT * FROM bench.late;
DROP TABLE bench.late;
COMMIT;
"""

NO_SENT_PUSHES = """
DELETE FROM learning.notification_events WHERE local_day = '2026-02-16';
DELETE FROM learning.notifications WHERE local_day = '2026-02-16';
"""
# Pushes of a day that is over, for one learner in five, of which one in ten was tapped.
SENT_PUSHES = NO_SENT_PUSHES + """
INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to, due_at,
  template, locale, planned_at, sending_at, sent_at)
SELECT user_id, '2026-02-16', 'sent', 'reminder', zone, minute, minute + interval '45 minutes', minute, 'basic',
  locale, minute, minute, minute
FROM learning.users
JOIN (SELECT name, '2026-02-16 19:00'::timestamp AT TIME ZONE name AS minute FROM bench.zone) AS place
  ON place.name = users.zone
WHERE status = 'active' ORDER BY user_id LIMIT (SELECT count(*) / 5 FROM learning.users);
INSERT INTO learning.notification_events (user_id, local_day, event, at)
SELECT user_id, local_day, 'push_sent', sent_at FROM learning.notifications WHERE local_day = '2026-02-16'
UNION ALL SELECT user_id, local_day, 'push_opened', sent_at + interval '5 minutes'
  FROM learning.notifications WHERE local_day = '2026-02-16' AND user_id % 10 = 0;
ANALYZE learning.notifications, learning.notification_events;
"""

PUSH = (["push_agenda", "notifications", "watermarks"], ["quarantine"])
WIDGETS = (["widget_snapshots", "widget_changes", "watermarks"], ["quarantine"])
BOARDS = (["leaderboards", "leaderboard_entries", "leaderboard_marks", "watermarks"], ["quarantine"])

REVIEW_FULL = Case(
    "review-full", "recommend_review, everybody", "recommend_review", EVENING,
    ["watermarks"], ["pattern_conquest", "reviews", "review_learners", "quarantine"],
    floor="review-full", most=1.15, least_peer=50, peer="review", parts=2, least_gain=1.6)
STREAKS_FULL = Case(
    "streaks-full", "detect_streak_breaks, everybody for the first time", "detect_streak_breaks", EVENING, *STREAKS,
    stays=True)
REWARDS = Case(
    "rewards", "settle_rewards, two days' worth", "settle_rewards", EVENING,
    ["reward_pending", "balances", *STREAKS[0]], ["reward_entries", *STREAKS[1]],
    floor="rewards", most=1.25, least_peer=50, peer="reward", parts=2, processes=2,
    least_gain=1.5)
PUSH_PASS = Case(
    "push-pass", "schedule_daily_push, five minutes of the evening", "schedule_daily_push", FIVE_MINUTES_LATER,
    *PUSH, since=EVENING, floor="push", most=1.25, least_peer=50, peer="push", parts=2, differs=0.1)
DELIVER = Case(
    "deliver", "deliver_pushes, through the log", "deliver_pushes", "now", ["notifications"], ["notification_events"],
    prepare=DUE_PUSHES, tidy=NO_DUE_PUSHES, least_peer=20, peer="deliver", parts=2)
REVIEW_HOUR = Case(
    "review-hour", "recommend_review, the attempts of an hour", "recommend_review", AN_HOUR_LATER,
    ["pattern_conquest", "reviews", "review_learners", "watermarks"], ["quarantine"], since=EVENING,
    floor="review-hour", most=1.25, least_peer=50, peer="review", parts=2)
MIDNIGHT_OF_SEOUL = Case(
    "streaks-midnight", "detect_streak_breaks, Seoul's midnight", "detect_streak_breaks", MIDNIGHT,
    *STREAKS, since=BEFORE_MIDNIGHT, floor="streaks-midnight", most=1.25, least_peer=50, peer="streak",
    parts=2)
PUSH_DAY = Case(
    "push-day", "schedule_daily_push, a whole day for everyone", "schedule_daily_push", NEXT_EVENING,
    *PUSH, since=EVENING, floor="push", most=1.20, least_peer=50, peer="push", parts=2, differs=0.1)
WIDGETS_FULL = Case(
    "widgets-full", "refresh_widget_snapshots, everybody", "refresh_widget_snapshots", BEFORE_THE_NEXT_DAY, *WIDGETS,
    floor="widgets-full", most=2)
WIDGETS_SOME = Case(
    "widgets-some", "refresh_widget_snapshots, five minutes in which Seoul's day begins", "refresh_widget_snapshots",
    NEXT_DAY_OF_SEOUL, *WIDGETS, since=BEFORE_THE_NEXT_DAY, floor="widgets-some", most=2)
SWEEP = Case(
    "sweep", "sweep_push_outcomes, a day's pushes", "sweep_push_outcomes", NEXT_DAY_OF_SEOUL,
    ["notifications", "devices", "watermarks"], ["notification_events"], prepare=SENT_PUSHES, tidy=NO_SENT_PUSHES,
    floor="sweep", most=2)


STAGES = [
    Stage(EVENING, [REVIEW_FULL], ["recommend_review"]),
    Stage(EVENING, [
        Case("board-full", "refresh_leaderboard, everybody", "refresh_leaderboard", EVENING, *BOARDS,
             floor="board-full", most=1.20, differs=0.001)], ["refresh_leaderboard"]),
    Stage(EVENING, [STREAKS_FULL], ["detect_streak_breaks"]),
    Stage(EVENING, [REWARDS], ["settle_rewards", "schedule_daily_push"]),
    Stage(FIVE_MINUTES_LATER, [PUSH_PASS, DELIVER]),
    Stage(HALF_AN_HOUR_LATER, [
        Case("board-some", "refresh_leaderboard, the sessions of 25 minutes", "refresh_leaderboard",
             HALF_AN_HOUR_LATER, *BOARDS, since=EVENING, floor="board-some", most=1.25,
             differs=0.001, has_readers=True)]),
    Stage(AN_HOUR_LATER, [REVIEW_HOUR], ["recommend_review"]),
    Stage(BEFORE_MIDNIGHT, [], ["detect_streak_breaks"]),
    Stage(BEFORE_MIDNIGHT, [MIDNIGHT_OF_SEOUL]),
    Stage(BEFORE_MIDNIGHT, [], ["detect_streak_breaks at " + MIDNIGHT]),
    Stage(BEFORE_MIDNIGHT, [
        Case("streaks-nothing", "detect_streak_breaks, no midnight and no news", "detect_streak_breaks",
             AFTER_MIDNIGHT, *STREAKS, since=MIDNIGHT)]),
    Stage(NEXT_EVENING, [PUSH_DAY]),
    Stage(BEFORE_THE_NEXT_DAY, [WIDGETS_FULL], ["refresh_widget_snapshots"]),
    Stage(NEXT_DAY_OF_SEOUL, [WIDGETS_SOME, SWEEP]),
]

CASES = [case for stage in STAGES for case in stage.cases]


def as_many_due(learners, least):
    """Six minutes of the evening for the `least` learners; as much less of it as there are more learners.

    Pushes are due at whole minutes: of three times as many learners two minutes have as many.
    """
    if 6 * least % learners:
        raise SystemExit(f"bench: of {learners} learners no whole minutes have as many pushes due as six of {least}: "
                         "--growth takes a number and two, three or six times that")
    at = f"{datetime.fromisoformat(EVENING) + timedelta(minutes=6 * least // learners):%Y-%m-%dT%H:%M:%SZ}"
    pass_of_few = Case("push-same", "schedule_daily_push, as many due", "schedule_daily_push", at, *PUSH, since=EVENING,
                       is_shown_dry=False)
    return [Stage(EVENING, [], ["schedule_daily_push"]), Stage(at, [pass_of_few])]
