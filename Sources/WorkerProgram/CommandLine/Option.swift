/// One option of a command, such as `--zone ZONE` or `--json`.
struct Option: Sendable, Equatable {
  /// The name without its dashes.
  let name: String

  /// What stands for the value in the help, or nil when the option takes none.
  let value: String?

  let help: String

  /// Whether it may be written several times.
  var repeats = false

  /// Every value that it may have, where these are a few words.
  var choices: [String] = []

  /// The letter that stands for the name, as in `-n 5`.
  var short: Character?

  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, value: nil, help: help)
  }

  static func value(
    _ name: String, _ value: String, _ help: String, repeats: Bool = false,
    choices: [String] = [], short: Character? = nil
  ) -> Option {
    Option(
      name: name, value: value, help: help, repeats: repeats, choices: choices, short: short)
  }

  /// The option as the help shows it: `--zone ZONE`.
  var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  /// The same with its letter, for lists: `-n, --limit N`.
  var term: String { (short.map { "-\($0), " } ?? "") + usage }
}

extension Option {
  static let help = Option(name: "help", value: nil, help: "show this help", short: "h")
  static let json = flag("json", "print JSON, for machines; errors stay text on standard error")
  /// Where the settings are, unless a call or the environment names another file.
  static let settingsPath = "/etc/worker/worker.toml"
  static let config = value(
    "config", "FILE",
    "read the settings from FILE; else from $WORKER_CONFIG, else from \(settingsPath)")
}
