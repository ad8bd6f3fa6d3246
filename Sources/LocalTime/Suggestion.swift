/// The candidate nearest to `text`, for "did you mean", or nothing when none is near.
///
/// Near means: at most a third of the letters of `text` differ, or one of fewer than six, and case
/// never counts. A swap of two neighbours is one slip, as it is for whoever types. Of equals the
/// first wins. More slips would lead to names that mean something else: `logs` is not `jobs`.
public func closest(to text: String, in candidates: some Sequence<String>) -> String? {
  let wanted = lowercased(text)
  var farthest = wanted.isEmpty ? 0 : max(1, wanted.count / 3)
  var best: String?
  for candidate in candidates {
    let letters = lowercased(candidate)
    guard abs(letters.count - wanted.count) <= farthest else { continue }
    let distance = slips(from: wanted, to: letters)
    guard distance < farthest || (best == nil && distance == farthest) else { continue }
    (best, farthest) = (candidate, distance)
  }
  return best
}

/// How many letters must be added, dropped, changed or swapped with their neighbour.
private func slips(from: [UInt8], to: [UInt8]) -> Int {
  var beforeLast = [Int]()
  var last = Array(0...to.count)
  for i in from.indices {
    var row = [i + 1]
    for j in to.indices {
      let change = last[j] + (from[i] == to[j] ? 0 : 1)
      row.append(min(change, last[j + 1] + 1, row[j] + 1))
      if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
        row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
      }
    }
    (beforeLast, last) = (last, row)
  }
  return last[to.count]
}

private func lowercased(_ text: String) -> [UInt8] {
  text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
}
