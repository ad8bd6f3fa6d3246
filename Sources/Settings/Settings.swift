public import Config
public import JobKit
public import Ledger

/// Everything that can be set, read and checked.
public struct Settings: Sendable, Equatable {
  /// How many workers a daemon has, each at a part of a run, or a batch of its parts.
  public var workers = 4
  public var database = DatabaseSettings()
  public var time = TimeSettings()
  public var log = LogSettings()
  public var retention = Retention()
  public var http = HttpSettings()
  public var notify = NotifySettings()
  /// The days on which jobs that name them do not run.
  public var calendars: [Calendar] = []
  /// The rules that the jobs go by.
  public var rules = RuleBook()
  /// Every job of the catalogue, in its order, whether the file names it or not.
  public var jobs: [JobSettings] = []
}
