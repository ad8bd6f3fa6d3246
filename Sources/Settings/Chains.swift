internal import Config
internal import JobKit

/// Which jobs come after which others, and where each is said.
struct Chains {
  /// That one job comes after another.
  struct Link {
    let job: JobName

    /// The other, and how the file spells it.
    let name: JobName
    let written: String
    let position: SourcePosition?

    init(of job: JobName, to name: JobName, written: String, at position: SourcePosition?) {
      (self.job, self.name, self.written, self.position) = (job, name, written, position)
    }
  }

  private(set) var links: [Link] = []

  mutating func add(_ links: [Link]) { self.links += links }
}

extension Chains {
  /// What is wrong with them, where it stands.
  func faults(among jobs: [JobSettings]) -> [(SettingsFault, SourcePosition?)] {
    twice + disabled(among: jobs) + circles
  }

  private var twice: [(SettingsFault, SourcePosition?)] {
    var seen: Set<[JobName]> = []
    return links.compactMap { link in
      guard !seen.insert([link.job, link.name]).inserted else { return nil }
      return (fault(of: link, "names '\(link.name)' twice: keep one"), link.position)
    }
  }

  /// A job that never runs would keep every tick that comes after it from running.
  private func disabled(among jobs: [JobSettings]) -> [(SettingsFault, SourcePosition?)] {
    let jobs = Dictionary(jobs.map { ($0.name, $0) }) { first, _ in first }
    return links.compactMap { link in
      guard let job = jobs[link.job], job.isEnabled, job.after.missing != .run,
        jobs[link.name]?.isEnabled == false
      else { return nil }
      let reason =
        "names '\(link.name)', which is not enabled, so that '\(link.job)' would never run: enable"
        + " it, take it out, or write after_missing = \"run\""
      return (fault(of: link, reason), link.position)
    }
  }

  /// Each link that closes a circle, with the circle.
  private var circles: [(SettingsFault, SourcePosition?)] {
    let next = Dictionary(grouping: links, by: \.job)
    var done: Set<JobName> = []
    var path: [JobName] = []
    var found: [(SettingsFault, SourcePosition?)] = []
    func follow(_ job: JobName) {
      guard !done.contains(job) else { return }
      path.append(job)
      for link in next[job] ?? [] {
        guard let start = path.firstIndex(of: link.name) else {
          follow(link.name)
          continue
        }
        let circle = (path[start...] + [link.name]).map(\.text).joined(separator: " -> ")
        let reason = "closes a circle in which each waits for the next: \(circle); take one out"
        found.append((fault(of: link, reason), link.position))
      }
      path.removeLast()
      done.insert(job)
    }
    for link in links { follow(link.job) }
    return found
  }

  private func fault(of link: Link, _ reason: String) -> SettingsFault {
    .forbidden(name: "jobs.\(link.job).after", reason: reason)
  }
}
