internal import JobKit

/// Rows under aligned columns.
struct Table {
  private let header: [String]
  private var rows: [[String]] = []

  init(_ header: String...) {
    self.header = header
  }

  mutating func add(_ cells: String...) {
    rows.append(cells.map(\.withVisibleControls))
  }

  /// The table as text, its header in bold, without trailing blanks.
  ///
  /// What stands in the last column goes on below itself where a terminal is too narrow for it.
  func text(in style: Style) -> String {
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    let indent = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    let room = style.width.map { $0 - indent }.flatMap { $0 < Self.leastRoom ? nil : $0 }
    let lines = rows.flatMap { cells in
      Self.pieces(of: cells.last ?? "", of: room ?? .max).enumerated().map { number, piece in
        let first = number == 0 ? Array(cells.dropLast()) : cells.dropLast().map { _ in "" }
        return aligned(first + [piece], to: widths)
      }
    }
    return ([style.bold(aligned(header, to: widths))] + lines).joined(separator: "\n")
  }

  /// In less room than this it is easier to read what the terminal breaks.
  private static let leastRoom = 24

  /// The text in lines of `room` characters at most, broken between words where it can be.
  private static func pieces(of text: String, of room: Int) -> [String] {
    var (pieces, rest) = ([String](), Substring(text))
    while rest.count > room {
      let line = rest.prefix(room + 1)
      let end = line.lastIndex(of: " ") ?? rest.index(rest.startIndex, offsetBy: room)
      pieces.append(String(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return pieces + [String(rest)]
  }

  private func aligned(_ cells: [String], to widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      line += cell + String(repeating: " ", count: width - cell.count + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
