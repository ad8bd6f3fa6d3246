internal import Config
import JobKit
import LocalTime
import Push

/// Reads the texts of one locale, goes on after every fault, and reports what nobody would ever see.
struct MessageReader {
  private let file: MessageFile
  private let document: TomlDocument
  private let names: [MessageName]
  private(set) var problems: [Problem] = []

  /// A reader of a file in which there have to be `names`.
  init(_ file: MessageFile, names: [MessageName]) {
    self.file = file
    self.names = names
    document = TomlDocument(file.text)
  }

  /// The texts and their locale, when nothing is wrong with them.
  mutating func read() -> (locale: String, texts: MessageCatalogue.Texts)? {
    for fault in document.faults { report(fault.sentence, at: fault.position) }
    guard let locale = Locale(file.name) else {
      note(.badLocale(file.name), at: nil)
      return nil
    }
    var texts = MessageCatalogue.Texts(
      language: locale.language, nameless: plainText("nameless", in: document.root, path: []) ?? "")
    for name in names {
      guard let table = table(at: name.path) else { continue }
      texts.messages[name] = message(name, in: table)
    }
    reportStrangers()
    return problems.isEmpty ? (locale.name, texts) : nil
  }

  private mutating func message(
    _ name: MessageName, in table: (content: TomlTable, position: SourcePosition)
  ) -> MessageCatalogue.Message? {
    let title = text("title", of: name, in: table.content)
    let body = text("body", of: name, in: table.content)
    guard let title, let body else { return nil }
    let bytes = name.longestPayload(title: title, body: body)
    if bytes > ApplePayload.mostBytes {
      note(
        .tooLong(table: name.path.dotted, bytes: bytes, most: ApplePayload.mostBytes),
        at: table.position)
    }
    return MessageCatalogue.Message(title: title, body: body)
  }

  private mutating func text(
    _ key: String, of name: MessageName, in table: TomlTable
  ) -> MessageText? {
    guard let plain = plainText(key, in: table, path: name.path) else { return nil }
    let (path, known) = ((name.path + [key]).dotted, name.template.placeholders)
    do throws(MessageText.Fault) {
      return try MessageText(plain, knowing: known)
    } catch {
      let fault: MessageFault =
        switch error {
        case .openBrace: .openBrace(name: path)
        case .unknownPlaceholder(let placeholder):
          .unknownPlaceholder(
            name: path, placeholder: placeholder, known: known.map(\.rawValue))
        }
      note(fault, at: table[key]?.position)
      return nil
    }
  }

  private mutating func plainText(
    _ key: String, in table: TomlTable, path: [String]
  ) -> String? {
    let name = (path + [key]).dotted
    guard let value = table[key] else {
      note(.missingText(name: name), at: position(of: path))
      return nil
    }
    guard case .string(let text) = value.content else {
      note(.notText(name: name, found: value.content.kindName), at: value.position)
      return nil
    }
    guard !text.allSatisfy(\.isWhitespace) else {
      note(.emptyText(name: name), at: value.position)
      return nil
    }
    return text
  }

  private mutating func table(
    at path: [String]
  ) -> (content: TomlTable, position: SourcePosition)? {
    var (content, position) = (document.root, Self.start)
    for (depth, key) in path.enumerated() {
      let name = path.prefix(depth + 1).dotted
      guard let value = content[key] else {
        note(.missingTable(path.dotted), at: depth == 0 ? nil : position)
        return nil
      }
      guard case .table(let next) = value.content else {
        note(.notTable(name: name, found: value.content.kindName), at: value.position)
        return nil
      }
      (content, position) = (next, value.position)
    }
    return (content, position)
  }

  private static let start = SourcePosition(line: 1, column: 1)

  private func position(of path: [String]) -> SourcePosition? {
    var (table, position): (TomlTable, SourcePosition?) = (document.root, nil)
    for key in path {
      guard let value = table[key], case .table(let next) = value.content else { return position }
      (table, position) = (next, value.position)
    }
    return position
  }
}

extension MessageReader {
  private mutating func reportStrangers() {
    reportStrangers(in: document.root, path: [])
  }

  private mutating func reportStrangers(in table: TomlTable, path: [String]) {
    let known = known(below: path)
    for entry in table.entries {
      let name = (path + [entry.key]).dotted
      guard known.contains(entry.key) else {
        let nearest = closest(to: entry.key, in: known).map { (path + [$0]).dotted }
        note(.unknown(name: name, nearest: nearest), at: entry.position)
        continue
      }
      if case .table(let below) = entry.value.content, isTable(path + [entry.key]) {
        reportStrangers(in: below, path: path + [entry.key])
      }
    }
  }

  /// The keys that a table may have.
  private func known(below path: [String]) -> [String] {
    let next = names.filter { $0.path.starts(with: path) }.map { name in
      name.path.dropFirst(path.count).first
    }
    let texts = next.contains(nil) ? ["title", "body"] : []
    return texts + next.compactMap(\.self) + (path.isEmpty ? ["nameless"] : [])
  }

  private func isTable(_ path: [String]) -> Bool {
    names.contains { $0.path.starts(with: path) }
  }

  private mutating func note(_ fault: MessageFault, at position: SourcePosition?) {
    report(fault.description, at: position)
  }

  private mutating func report(_ sentence: String, at position: SourcePosition?) {
    problems.append(
      Problem(file: file.path, position: position, what: .badMessage(sentence)))
  }
}

extension MessageName {
  /// What a push with these texts comes to at most.
  fileprivate func longestPayload(title: MessageText, body: MessageText) -> Int {
    let facts = MessageFacts.longest
    return ApplePayload(
      title: title.filled(with: facts), body: body.filled(with: facts),
      link: template.link(pattern: String(repeating: "p", count: 64)),
      id: DuePush.id(of: .max, on: CivilDate(dayNumber: .max))
    ).text.utf8.count
  }
}

extension Sequence<String> {
  fileprivate var dotted: String { joined(separator: ".") }
}
