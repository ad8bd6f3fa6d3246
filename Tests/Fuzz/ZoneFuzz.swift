import Glibc
import LocalTime

/// Feeds `count` damaged zone files to the reader, and asks those it accepts.
///
/// Files are those of `zoneinfo` with bytes changed. Returns how many were accepted; throws the
/// first that breaks a promise.
func fuzzZone(seed: UInt64, count: Int, zoneinfo: String) throws(FuzzFailure) -> Int {
  var random = FuzzGenerator(seed: seed)
  let files = ["America/New_York", "Africa/Casablanca", "Asia/Tokyo", "Pacific/Apia", "Etc/UTC"]
    .map { fileBytes("\(zoneinfo)/\($0)") }.filter { !$0.isEmpty }
  guard let cron = try? Cron("15 0-22 * * *"), !files.isEmpty else {
    throw FuzzFailure(fact: "no zone files in '\(zoneinfo)'")
  }
  var accepted = 0
  for round in 0..<count {
    let bytes = damaged(files[round % files.count], &random)
    guard let zone = try? Zone(name: "fuzz \(seed) \(round)", file: bytes) else { continue }
    accepted += 1
    let second = Int.random(in: -1 << 32...1 << 33, using: &random)
    try check(zone, at: Instant(secondsSince1970: second))
    let dst = CronSchedule.ClockChanges.allCases[round % 3]
    try checkSearch(
      CronSchedule(cron, in: zone, dst: dst), from: Instant(secondsSince1970: second))
  }
  return accepted
}

/// What holds in every zone, however odd.
private func check(_ zone: Zone, at instant: Instant) throws(FuzzFailure) {
  let local = zone.local(at: instant)
  let day = zone.localDay(of: instant)
  let holds =
    zone.instant(of: local) <= instant && zone.local(at: zone.instant(of: local)) >= local
    && zone.instants(showing: local).contains(instant) && zone.startOfDay(day) <= instant
    && zone.previousDay(before: day) < day
  guard holds else { throw FuzzFailure(fact: "\(zone.name) contradicts itself at \(instant)") }
}

private func damaged(_ file: [UInt8], _ random: inout FuzzGenerator) -> [UInt8] {
  var bytes = file
  for _ in 0..<Int.random(in: 1...6, using: &random) {
    guard let index = bytes.indices.randomElement(using: &random) else { return bytes }
    switch Int.random(in: 0...9, using: &random) {
    case 0: bytes.remove(at: index)
    case 1: bytes.insert(.random(in: 0...255, using: &random), at: index)
    case 2: bytes.removeLast(bytes.count - index)
    case 3: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    default: bytes[index] = .random(in: 0...255, using: &random)
    }
  }
  return bytes
}

private func fileBytes(_ path: String) -> [UInt8] {
  guard let file = unsafe fopen(path, "r") else { return [] }
  defer { unsafe fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = unsafe fread(&bytes, 1, bytes.count, file)
  return Array(bytes.prefix(count))
}
