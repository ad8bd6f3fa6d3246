"""The end of a service that works."""

import time

from service import drop_in, entries, run, said, show, sql, wait

# Each chunk takes longer than the watchdog waits, and than systemd waits for the end unless it is asked to.
SLOW = """
CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(6); RETURN NEW; END';
CREATE TRIGGER slow BEFORE INSERT ON rehearsal FOR EACH ROW WHEN (NEW.chunk = 2) EXECUTE FUNCTION slow()
"""
OPEN = "FROM jobkit.part WHERE job = 'rehearse' AND state IN ('due', 'running')"


def hands_over():
    """a drain takes the time that a chunk takes; the run is handed over and has not failed"""
    run("systemctl", "stop", "worker")
    sql("CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint)")
    sql("GRANT ALL ON rehearsal TO worker")
    sql(SLOW)
    run("install", "-m", "755", "worker-debug", "/usr/bin/worker-debug")
    drop_in("debug", "ExecStart=\nExecStart=/usr/bin/worker-debug daemon --drain 25s\n"
            "Environment=WORKER_REHEARSAL=rehearse")
    run("systemctl", "start", "worker")
    wait("two parts in their second chunk", lambda: sql(f"SELECT count(*) {OPEN} AND done = 1") == "2")
    began, process = time.monotonic(), show("MainPID")
    run("systemctl", "stop", "worker")
    assert time.monotonic() - began > 4, "the chunk was not waited for"
    assert (show("Result"), show("ExecMainStatus")) == ("success", "0")
    # The last words, too, are known to be the service's.
    said("ended", f"_PID={process}")
    entry = said("released after its last chunk", "WORKER_JOB=rehearse")
    assert entry["WORKER_COUNTED"] == "chunks:2"
    assert not any("Watchdog" in line["MESSAGE"] for line in entries("_PID=1", f"_BOOT_ID={entry['_BOOT_ID']}")[-5:])
    # Nothing has failed, nor lost its worker.
    parts = sql(f"SELECT state, cursor, failures, worker_losses {OPEN}")
    assert parts == "due|2|0|0\ndue|2|0|0", parts


def goes_on():
    """the next daemon goes on at the cursor, and each chunk has happened once"""
    number = sql(f"SELECT DISTINCT run {OPEN}")
    sql("DROP TRIGGER slow ON rehearsal")
    run("systemctl", "start", "worker")
    wait("the end of the run", lambda: sql(f"SELECT state FROM jobkit.run WHERE id = {number}") == "succeeded")
    assert sql("SELECT count(*), count(DISTINCT (part, chunk)) FROM rehearsal JOIN jobkit.run ON moment = "
               f"scheduled_for WHERE id = {number}") == "10|10"
    assert sql("SELECT count(*) FROM jobkit.run WHERE state = 'failed'") == "0"
    run("systemctl", "stop", "worker")
    run("rm", "/etc/systemd/system/worker.service.d/debug.conf")
    run("systemctl", "daemon-reload")


STEPS = [hands_over, goes_on]
