internal import JobKit
internal import Ledger

/// What becomes of a run by hand that ends at once, by what the ledger has said when it was asked for its end.
enum InterruptionAftermath {
  /// The ledger was asked for nothing, as the run is another's, or has not answered.
  case leftToLease

  /// A part of the run is still held here: nobody ends it before its lease is over.
  case asked(run: Int)
  case cancelled(run: Int)

  /// The run had come to an end by itself.
  case over(run: Int)

  /// The ledger has taken the request, or has not because the run was over; `run` is how it stands since.
  init(of number: Int, isAsked: Bool, now run: RunRecord?) {
    if let run, run.finishedAt != nil {
      self = run.state == .cancelled ? .cancelled(run: number) : .over(run: number)
    } else {
      self = isAsked ? .asked(run: number) : .leftToLease
    }
  }

  func words(of job: JobName) -> String {
    switch self {
    case .leftToLease:
      "what is held here is free when its lease ends, and then a daemon or 'worker run \(job) --resume' goes on"
        + " with it"
    case .asked(let run):
      "run \(run) is asked to end; a daemon, or 'worker cancel \(run)', cancels it when its lease is over, and"
        + " then 'worker retry \(run)' starts it again"
    case .cancelled(let run):
      "run \(run) is cancelled; 'worker retry \(run)' starts it again"
    case .over(let run):
      "run \(run) is over: 'worker show \(run)' tells how it ended"
    }
  }
}
