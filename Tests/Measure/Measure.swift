/// Prints how fast zones, schedules and rows are read: `measure CONNECTION`.
@main
struct Measure {
  static func main() throws {
    try measureLocalTime()
    guard let target = CommandLine.arguments.dropFirst().first else { return }
    try measurePostgres(target: target)
  }
}
