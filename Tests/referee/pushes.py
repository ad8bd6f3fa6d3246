"""The daily push: quiet hours, windows, one a day, eight hours apart, and a true reason for each that is missing."""

from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import takewhile

from places import DAY, text_of, text_of_day
from windows import cut, is_quiet, uncut

HANDED_OVER = {"sent", "opened", "ignored", "uncertain"}
EIGHT_HOURS = 8 * 3600
# A window's edge may be moved to a whole minute.
EDGE = 60


def named(push):
    sent = f", sent {text_of(push.sent_at)}" if push.sent_at else ""
    return f"learner {push.user_id}, {push.local_day}: {push.kind} {push.state} {push.reason or ''}{sent}"


class Pushes:
    def __init__(self, facts, verdict):
        self.facts, self.verdict = facts, verdict
        self.all = [push for pushes in facts.pushes.values() for push in pushes]
        self.runs, self.ends = facts.runs_of("deliver_pushes"), facts.ends_of("deliver_pushes")
        self.lost_workers = facts.lost_workers()
        self.sent = [push for push in self.all if push.sent_at or push.sending_at]

    def judge(self):
        count = len(self.sent)
        check = self.verdict.check
        check("pushes sent in quiet hours", count, self.in_quiet_hours())
        check("pushes sent outside their window", count, self.outside_window())
        check("pushes to whom none may go", count, self.unwanted())
        check("pushes on another local day than theirs", count, self.on_another_day())
        check("second pushes on a local day", count, self.second_ones())
        check("pushes within eight hours of another", count, self.too_close())
        check("pushes sent although a study has overtaken them", count, self.overtaken())
        check("windows that the rules do not give", len(self.all), self.wrong_windows())
        check("reasons that are not true", *self.untrue_reasons())
        check("pushes left undecided or unsent", len(self.all), self.left_over())
        check("pushes that stayed expired beside a study to follow up", *self.not_followed_up())
        check("learner-days without a push and without a reason", *self.unexplained())
        check("learners in the holdout on some days only", *self.holdout())

    def moments(self, push):
        return [moment for moment in (push.sending_at, push.sent_at) if moment]

    def where(self, push, second):
        state = self.facts.state(push.user_id, second)
        return state, self.facts.places[state.zone]

    def in_quiet_hours(self):
        for push in self.sent:
            for moment in self.moments(push):
                state, place = self.where(push, moment)
                if place is None or is_quiet(state, place.minute(moment)):
                    yield named(push)

    def outside_window(self):
        for push in self.sent:
            if any(not push.window_from <= m < push.window_to for m in self.moments(push)):
                yield f"{named(push)} not in {text_of(push.window_from)} to {text_of(push.window_to)}"

    def unwanted(self):
        for push in self.sent:
            for moment in self.moments(push):
                state = self.facts.state(push.user_id, moment)
                is_alone = state.audience == "child" and not state.guardian_consent
                if (state.status != "active" or is_alone or not state.push_opt_in
                        or not self.facts.has_device(push.user_id, moment)):
                    yield named(push)

    def on_another_day(self):
        for push in self.sent:
            _, place = self.where(push, push.sent_at or push.sending_at)
            day = place and place.day(push.sent_at or push.sending_at)
            if day != push.day:
                yield f"{named(push)}, which was {text_of_day(day)} in {place and push.zone}"

    def second_ones(self):
        seen = Counter()
        for push in self.sent:
            _, place = self.where(push, push.sent_at or push.sending_at)
            key = (push.user_id, place and place.day(push.sent_at or push.sending_at))
            seen[key] += 1
            if seen[key] == 2:
                yield named(push)

    def too_close(self):
        for learner, pushes in self.facts.pushes.items():
            moments = sorted(push.sent_at or push.sending_at for push in pushes if push.sent_at or push.sending_at)
            for one, other in zip(moments, moments[1:]):
                if other - one < EIGHT_HOURS:
                    yield f"learner {learner}: {text_of(one)} and {text_of(other)}"

    def overtaken(self):
        for push in self.sent:
            if self.is_overtaken(push, push.sent_at or push.sending_at):
                yield named(push)

    def is_overtaken(self, push, second):
        """Whether a study of its day was known that it does not follow."""
        return any(
            study.day == push.day and (push.kind != "follow_up" or study.ended_at > push.evidence_at)
            for study in self.facts.studies(push.user_id, second))

    def ruled(self, push, second):
        """What the rules give for a push's day as of a second: kind, begin, end, reason."""
        state, place = self.where(push, second)
        if place is None:
            return None
        studies = self.facts.studies(push.user_id, second)
        if second >= place.start_of(push.day + 1):
            studies = [study for study in studies if study.day <= push.day]
        window = uncut(state, place, push.day, studies)
        return window.kind, *cut(state, place, push.day, window)

    def wrong_windows(self):
        for push in self.all:
            if push.window_from is None:
                continue
            ruled = self.ruled(push, push.planned_at)
            if ruled is None:
                yield f"{named(push)}: there can be none, as of {text_of(push.planned_at)}"
                continue
            kind, begin, end, reason = ruled
            if reason is not None:
                yield f"{named(push)}: there is none, but {reason}, as of {text_of(push.planned_at)}"
            elif (kind != push.kind or abs(begin - push.window_from) >= EDGE
                    or abs(end - push.window_to) >= EDGE):
                yield (f"{named(push)}: {text_of(push.window_from)} to {text_of(push.window_to)}, by the"
                       f" rules {kind} {text_of(begin)} to {text_of(end)}, as of {text_of(push.planned_at)}")

    def untrue_reasons(self):
        given = [push for push in self.all if push.reason]
        return len(given), (
            f"{named(push)}, {self.story_of(push)}" for push in given if not self.is_true(push))

    @staticmethod
    def story_of(push):
        moments = ", ".join(f"{name} {text_of(second)}" for name, second in (
            ("planned", push.planned_at), ("from", push.window_from), ("due", push.due_at),
            ("to", push.window_to), ("ended", push.ended_at)) if second)
        return f"{moments}, tries {push.tries}: {push.answer or 'no answer'}"

    def is_true(self, push):
        """Whether the reason held when it was decided, or when the push was about to be sent."""
        return any(self.holds(push, second) for second in {
            second for second in (push.planned_at, push.ended_at, push.due_at) if second})

    def holds(self, push, second):
        facts, learner = self.facts, push.user_id
        state = facts.state(learner, second)
        if state is None:
            return False
        place = facts.places[state.zone]
        if place is None or push.reason == "unknown_zone":
            return place is None and push.reason == "unknown_zone"
        match push.reason:
            case "inactive":
                return state.status != "active"
            case "no_consent":
                return state.audience == "child" and not state.guardian_consent
            case "opted_out":
                return not state.push_opt_in
            case "no_device":
                return not facts.has_device(learner, second)
            case "holdout":
                return True  # by a hash that is nobody's business; see holdout()
            case "capped":
                return self.is_capped(push)
            case "studied_meanwhile":
                return self.is_overtaken(push, second)
            case "quiet_hours" | "day_over":
                ruled = self.ruled(push, second)
                is_night = place is not None and is_quiet(state, place.minute(second))
                return bool(ruled and ruled[3] == push.reason) or (
                    push.reason == "quiet_hours" and is_night)
            case "window_passed":
                return self.has_passed(push)
            case "other_day":
                return place.day(second) != push.day
            case "worker_lost":
                return push.state in ("uncertain", "ignored") and self.lost_workers > 0
        return False

    def has_passed(self, push):
        """Whether the window was over when it was decided, or each run that handed pushes over in it tried in vain.

        A provider that keeps a run waiting for seconds of the host's clock, on a machine that stands still, is tried
        again by the run after it.
        """
        if push.window_to is None or push.due_at is None:
            _, place = self.where(push, push.planned_at)
            ruled = self.ruled(push, push.planned_at)
            if ruled[3] == push.reason:
                return True
            ends = place.start_of(push.day + 1) if ruled[2] is None else ruled[2]
            return min(ends, push.window_to or ends) <= push.planned_at
        if push.window_to <= push.planned_at:
            return True
        # The run of the same instant may have looked before there was anything to send.
        run = bisect_left(self.runs, max(push.due_at, push.planned_at + 1))
        # A run whose worker died may have come to this push when its window was over.
        in_window = takewhile(lambda moment: moment < push.window_to, self.runs[run:])
        return sum(self.ends[moment] < push.window_to for moment in in_window) <= push.tries

    def is_capped(self, push):
        latest = push.window_to or (push.due_at or push.planned_at)
        earliest = push.due_at or push.window_from or push.planned_at
        return any(
            earliest - EIGHT_HOURS < (other.sent_at or other.sending_at) <= latest
            for other in self.facts.pushes[push.user_id]
            if other is not push and (other.sent_at or other.sending_at))

    def left_over(self):
        end = self.facts.ran.get("deliver_pushes", self.facts.end)
        for push in self.all:
            if push.state == "sending" or push.state == "planned" and push.window_to <= end:
                yield named(push)

    def not_followed_up(self):
        """Days on which nobody was notified, although a run has known a study of the day whose window was not over.

        Asked of learners who were sent something some day: they are not in the holdout.
        """
        runs = self.facts.runs_of("schedule_daily_push")
        wanted = {push.user_id for push in self.sent}
        expired = [push for push in self.all if push.state == "expired" and push.user_id in wanted]
        return len(expired), (
            named(push) for push in expired
            if any(self.was_due(push, run) for run in takewhile(
                lambda run: run < push.planned_at + DAY, runs[bisect_left(runs, push.planned_at + 1):])))

    def was_due(self, push, second):
        """Whether a follow-up of the push's day was to be planned by a run, in a window that ends later than its own."""
        state, place = self.where(push, second)
        if place is None or place.day(second) != push.day:
            return False
        kind, begin, end, reason = self.ruled(push, second)
        if kind != "follow_up" or reason or end - EDGE < max(second, push.window_to or second):
            return False
        is_alone = state.audience == "child" and not state.guardian_consent
        is_wanted = state.status == "active" and not is_alone and state.push_opt_in
        return is_wanted and self.facts.has_device(push.user_id, second) and not any(
            begin - EIGHT_HOURS < (other.sent_at or other.sending_at) <= end
            for other in self.facts.pushes[push.user_id] if other.sent_at or other.sending_at)

    def unexplained(self):
        """The days of each learner for which there is no row although there was a learner with a clock."""
        facts, missing, count = self.facts, [], 0
        last = facts.ran.get("schedule_daily_push", facts.end)
        for learner, states in facts.states.items():
            rows = {push.day for push in facts.pushes.get(learner, [])}
            final = facts.places[states[-1].zone]
            if final is None:
                continue
            for day in range(final.day(facts.begin) + 1, final.day(last)):
                count += 1
                if day not in rows and not self.is_away(states, final, day):
                    missing.append(f"learner {learner}, {text_of_day(day)}")
        return count, missing

    def is_away(self, states, place, day):
        """Whether the day cannot be asked for: the learner had no account yet, or changed zones around it."""
        begin, end = place.start_of(day), place.start_of(day + 1)
        if states[0].created_at > begin - DAY:
            return True
        zones = {s.zone for s in states if begin - DAY < s.changed_at < end + DAY}
        before = [s for s in states if s.changed_at <= begin - DAY]
        return len(zones | {before[-1].zone}) > 1 or before[-1].zone != states[-1].zone

    def holdout(self):
        days = defaultdict(Counter)
        for push in self.all:
            days[push.user_id]["in" if push.reason == "holdout" else "out"] += bool(
                push.reason == "holdout" or push.sent_at)
        mixed = (f"learner {learner}: {seen['in']} days in it, {seen['out']} pushes"
                 for learner, seen in days.items() if seen["in"] and seen["out"])
        return len(days), mixed
