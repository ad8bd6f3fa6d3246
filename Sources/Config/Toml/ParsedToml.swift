internal import CToml

/// What the parser made of a text; its memory is given back when this goes out of scope.
///
/// This is the only Swift that sees the parser.
@safe struct ParsedToml: ~Copyable {
  private let document: ctoml_document

  init(_ text: String) {
    var text = text
    unsafe document = text.withUTF8 { unsafe ctoml_read($0.baseAddress, $0.count) }
  }

  deinit {
    unsafe ctoml_release(document)
  }

  /// The tree of the document, or why there is none.
  func tree() throws(TomlFault) -> TomlTable {
    if let fault { throw fault }
    var next = 0
    guard case .table(let root) = value(at: &next).content else { return TomlTable(entries: []) }
    return root
  }

  private var fault: TomlFault? {
    let cause: TomlFault.Cause? =
      switch unsafe document.fault {
      case .CTOML_FAULT_NONE: nil
      case .CTOML_FAULT_SYNTAX: .syntax(unsafe String(document.message))
      case .CTOML_FAULT_MALFORMED: .syntax("the line is malformed")
      case .CTOML_FAULT_TOO_LONG: .tooLong
      case .CTOML_FAULT_TOO_DEEP: .tooDeep
      case .CTOML_FAULT_TOO_MANY: .tooMany
      case .CTOML_FAULT_NO_MEMORY: .noMemory
      }
    let position = SourcePosition(unsafe document.fault_position)
    return cause.map { TomlFault(position: position, cause: $0) }
  }

  /// The value at a place in the list of nodes, which is moved behind all that belongs to it.
  private func value(at next: inout Int) -> TomlValue {
    let node = unsafe document.nodes[next]
    next += 1
    let position = SourcePosition(unsafe node.position)
    return TomlValue(position: position, content: unsafe content(of: node, below: &next))
  }

  private func content(
    of node: ctoml_node, below next: inout Int
  ) -> TomlValue.Content {
    switch unsafe node.kind {
    case .CTOML_STRING: .string(unsafe String(node.text))
    case .CTOML_INTEGER: .integer(Int(unsafe node.integer))
    case .CTOML_FLOAT: .float(unsafe node.number)
    case .CTOML_BOOLEAN: .boolean(unsafe node.integer != 0)
    case .CTOML_DATE_TIME: .dateTime(unsafe String(node.text))
    case .CTOML_ARRAY: .array((0..<(unsafe node.children)).map { _ in value(at: &next) })
    case .CTOML_TABLE: .table(table(of: unsafe node.children, at: &next))
    }
  }

  private func table(of count: Int, at next: inout Int) -> TomlTable {
    var entries = [TomlTable.Entry]()
    for _ in 0..<count {
      let node = unsafe document.nodes[next]
      let key = unsafe String(node.key)
      let position = SourcePosition(unsafe node.key_position)
      entries.append(.init(key: key, position: position, value: value(at: &next)))
    }
    return TomlTable(entries: entries)
  }
}

extension String {
  fileprivate init(_ text: ctoml_text) {
    self = unsafe String(
      decoding: UnsafeBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
  }
}

extension SourcePosition {
  fileprivate init(_ position: ctoml_position) {
    self.init(line: Int(position.line), column: Int(position.column))
  }
}
