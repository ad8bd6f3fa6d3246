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
  func text(in style: Style) -> String {
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = rows.map { aligned($0, to: widths) }
    return ([style.bold(aligned(header, to: widths))] + lines).joined(separator: "\n")
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
