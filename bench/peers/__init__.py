"""The jobs as an ordinary worker would do them: a task for each learner, in Python.

Each task reads what it needs of its learner, decides, and writes in a transaction of its own, whose commit waits for
the disk as commits do. What a task leaves is what its job leaves, which `script/bench --check` holds against each
other; the little that one leaves out its first lines say. No task keeps a watermark: who makes a task for a learner
knows of whom there is news.
"""

from .deliver import deliver
from .push import push
from .review import review
from .reward import reward
from .streak import streak

TASKS = {"review": review, "push": push, "streak": streak, "reward": reward, "deliver": deliver}

# Whom a task would be made for: those at whom the job looks.
LEARNERS = {
    "review": "SELECT user_id FROM learning.users WHERE '{since}' = '' "
              "OR changed_at > nullif('{since}', '')::timestamptz "
              "UNION SELECT user_id FROM learning.attempts WHERE received_at > nullif('{since}', '')::timestamptz "
              "AND received_at <= '{at}'",
    "push": "SELECT user_id FROM learning.push_agenda WHERE look_at <= '{at}'::timestamptz + interval '5 minutes' "
            "UNION SELECT user_id FROM learning.users WHERE changed_at > '{since}' AND changed_at <= '{at}' "
            "UNION SELECT user_id FROM learning.devices WHERE registered_at > '{since}' AND registered_at <= '{at}' "
            "UNION SELECT user_id FROM learning.sessions WHERE completed AND server_received_at > '{since}' "
            "AND server_received_at <= '{at}'",
    "streak": "SELECT user_id FROM learning.streaks WHERE check_at <= '{at}' "
              "UNION SELECT user_id FROM learning.sessions WHERE completed AND server_received_at > '{since}' "
              "AND server_received_at <= '{at}' "
              "UNION SELECT user_id FROM learning.streak_repairs WHERE state = 'accepted' AND accepted_at <= '{at}' "
              "UNION SELECT user_id FROM learning.users WHERE changed_at > '{since}' AND changed_at <= '{at}'",
    "reward": "SELECT DISTINCT user_id FROM learning.reward_pending WHERE state = 'pending'",
    "deliver": "SELECT user_id FROM learning.notifications WHERE state = 'planned' AND due_at <= now()",
}
