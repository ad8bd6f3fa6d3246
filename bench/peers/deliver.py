"""deliver_pushes for one learner: claims the push whose minute has come, hands it to the log, writes that it was sent.

The claim is committed before the push leaves, so that who dies in between leaves one that counts as sent. Left out is
to find those, which is one statement for all pushes and no learner's; waits between two tries and tokens that a
provider refuses, as the log takes every push or fails the task; and to ask the time once more after the commit.
"""

import os

from .aside import CAN_BE
from .clocks import DAY, instants, local_day, start_of_day, zone_named
from .decision import GAP, refusal
from .plan import is_quiet, quiet_hours, second_of_day
from .words import line_for

# Tells locks of learners from others.
LOCK_SPACE = 0x70757368


def deliver(connection, learner, at, log):
    """By the server's clock, whatever the moment the task was made for."""
    day = claimed_day(connection, learner)
    if day is None:
        return
    push = read(connection, learner, day)
    zone = zone_named(push.zone)
    reason = objection(push, zone)
    write_claim(connection, push, reason)
    connection.commit()
    if reason is None:
        log.write(line_for(push, expiry(push, zone)).encode())
        write_sent(connection, push)


def claimed_day(connection, learner):
    """That of the push that has been due longest; locked, as its learner is against anybody else who sends."""
    row = connection.execute(
        "SELECT local_day FROM learning.notifications WHERE user_id = %s AND state = 'planned' AND due_at <= now() "
        "AND (not_before IS NULL OR not_before <= now()) AND pg_try_advisory_xact_lock(%s, hashint8(user_id)) "
        "ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED", (learner, LOCK_SPACE)).fetchone()
    return row and row.local_day


def read(connection, learner, day):
    """The push, and what there is to know of its learner now: it sees what others have claimed before."""
    return connection.execute(
        "SELECT push.user_id, push.local_day, kind, window_to, template, variant, streak_days, pattern_code, name_ko, "
        "name_en, push.zone AS day_zone, users.zone, display_name, users.locale, status, push_opt_in, "
        "audience = 'child' AND NOT guardian_consent AS lacks_consent, coalesce(quiet_from, 1320) AS quiet_from, "
        "coalesce(quiet_to, 420) AS quiet_to, device.device_id, device.provider, device.token, now() AS now, "
        "(SELECT max(coalesce(other.sent_at, other.sending_at)) FROM learning.notifications AS other "
        "WHERE other.user_id = push.user_id AND other.local_day BETWEEN push.local_day - 3 AND push.local_day + 3 "
        "AND other.state IN ('sending', 'sent', 'opened', 'ignored', 'uncertain')) AS last_push, "
        "kind <> 'follow_up' AND EXISTS (SELECT FROM learning.sessions WHERE user_id = push.user_id AND completed "
        f"AND ended_at > now() - interval '4 days' AND local_day = push.local_day AND {CAN_BE} "
        "AND server_received_at <= now()) AS has_studied "
        "FROM learning.notifications AS push JOIN learning.users USING (user_id) "
        "LEFT JOIN learning.patterns ON code = pattern_code "
        "LEFT JOIN learning.devices AS device ON device.user_id = push.user_id AND invalidated_at IS NULL "
        "AND registered_at <= now() WHERE push.user_id = %s AND push.local_day = %s "
        "ORDER BY registered_at DESC, device.device_id DESC LIMIT 1", (learner, day)).fetchone()


def objection(push, zone):
    """The first reason not to send it now."""
    if push.now >= push.window_to:
        return "window_passed"
    if zone is None:
        return "unknown_zone"
    reason = refusal(push, push.device_id is not None)
    if reason:
        return reason
    # Who has flown west may have yesterday again, and who has flown east may have tomorrow already.
    if local_day(push.now, zone) != push.local_day:
        return "other_day"
    if push.has_studied:
        return "studied_meanwhile"
    if is_quiet(second_of_day(push.now, zone) // 60, quiet_hours(push)):
        return "quiet_hours"
    return "capped" if push.last_push and push.now - push.last_push < GAP else None


def write_claim(connection, push, reason):
    """Writes that it is being sent or, with a reason, that it will not be."""
    if reason is None:
        connection.execute(
            "UPDATE learning.notifications SET state = 'sending', reason = NULL, owner = %s, sending_at = %s, "
            "device_id = %s, provider = %s, locale = %s WHERE user_id = %s AND local_day = %s",
            (f"task {os.getpid()}", push.now, push.device_id, push.provider, push.locale, push.user_id,
             push.local_day))
    else:
        connection.execute(
            "UPDATE learning.notifications SET state = %s, reason = %s, ended_at = %s, locale = %s "
            "WHERE user_id = %s AND local_day = %s",
            ("expired" if reason == "window_passed" else "suppressed", reason, push.now, push.locale, push.user_id,
             push.local_day))


def expiry(push, zone):
    """The last instant at which a provider may deliver it: before quiet hours, and on its local day."""
    ends = [start_of_day(push.local_day + DAY, zone_named(push.day_zone) or zone)]
    begin, end = quiet_hours(push)
    if begin != end:
        today = local_day(push.now, zone)
        ends += [start for day in (today, today + DAY) for start in instants(day, 60 * begin, zone)
                 if start >= push.now]
    return max(min(ends), push.now)


def write_sent(connection, push):
    connection.execute(
        "UPDATE learning.notifications SET state = 'sent', owner = NULL, tries = tries + 1, not_before = NULL, "
        "sent_at = sending_at WHERE user_id = %s AND local_day = %s AND state = 'sending' AND sending_at = %s",
        (push.user_id, push.local_day, push.now))
    connection.execute(
        "INSERT INTO learning.notification_events (user_id, local_day, event, at, detail) "
        "VALUES (%s, %s, 'push_sent', %s, %s) ON CONFLICT DO NOTHING",
        (push.user_id, push.local_day, push.now, push.provider))
