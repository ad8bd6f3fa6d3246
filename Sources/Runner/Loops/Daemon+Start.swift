internal import Dispatch

extension Daemon {
  /// Starts all loops; returns at once.
  ///
  /// A run by hand decides nothing: it has no loop that decides.
  public func start() {
    publish(.scheduled(schedule.jobs))
    if !isByHand { loop("scheduler", in: loops) { daemon in SchedulerLoop(daemon).run() } }
    loop("maintenance", in: loops) { daemon in MaintenanceLoop(daemon).run() }
    for (number, wakeUp) in workerAlarms.enumerated() {
      loop("worker \(number + 1)", in: working) { daemon in WorkerLoop(daemon, wakeUp).run() }
    }
  }

  private func loop(
    _ label: String, in group: DispatchGroup, _ body: @escaping @Sendable (Daemon) -> Void
  ) {
    group.enter()
    DispatchQueue(label: label).async { @Sendable [self] in
      body(self)
      group.leave()
    }
  }
}
