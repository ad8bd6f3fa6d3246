internal import Config
internal import JobKit

extension TableReader {
  /// Which jobs a job comes after, as its table says or else the job itself, and where each is named.
  mutating func readAfter(of job: JobDefinition) -> [Chains.Link] {
    let wanted = "a list of jobs, such as [\"load_orders\"]"
    let listed = take("after", as: .list(wanted))?.value
    return listed.map { values in values.compactMap { link(of: job.name, $0) } }
      ?? job.after.jobs.map { Chains.Link(of: job.name, to: $0, written: $0.text, at: nil) }
  }

  private mutating func link(of job: JobName, _ value: TomlValue) -> Chains.Link? {
    guard case .string(let text) = value.content else {
      refuse(value, of: "after", wanted: "the name of a job, such as \"load_orders\"")
      return nil
    }
    do throws(JobNameError) {
      return Chains.Link(
        of: job, to: try JobName(text), written: text, at: value.position)
    } catch {
      note(.badJobName(error.description), at: value.position)
      return nil
    }
  }
}
