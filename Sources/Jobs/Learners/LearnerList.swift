import JobKit
import Postgres

/// The learners that a part of a run has to look at, in the order of their ids.
///
/// Eight bytes each, so a million are nothing, and a part that goes on after a crash makes the list anew.
struct LearnerList {
  let ids: [Int]

  init(_ ids: [Int]) {
    self.ids = ids
  }

  /// Who is on this list, on the other, or on both.
  func union(_ other: LearnerList) -> LearnerList {
    var (all, others) = ([Int](), other.ids[...])
    all.reserveCapacity(ids.count + other.ids.count)
    for id in ids {
      while let first = others.first, first < id { all.append(others.removeFirst()) }
      if others.first == id { others.removeFirst() }
      all.append(id)
    }
    return LearnerList(all + others)
  }

  func contains(_ id: Int) -> Bool {
    let index = firstIndex(notBelow: id)
    return index < ids.count && ids[index] == id
  }

  /// The next learners after another, at most so many; the first ones after nobody.
  func next(_ most: Int, after last: Int?) -> ArraySlice<Int> {
    guard let last else { return ids.prefix(most) }
    return ids[firstIndex(above: last)...].prefix(most)
  }

  /// Where those begin whose ids are higher.
  func firstIndex(above id: Int) -> Int {
    firstIndex { $0 > id }
  }

  /// Where those begin whose ids are at least that; not those above the id before, as the least has none.
  func firstIndex(notBelow id: Int) -> Int {
    firstIndex { $0 >= id }
  }

  private func firstIndex(where isThere: (Int) -> Bool) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if isThere(ids[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
