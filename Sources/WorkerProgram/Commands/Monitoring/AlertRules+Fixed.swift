/// The alerts that are the same whatever the settings say.
extension AlertRules {
  static let ofDaemon = [
    Alert(
      name: "WorkerAbsent", condition: "absent(worker_build_info)", lasting: "2m", severity: .page,
      summary: "no worker daemon is scraped",
      advice: "systemctl status worker; no tick is lost, but none runs until a daemon is back."),
    Alert(
      name: "WorkerStands",
      condition:
        "time() - worker_last_pass_timestamp_seconds > 120"
        + " unless on (instance) worker_draining == 1",
      lasting: "1m", severity: .page,
      summary: "{{ $labels.instance }} has not completed a decision pass for two minutes",
      advice: "worker health says whether the database is away; otherwise restart the daemon."),
    Alert(
      name: "WorkerDatabaseAway", condition: "worker_database_connected == 0", lasting: "2m",
      severity: .page, summary: "{{ $labels.instance }} does not reach its database",
      advice: "journalctl -u worker says why; what is due waits, and is caught up as each job"
        + " wants it."),
    Alert(
      name: "WorkerConnectionsFail",
      condition: "sum by (instance) (increase(worker_connection_failures_total[15m])) > 20",
      lasting: "5m", severity: .ticket,
      summary: "{{ $labels.instance }} loses its database connections again and again",
      advice: "Look for a pooler, a firewall or a failover that cuts them; the log names each"
        + " error."),
    Alert(
      name: "WorkerTicksLate",
      condition:
        "histogram_quantile(0.99, sum by (instance, le)"
        + " (rate(worker_tick_lateness_seconds_bucket[15m]))) > 1",
      lasting: "15m", severity: .ticket,
      summary: "{{ $labels.instance }} decides ticks more than a second late",
      advice: "Look at the load of the host and at locks in the database;"
        + " worker_pass_duration_seconds tells them apart."),
    Alert(
      name: "WorkerPartsLost",
      condition: "sum by (job) (increase(worker_rescued_parts_total[1h])) > 5",
      lasting: "0m", severity: .ticket,
      summary: "{{ $labels.job }} loses its worker again and again",
      advice: "Look for a crash or the OOM killer of the kernel: journalctl -k, worker show RUN."),
    Alert(
      name: "WorkerDrains", condition: "worker_draining == 1", lasting: "15m", severity: .ticket,
      summary: "{{ $labels.instance }} has been ending for 15 minutes",
      advice: "worker ps shows which part does not stop."),
    Alert(
      name: "WorkerVersionsDiffer",
      condition: "count(count by (version, commit) (worker_build_info)) > 1",
      lasting: "1h", severity: .ticket,
      summary: "daemons of several versions have been alive for an hour",
      advice: "Finish the upgrade, or roll it back: systemctl status worker on each host."),
    Alert(
      name: "WorkerFilesRunOut",
      condition: "process_open_fds / process_max_fds > 0.8 and on (instance) worker_build_info",
      lasting: "5m", severity: .ticket,
      summary: "{{ $labels.instance }} has nearly as many files open as it may",
      advice: "Raise LimitNOFILE, and tell its authors: the number should not grow."),
  ]

  static let ofEveryJob = [
    Alert(
      name: "WorkerJobFailed",
      condition: "sum by (job) (increase(worker_parts_ended_total{outcome=\"failed\"}[15m])) > 0",
      lasting: "0m", severity: .ticket,
      summary: "a part of {{ $labels.job }} has failed for good",
      advice: "worker runs {{ $labels.job }} shows the run, worker show RUN why; worker retry RUN"
        + " goes on."),
    Alert(
      name: "WorkerTicksMissed",
      condition:
        "sum by (job) (increase(worker_ticks_decided_total{fate=\"missed\"}[1h]))"
        + " + sum by (job) (increase(worker_missed_runs_total[1h])) > 0",
      lasting: "0m", severity: .ticket,
      summary: "ticks of {{ $labels.job }} were missed",
      advice: "worker runs {{ $labels.job }} says why; worker backfill runs them where the job"
        + " allows it."),
    Alert(
      name: "WorkerDecisionsFail",
      condition: "sum by (job) (increase(worker_decision_failures_total[10m])) > 3", lasting: "5m",
      severity: .page, summary: "{{ $labels.job }} cannot be decided",
      advice: "The log says why: a lock on its row, or a right that is missing."),
    Alert(
      name: "WorkerJobHeld", condition: "max by (job) (worker_job_held) == 1", lasting: "5m",
      severity: .page, summary: "a run of {{ $labels.job }} is held before its first effect",
      advice: "worker jobs names the run, worker show RUN why; worker approve RUN or worker"
        + " cancel RUN decides."),
    Alert(
      name: "WorkerJobOrphaned", condition: "max by (job) (worker_job_orphaned) == 1",
      lasting: "10m", severity: .page, summary: "no daemon alive has code for {{ $labels.job }}",
      advice: "Was it lost in a deployment? worker retire JOB removes a job that is gone for"
        + " good."),
  ]
}
