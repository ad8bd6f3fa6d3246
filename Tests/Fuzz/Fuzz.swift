/// Throws random and mutated inputs at one reader: `fuzz cron|zone|settings SEED COUNT ZONEINFO`.
///
/// A crash or a broken promise ends it with an error; `script/fuzz` calls a hang what takes too long.
@main
struct Fuzz {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 4, let target = words.first, let zoneinfo = words.last,
      let seed = UInt64(words[2]), let count = Int(words[3])
    else {
      throw FuzzFailure(fact: "write: fuzz cron|zone|settings SEED COUNT ZONEINFO")
    }
    switch target {
    case "cron":
      let accepted = try fuzzCron(seed: seed, count: count)
      print("cron: \(count) inputs, \(accepted) of them accepted")
    case "zone":
      let accepted = try fuzzZone(seed: seed, count: count, zoneinfo: zoneinfo)
      print("zone: \(count) inputs, \(accepted) of them accepted")
    case "settings":
      fuzzSettings(seed: seed, count: count, zoneinfo: zoneinfo)
      print("settings: \(count) inputs")
    default: throw FuzzFailure(fact: "unknown target '\(target)': write cron, zone or settings")
    }
  }
}
