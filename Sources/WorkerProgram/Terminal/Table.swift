internal import Config
internal import JobKit

/// Rows under aligned columns.
struct Table {
  private var columns: [Column]
  private var rows: [[String]] = []

  /// What stands over one column, and whether a terminal that is too narrow may do without it.
  struct Column: Sendable, Equatable, ExpressibleByStringLiteral {
    /// What the column is called, also behind `--columns`.
    let name: String

    /// Of those above 0 the column with the highest is left out first; one of 0 is always shown.
    var rank = 0

    /// Whether it is left out only where a row is too wide although what stands last goes on below it.
    var isKeptLonger = false

    /// What the heading says besides the name, such as the offset of the times below it.
    var remark = ""

    init(stringLiteral name: String) { self.init(name) }

    init(_ name: String, rank: Int = 0, remark: String = "", isKeptLonger: Bool = false) {
      (self.name, self.rank, self.remark) = (name, rank, remark)
      self.isKeptLonger = isKeptLonger
    }

    fileprivate var heading: String { remark.isEmpty ? name : "\(name) (\(remark))" }
  }

  init(_ columns: Column...) {
    self.init(columns)
  }

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ cells: String...) {
    add(cells)
  }

  mutating func add(_ cells: [String]) {
    rows.append(cells.map(\.withVisibleControls))
  }

  /// The names of its columns.
  var names: [String] { columns.map(\.name) }

  var isEmpty: Bool { rows.isEmpty }

  /// The columns of these names alone, in this order; a terminal leaves none of them out.
  func showing(_ names: [String]) -> Table {
    showing(names.compactMap { name in columns.firstIndex { $0.name == name } }, always: true)
  }

  /// The rows that `isShown` lets through, by what they have in the columns of these names.
  func rows(by names: [String], where isShown: ([String]) -> Bool) -> Table {
    let places = names.compactMap { name in columns.firstIndex { $0.name == name } }
    var table = self
    table.rows = rows.filter { row in isShown(places.map { row[$0] }) }
    return table
  }

  private func showing(_ places: [Int], always: Bool = false) -> Table {
    var table = Table()
    table.columns = places.map { columns[$0] }
    if always { for place in table.columns.indices { table.columns[place].rank = 0 } }
    table.rows = rows.map { row in places.map { row[$0] } }
    return table
  }

  /// The table as text, its header in bold, without trailing blanks.
  ///
  /// Where a terminal is too narrow, columns are left out by their rank, and a last line says which. What
  /// stands in the last column then goes on below itself, or below its row; no word is ever broken.
  func text(in style: Style, withHeader hasHeader: Bool = true) -> String {
    guard let width = style.width else {
      return lines(in: style, hasHeader).joined(separator: "\n")
    }
    let (table, hidden) = fitting(width)
    var lines = table.lines(in: style, hasHeader)
    if !hidden.isEmpty {
      let sentence = "not shown: \(hidden.joined(separator: ", ")); --wide shows everything"
      lines += Self.pieces(of: sentence, of: width).map(style.dim)
    }
    return lines.joined(separator: "\n")
  }

  private func fitting(_ width: Int) -> (table: Table, hidden: [String]) {
    var places = Array(columns.indices)
    while let last = places.filter({ columns[$0].rank > 0 }).max(by: isKeptLonger),
      case let table = showing(places),
      (columns[last].isKeptLonger ? table.indent - 2 : table.leastWidth) > width
    {
      places.removeAll { $0 == last }
    }
    let hidden = columns.indices.filter { !places.contains($0) }.map { columns[$0].name }
    return (showing(places), hidden)
  }

  private func isKeptLonger(_ one: Int, _ other: Int) -> Bool {
    (columns[one].rank, one) < (columns[other].rank, other)
  }

  private var widths: [Int] {
    columns.indices.map { place in
      max(columns[place].heading.count, rows.map { $0[place].count }.max() ?? 0)
    }
  }

  /// What all columns but the last take, with the blanks behind each.
  private var indent: Int { widths.dropLast().reduce(0) { $0 + $1 + 2 } }

  /// In less room than this nobody likes to read what goes on below itself.
  private static let leastRoom = 24

  /// The room that the last column needs beside the others.
  private var leastRoom: Int {
    let words = (rows.compactMap(\.last) + [columns.last?.heading ?? ""])
      .flatMap { $0.split(separator: " ") }
    let longest = words.map(\.count).max() ?? 0
    return min(widths.last ?? 0, max(Self.leastRoom, longest))
  }

  private var leastWidth: Int { indent + leastRoom }

  private func lines(in style: Style, _ hasHeader: Bool) -> [String] {
    // Each is a look at every row: once for the table, not for each of its lines.
    let (widths, leastRoom) = (widths, leastRoom)
    let room = style.width.map { $0 - indent } ?? .max
    let header = hasHeader ? [columns.map(\.heading)] : []
    let lines = (header + rows).map { cells in
      room >= leastRoom
        ? Self.beside(cells, to: widths, room) : Self.below(cells, to: widths, style.width ?? .max)
    }
    guard hasHeader, let first = lines.first else { return lines.flatMap(\.self) }
    return first.map(style.bold) + lines.dropFirst().flatMap(\.self)
  }

  /// A row whose last cell goes on below itself.
  private static func beside(_ cells: [String], to widths: [Int], _ room: Int) -> [String] {
    pieces(of: cells.last ?? "", of: room).enumerated().map { number, piece in
      let first = number == 0 ? Array(cells.dropLast()) : cells.dropLast().map { _ in "" }
      return aligned(first + [piece], to: widths)
    }
  }

  /// A row whose last cell has lines of its own.
  private static func below(_ cells: [String], to widths: [Int], _ width: Int) -> [String] {
    let rest = cells.last ?? ""
    let lines = rest.isEmpty ? [] : pieces(of: rest, of: width - step.count)
    return [aligned(Array(cells.dropLast()), to: widths)] + lines.map { step + $0 }
  }

  private static let step = "    "

  /// The text in lines of `room` characters at most, unless a word is longer.
  private static func pieces(of text: String, of room: Int) -> [String] {
    text.count <= room ? [text] : Help.wrapped(text, to: room)
  }

  private static func aligned(_ cells: [String], to widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      line += cell + String(repeating: " ", count: max(0, width - cell.count) + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
