/// Every figure of a daemon.
extension Metric {
  public static let all: [Metric] =
    ofProgram + ofDecisions + ofParts + ofJobs + ofPushes + ofProcess

  static let ofProgram: [Metric] = [
    .build, .ready, .draining, .connected, .connectionFailures, .lastPass, .lastMaintenance,
    .lastHealthSnapshot,
    .daemons, .requests, .refusedCallers,
  ]
  static let ofDecisions: [Metric] = [
    .passDuration, .tickLateness, .ticksDecided, .missedRuns, .decisionFailures, .clockSteps,
  ]
  static let ofParts: [Metric] = [
    .partsRunning, .partStartDelay, .partDuration, .partsEnded, .rescuedParts, .items,
  ]
  static let ofJobs: [Metric] = [
    .lastSuccess, .nextTick, .jobLate, .jobLateAfter, .jobEnabled, .jobPaused, .jobAwaiting,
    .jobHeld, .jobOrphaned,
  ]
  public static let ofProcess: [Metric] = [
    .processCPU, .processMemory, .processVirtualMemory, .openFiles, .mostFiles, .processStart,
  ]
}

extension Metric {
  package static let build = Metric(
    "worker_build_info", .gauge, by: ["version", "commit", "swift"],
    "What this daemon was built from; always 1.")
  static let ready = Metric(
    "worker_ready", .gauge, "1 from the first complete decision pass until the drain.")
  static let draining = Metric(
    "worker_draining", .gauge, "1 while the daemon ends what runs and begins nothing new.")
  static let connected = Metric(
    "worker_database_connected", .gauge,
    "1 while the maintenance loop's latest look at the database"
      + " succeeded.")
  package static let connectionFailures = Metric(
    "worker_connection_failures_total", .counter, by: ["loop"],
    "Connections that a loop lost or could not make.")
  static let lastPass = Metric(
    "worker_last_pass_timestamp_seconds", .gauge,
    "When the latest decision pass was complete, by the database's clock.")
  package static let lastMaintenance = Metric(
    "worker_last_maintenance_timestamp_seconds", .gauge,
    "When the latest pass of maintenance was complete, by the database's clock.")
  static let lastHealthSnapshot = Metric(
    "worker_last_health_snapshot_timestamp_seconds", .gauge,
    "When the latest health snapshot was taken, which has the figures about jobs, by the database's clock."
  )
  static let daemons = Metric(
    "worker_daemons", .gauge,
    "Daemons that were alive at the latest health snapshot, this one included.")
  static let requests = Metric(
    "worker_http_requests_total", .counter, by: ["code"], "HTTP requests that were answered.")
  static let refusedCallers = Metric(
    "worker_http_refused_total", .counter,
    "Connections that were closed because 'http.allow' does not name their address.")
}

extension Metric {
  package static let passDuration = Metric(
    "worker_pass_duration_seconds",
    .histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
    "How long decision passes took.")
  static let tickLateness = Metric(
    "worker_tick_lateness_seconds",
    .histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300, 3600]),
    "How long after their moment due ticks were written and could be claimed.")
  static let ticksDecided = Metric(
    "worker_ticks_decided_total", .counter, by: ["job", "fate"],
    "Ticks that this daemon decided: due, skipped or missed.")
  static let missedRuns = Metric(
    "worker_missed_runs_total", .counter, by: ["job"],
    "Due runs that this daemon wrote off, because they could not begin in time.")
  static let decisionFailures = Metric(
    "worker_decision_failures_total", .counter, by: ["job"],
    "Decisions that failed and were tried again.")
  static let clockSteps = Metric(
    "worker_clock_steps_total", .counter, by: ["job"],
    "How often a job was found decided up to a moment that is still to come.")
}

extension Metric {
  static let partsRunning = Metric(
    "worker_parts_running", .gauge, by: ["job"], "Parts that this daemon works at.")
  static let partStartDelay = Metric(
    "worker_part_start_delay_seconds",
    .histogram([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]),
    by: ["job"],
    "How long after the moment of their tick parts began, in their first try.")
  static let partDuration = Metric(
    "worker_part_duration_seconds",
    .histogram([0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]), by: ["job"],
    "How long parts were in the hands of this daemon.")
  static let partsEnded = Metric(
    "worker_parts_ended_total", .counter, by: ["job", "outcome"],
    "Parts that this daemon is through with, by what became of them.")
  static let rescuedParts = Metric(
    "worker_rescued_parts_total", .counter, by: ["job"],
    "Parts that this daemon took back from a worker that had gone silent.")
  static let items = Metric(
    "worker_items_total", .counter, by: ["job", "counter"],
    "What the parts that this daemon worked at have counted; the counter a/b is a part of a.")
}

extension Metric {
  static let lastSuccess = Metric(
    "worker_last_success_timestamp_seconds", .gauge, by: ["job"],
    "When a scheduled run of the job succeeded last, on whatever daemon; absent when none has.")
  static let nextTick = Metric(
    "worker_next_tick_timestamp_seconds", .gauge, by: ["job"],
    "When the job runs next; absent when it does not.")
  static let jobLate = Metric(
    "worker_job_late_seconds", .gauge, by: ["job"],
    "How late the job's oldest tick is that no row tells of or no worker has begun; else 0.")
  static let jobLateAfter = Metric(
    "worker_job_late_after_seconds", .gauge, by: ["job"],
    "How late the job may be: its setting 'late_after'.")
  static let jobEnabled = Metric(
    "worker_job_enabled", .gauge, by: ["job"], "1 when the settings let the job run.")
  static let jobPaused = Metric(
    "worker_job_paused_seconds", .gauge, by: ["job"],
    "For how long the job has been paused; 0 when it is not.")
  static let jobAwaiting = Metric(
    "worker_job_awaiting_seconds", .gauge, by: ["job"],
    "For how long the oldest tick of the job has waited for other jobs; 0 when none does.")
  static let jobHeld = Metric(
    "worker_job_held", .gauge, by: ["job"], "1 while a run of the job waits for approval.")
  static let jobOrphaned = Metric(
    "worker_job_orphaned", .gauge, by: ["job"], "1 while no daemon alive has code for the job.")
}

extension Metric {
  public static let processCPU = Metric(
    "process_cpu_seconds_total", .counter, "Processor time that the process has used.")
  public static let processMemory = Metric(
    "process_resident_memory_bytes", .gauge, "Memory of the process that is in RAM.")
  public static let processVirtualMemory = Metric(
    "process_virtual_memory_bytes", .gauge, "Address space of the process.")
  public static let openFiles = Metric(
    "process_open_fds", .gauge, "File descriptors that the process has open.")
  public static let mostFiles = Metric(
    "process_max_fds", .gauge, "File descriptors that the process may have open.")
  public static let processStart = Metric(
    "process_start_time_seconds", .gauge, "When the process began.")
}
