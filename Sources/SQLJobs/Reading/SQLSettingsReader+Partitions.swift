internal import Config
internal import JobKit

extension SQLSettingsReader {
  /// A job that drops partitions; nothing when something is wrong, which is noted.
  mutating func readPartitionJob() -> PartitionJob? {
    let before = table.problems.count
    let place = readTable()
    let age = readAge()
    let role = readRole()
    for key in ["parts", "percent"] where !(table[key]?.isWhole(of: key) ?? true) {
      refuse(
        table.name(of: key),
        "divides the work, and partitions are dropped one after the other: leave it out")
    }
    let purpose = readPurpose(
      "drops old partitions of \(place?.name.words ?? "")")
    guard !isFaulty(since: before), let place, let age else { return nil }
    return PartitionJob(
      // Only the owner of a table may drop it, which is no right that is granted.
      definition: JobDefinition(inSQL: name, purpose, needs: [], role: role),
      table: place.name, age: age, role: role,
      listing: listing, text: text, place: place.text)
  }

  private mutating func readAge() -> Duration? {
    let allowed = Duration.seconds(86_400) ... .seconds(36_525 * 86_400)
    if table["older_than"] == nil {
      missing(
        "older_than",
        "how old all that a partition may hold has to be, such as older_than = \"90d\"")
    }
    return table.take("older_than", as: .duration(allowed, suchAs: "90d"))?.value
  }
}

extension TomlValue.Content {
  /// Whether a number leaves the work of a job in one piece; what is no number is refused elsewhere.
  fileprivate func isWhole(of key: String) -> Bool {
    guard case .integer(let number) = self else { return true }
    return number == (key == "parts" ? 1 : 100)
  }
}
