internal import JobKit
internal import Settings

/// Where the daemon answers: found without settings that are right, as a probe that asks a healthy daemon must not
/// fail, and kill it, for a slip in a file that it has not even read.
struct HealthPlace {
  let address: HttpAddress?

  /// What is wrong with the settings.
  let warnings: [String]

  init(_ arguments: Arguments, for command: Command = .health) throws {
    let file = SettingsFile(arguments)
    let named = try Self.named(by: arguments, for: command)
    do throws(SettingsFile.Refused) {
      let written = try file.load().settings.http.listen
      (address, warnings) = (named ?? written, [])
    } catch {
      guard let found = named ?? Self.lastWritten(in: file) else { throw error }
      address = found
      warnings = error.facts.map {
        "\($0); a daemon that runs goes on with the settings that it has"
      }
    }
  }

  /// The address that the call or its environment names.
  private static func named(
    by arguments: Arguments, for command: Command
  ) throws(UsageError) -> HttpAddress? {
    let variable = Environment["WORKER_HTTP_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
    guard let text = arguments[.healthAddress] ?? variable else { return nil }
    guard let address = HttpAddress(text) else {
      throw UsageError(
        .badValue(
          text, of: .healthAddress,
          expected: "write 127.0.0.1:PORT, [::1]:PORT or unix:/PATH, as in 'http.listen'"),
        command: command)
    }
    return address
  }

  /// The line `listen`, in a file of which other lines are wrong, be it the heading of its table: no other
  /// setting has that name.
  private static func lastWritten(in file: SettingsFile) -> HttpAddress? {
    guard let text = try? FileText.read(file.path, atMost: 1 << 20) else { return nil }
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace).joined()
      let isListen = words.hasPrefix("listen=") || words.hasPrefix("http.listen=")
      guard isListen, let quote = words.firstIndex(where: { $0 == "\"" || $0 == "'" }) else {
        continue
      }
      let value = words[words.index(after: quote)...].prefix { $0 != words[quote] }
      if let address = HttpAddress(String(value)) { return address }
    }
    return nil
  }
}
