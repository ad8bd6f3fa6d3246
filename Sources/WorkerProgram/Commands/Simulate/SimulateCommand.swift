internal import JobKit
internal import LocalTime

extension Command {
  /// Shows what the settings come to, before anybody waits for it.
  static let simulate: Command = Command(
    name: "simulate",
    summary: "run the jobs on a virtual clock, in a database of their own",
    discussion: """
      Runs the scheduler, the ledger and the workers as a daemon would, but on a clock that jumps from
      one moment at which something happens to the next, and says what became of each job's ticks from
      --from on and before --to: without either, of today, and without --to of a day. How far it is stands
      on standard error, on a terminal as a line that changes.

      It works in an empty database that it makes beside the configured one and drops at the end, also
      after Ctrl-C; the configured one is never written to. With --keep it stays, to be looked at. Only a
      job whose code works in Postgres alone is run: in the place of any other, and of one without code,
      stands one that does nothing. A run takes no time.

      Times are those of the jobs' zone, with its offset in the heading; where jobs have several, of the zone
      of the settings. --utc shows UTC. JSON always has UTC.

      It ends with 0, with 1 when a run failed, and with 130 when it was interrupted.
      """
        + LearningApp.whenOn(
          """


          Empty tables make dull jobs: with --learners there are so many who do not exist, with --days of
          history, and they study, travel and opt out while the clock goes on ('worker demo --help' tells more).
          Then the end says also what the jobs have done for them, and --timeline what each hour has brought.
          """),
    options: [.config, .simulateFrom, .simulateTo]
      + LearningApp.whenOn([.learners, .historyDays, .seed, .timeline])
      + [.scratch, .keep, .wide, .utc, .json],
    examples: [
      (
        "worker simulate --from 2026-03-08 --to 2026-03-08T06:00:00Z",
        "the small hours of one day, summed up"
      ),
      (
        "worker simulate --from 2026-03-08T06:00:00Z --to 2026-03-08T07:00:00Z --json",
        "an hour, for machines"
      ),
    ]
      + LearningApp.whenOn([
        (
          "worker simulate --learners 100 --days 5 --from 2026-03-08 --to 2026-03-08T02:00:00Z --timeline",
          "two hours of a small world"
        )
      ]),
    run: { arguments, console in try SimulationCall.open(arguments, console).run() })
}

extension Option {
  static let simulateFrom = value(
    "from", "WHEN", "begin here: \(WrittenInstant.forms); else today")
  static let simulateTo = value(
    "to", "WHEN", "end before this instant, local date or time; else a day after --from")
  static let scratch = value(
    "database", "URL", "work in this database, in which there is nothing yet, and leave it so")
  static let timeline = flag("timeline", "tell of each hour of the learners when it is over")
  static let keep = flag("keep", "keep the database that was made, and say where it is")
}
