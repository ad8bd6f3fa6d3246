"""recommend_review for one learner: measures each pattern, and recommends the weakest for the day.

Left out are the boxes of Leitner, which the settings choose for no content type. It measures all that the learner
has tried, as who has no list of what is new would; of an hour the job and its floor measure only what is.
"""

import datetime
import itertools
import math
from collections import namedtuple

from .aside import put_aside
from .clocks import local_day, zone_named

JOB = "recommend_review"
Measure = namedtuple("Measure", "pattern_id ewma hint_rate first_try_rate conquest week_before trend attempts "
                     "measured_at")
WEEK = datetime.timedelta(hours=168)
# How far ahead a phone's clock may be.
MOST_AHEAD = datetime.timedelta(minutes=10)


def review(connection, learner, at):
    person = connection.execute("SELECT zone, plan FROM learning.users WHERE user_id = %s", (learner,)).fetchone()
    possible, wrong = attempts(connection, learner, at)
    measures = [measured(pattern, list(answers))
                for pattern, answers in itertools.groupby(possible, key=lambda answer: answer.pattern_id)]
    has_news = save(connection, learner, measures)
    aside = [("attempts", str(answer.attempt_id), "answered_after_it_was_received") for answer in wrong]
    zone = zone_named(person.zone)
    if zone is None:
        aside.append(("users", "", "unknown_zone"))
    else:
        recommend(connection, learner, at, local_day(at, zone), person.plan == "free", measures, has_news)
    put_aside(connection, learner, aside, at, JOB)


def attempts(connection, learner, at):
    """Those that can be, by patterns and oldest first, and those that cannot."""
    rows = connection.execute(
        "SELECT pattern_id, correct, hint_used, first_try, answered_at, received_at, attempt_id "
        "FROM learning.attempts WHERE user_id = %s AND received_at <= %s "
        "ORDER BY pattern_id, answered_at, attempt_id", (learner, at)).fetchall()
    return ([row for row in rows if row.answered_at <= row.received_at + MOST_AHEAD],
            [row for row in rows if row.answered_at > row.received_at + MOST_AHEAD])


def measured(pattern, answers):
    latest = answers[-50:]
    ewma, hints, firsts, conquest = measure(latest)
    week_before = answers[-1].answered_at - WEEK
    earlier = [answer for answer in answers if answer.answered_at <= week_before][-50:]
    before = measure(earlier)[3] if earlier else None
    return Measure(pattern, ewma, hints, firsts, conquest, before, trend(before, conquest), len(latest),
                   max(answer.received_at for answer in latest))


def measure(answers):
    """How well the answers of some attempts were, oldest first: average, hints, first tries, conquest."""
    average = float(answers[0].correct)
    for answer in answers[1:]:
        average = 0.1 * answer.correct + 0.9 * average
    hints = sum(answer.hint_used for answer in answers) / len(answers)
    firsts = sum(answer.first_try for answer in answers) / len(answers)
    return average, hints, firsts, average * math.sqrt(1 - hints) * math.sqrt(firsts)


def trend(before, now):
    change = 0 if before is None else now - before
    return "rising" if change >= 0.05 else "falling" if change <= -0.05 else "steady"


def save(connection, learner, measures):
    """Writes the measures that are others than before; whether there are any."""
    known = {row.pattern_id: row for row in connection.execute(
        "SELECT pattern_id, ewma, hint_rate, first_try_rate, conquest, week_before, trend, attempts, measured_at "
        "FROM learning.pattern_conquest WHERE user_id = %s", (learner,))}
    news = [measure for measure in measures if known.get(measure.pattern_id) != measure]
    if news:
        connection.cursor().executemany(
            "INSERT INTO learning.pattern_conquest (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, "
            "week_before, trend, attempts, measured_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) "
            "ON CONFLICT (user_id, pattern_id) DO UPDATE SET ewma = excluded.ewma, hint_rate = excluded.hint_rate, "
            "first_try_rate = excluded.first_try_rate, conquest = excluded.conquest, "
            "week_before = excluded.week_before, trend = excluded.trend, attempts = excluded.attempts, "
            "measured_at = excluded.measured_at", [(learner, *measure) for measure in news])
    return bool(news)


def recommend(connection, learner, at, today, is_free, measures, has_news):
    """Makes the reviews of the day those that are chosen; of whom nothing is new only those that there are."""
    there = connection.execute(
        "SELECT rank, pattern_id, difficulty, sentences, locked, conquest, state FROM learning.reviews "
        "WHERE user_id = %s AND local_day = %s FOR UPDATE", (learner, today)).fetchall()
    done = {row.pattern_id: row.rank for row in there if row.state == "done"}
    open_ones = [row[:-1] for row in there if row.state == "open"]
    if not has_news and not open_ones:
        return
    chosen = chosen_among(measures, done, is_free)
    cursor = connection.cursor()
    withdrawn = [(learner, today, row[0]) for row in open_ones if row not in chosen]
    # Before others take their ranks.
    if withdrawn:
        cursor.executemany("DELETE FROM learning.reviews WHERE user_id = %s AND local_day = %s AND rank = %s",
                           withdrawn)
    new = [(learner, today, *row, at) for row in chosen if row not in open_ones]
    if new:
        cursor.executemany(
            "INSERT INTO learning.reviews (user_id, local_day, rank, pattern_id, difficulty, sentences, locked, "
            "conquest, at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", new)


def chosen_among(measures, done, is_free):
    """The weakest patterns, for the ranks of the day that are not done yet."""
    ranks = [rank for rank in (1, 2, 3) if rank not in done.values()]
    known = sorted((measure.conquest, measure.pattern_id) for measure in measures
                   if measure.attempts >= 5 and measure.pattern_id not in done)
    return [(rank, pattern, difficulty(conquest), 8 - min(int(conquest * 4), 3), is_free and rank > 1, conquest)
            for rank, (conquest, pattern) in zip(ranks, known)]


def difficulty(conquest):
    return "advanced" if conquest >= 0.75 else "basic" if conquest < 0.5 else "standard"
