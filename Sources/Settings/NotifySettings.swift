package import Config
public import Ledger

/// Whom the worker tells of what goes wrong, and how: the table `[notify]`.
public struct NotifySettings: Sendable, Equatable {
  /// The program that is run with each message, and its arguments; none when empty.
  public var command: [String] = []
  public var webhook: AddressPlace?

  /// How long telling may take, each way.
  public var limit = Duration.seconds(10)

  /// What is told of.
  public var events = NoticeEvent.settable

  /// How long a pause may last before it is told of.
  public var pausedAfter = Pause.forgottenAfter

  /// How soon the same of the same job may be told again; what happens meanwhile is one message.
  public var againAfter = Duration.seconds(300)

  /// Who is called for as long as all is well.
  public var ping: AddressPlace?
  public var pingEvery = Duration.seconds(60)

  public init() {}
}

extension NotifySettings: SettingsTable {
  package static var fields: [SettingField<Self>] {
    [
      .init("command", \.command, written: { $0.joined(separator: " ") }) { $0.readCommand($1) },
      address("webhook", \.webhook),
      .init("limit", \.limit, as: .seconds(1...60, suchAs: "10s")),
      .init("on", \.events, written: { $0.map(\.rawValue).joined(separator: ", ") }) {
        $0.readEvents($1)
      },
      .init("paused_after", \.pausedAfter, as: .seconds(60...366 * 86_400, suchAs: "1d")),
      .init("again_after", \.againAfter, as: .seconds(1...86_400, suchAs: "5m")),
      address("ping", \.ping),
      .init("ping_every", \.pingEvery, as: .seconds(5...86_400, suchAs: "1m")),
    ]
  }

  private static func address(
    _ key: String, _ path: WritableKeyPath<Self, AddressPlace?>
  ) -> SettingField<Self> {
    .init(key, path, written: { $0?.description ?? "" }) { $0.readAddress($1) }
  }
}

extension TableReader {
  fileprivate mutating func readCommand(_ key: String) -> [String]? {
    let example = "[\"/usr/local/bin/tell\", \"night\"]"
    guard let (words, position) = take(key, as: .list("a list of words, such as \(example)"))
    else { return nil }
    var command: [String] = []
    for word in words {
      guard case .string(let text) = word.content else {
        refuse(word, of: key, wanted: "words in quotes, such as \(example)")
        return nil
      }
      command.append(text)
    }
    guard command.first?.hasPrefix("/") ?? true, command.allSatisfy({ !$0.contains("\0") }) else {
      let reason = "must begin with the absolute path of a program: write \(example)"
      note(.forbidden(name: name(of: key), reason: reason), at: position)
      return nil
    }
    return command
  }

  fileprivate mutating func readEvents(_ key: String) -> [NoticeEvent]? {
    let known = NoticeEvent.settable.map { "\"\($0.rawValue)\"" }.listed(with: "or")
    return take(key, as: .list("a list of events, of \(known)"))?.value.compactMap { value in
      guard case .string(let text) = value.content, let event = NoticeEvent(rawValue: text),
        NoticeEvent.settable.contains(event)
      else {
        note(
          .badElement(name: name(of: key), found: value.content.quoted, wanted: known),
          at: value.position)
        return nil
      }
      return event
    }
  }

  /// An address that stands here or in a file; it may be a secret, so a refusal does not show it.
  fileprivate mutating func readAddress(_ key: String) -> AddressPlace? {
    let address = take(key, as: .address)
    let file = take("\(key)_file", as: .path(suchAs: "/etc/worker/\(key)"))
    guard let path = file?.value, let position = file?.position else {
      return address?.value.map(AddressPlace.settings)
    }
    if address?.value != nil {
      let reason = "stands beside '\(name(of: key))': keep one"
      note(.forbidden(name: name(of: "\(key)_file"), reason: reason), at: position)
    }
    return .file(path)
  }
}

extension SettingKind<WebAddress?> {
  /// The URL of a receiver, or `""` for none.
  fileprivate static var address: Self {
    let wanted = "a URL that begins with https://, or with http:// and is of this machine"
    return SettingKind(wanted: "\(wanted), or \"\" for none") { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      if text.isEmpty { return nil }
      guard let address = WebAddress(text) else {
        throw .forbidden("cannot be used: write \(wanted)")
      }
      return address
    }
  }
}
