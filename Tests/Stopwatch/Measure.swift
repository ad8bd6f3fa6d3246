/// Prints how fast the parts of the worker are.
///
///     measure speeds [CONNECTION]             zones, schedules, rows
///     measure parts CONNECTION [RUNS]         parts that do nothing, one by one and in batches
///     measure lateness CONNECTION SECONDS     how late ticks of a second and of a minute begin
@main
struct Measure {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.dropFirst().first) {
    case ("speeds", nil): try measureLocalTime()
    case ("speeds", let target?):
      try measureLocalTime()
      try measurePostgres(target: target)
    case ("parts", let target?):
      try measureParts(target: target, runs: words.count > 2 ? Int(words[2]) ?? 16 : 16)
    case ("lateness", let target?):
      try measureLateness(target: target, seconds: words.count > 2 ? Int(words[2]) ?? 60 : 60)
    default: print("usage: measure speeds|parts|lateness [CONNECTION] [RUNS|SECONDS]")
    }
  }
}
