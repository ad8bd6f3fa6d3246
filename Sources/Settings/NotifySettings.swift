internal import Config
public import Ledger
internal import LocalTime

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

extension NotifySettings {
  init(from table: inout TableReader) {
    command = table.readCommand()
    webhook = table.readAddress("webhook")
    limit = table.read(
      "limit", as: .duration(.seconds(1)...(.seconds(60)), suchAs: "10s"), else: limit)
    events = table.readEvents() ?? events
    pausedAfter = table.read(
      "paused_after", as: .duration(.seconds(60)...(.seconds(366 * 86_400)), suchAs: "1d"),
      else: pausedAfter)
    againAfter = table.read(
      "again_after", as: .duration(.seconds(1)...(.seconds(86_400)), suchAs: "5m"), else: againAfter
    )
    ping = table.readAddress("ping")
    pingEvery = table.read(
      "ping_every", as: .duration(.seconds(5)...(.seconds(86_400)), suchAs: "1m"), else: pingEvery)
  }

  var listing: [SettingLine] {
    [
      .init(name: "notify.command", value: command.joined(separator: " ")),
      .init(name: "notify.webhook", value: webhook?.description ?? ""),
      .init(name: "notify.limit", value: limit.written),
      .init(name: "notify.on", value: events.map(\.rawValue).joined(separator: ", ")),
      .init(name: "notify.paused_after", value: pausedAfter.written),
      .init(name: "notify.again_after", value: againAfter.written),
      .init(name: "notify.ping", value: ping?.description ?? ""),
      .init(name: "notify.ping_every", value: pingEvery.written),
    ]
  }
}

extension TableReader {
  fileprivate mutating func readCommand() -> [String] {
    let example = "[\"/usr/local/bin/tell\", \"night\"]"
    guard let (words, position) = take("command", as: .list("a list of words, such as \(example)"))
    else { return [] }
    var command: [String] = []
    for word in words {
      guard case .string(let text) = word.content else {
        refuse(word, of: "command", wanted: "words in quotes, such as \(example)")
        return []
      }
      command.append(text)
    }
    guard command.first?.hasPrefix("/") ?? true, command.allSatisfy({ !$0.contains("\0") }) else {
      let reason = "must begin with the absolute path of a program: write \(example)"
      note(.forbidden(name: name(of: "command"), reason: reason), at: position)
      return []
    }
    return command
  }

  fileprivate mutating func readEvents() -> [NoticeEvent]? {
    let known = NoticeEvent.settable.map { "\"\($0.rawValue)\"" }.listed(with: "or")
    guard let (values, _) = take("on", as: .list("a list of events, of \(known)")) else {
      return nil
    }
    return values.compactMap { value in
      guard case .string(let text) = value.content, let event = NoticeEvent(rawValue: text),
        NoticeEvent.settable.contains(event)
      else {
        note(
          .badElement(name: name(of: "on"), found: value.content.quoted, wanted: known),
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
