internal import Config
internal import JobKit
internal import Ledger
internal import Runner

/// Tells a message by running a program, which gets it on standard input and in its variables.
struct CommandWay: MessageWay {
  let command: [String]
  let limit: Duration
  let log: Log

  let name = "command"

  var label: String { command.first ?? "" }

  func tell(_ message: WrittenMessage) throws(Untold) {
    let program = ChildProgram(
      command: command, variables: message.variables, input: message.json.compact + "\n",
      limit: limit)
    let end: ChildProgram.End
    do throws(ChildProgram.Unstarted) {
      end = try program.run()
    } catch {
      throw Untold("\(error)")
    }
    if !end.output.isEmpty {
      log.info("\(label) says: \(end.output)", ["message": "\(message.message.id)"])
    }
    if let failure = end.failure { throw Untold("it \(failure)") }
  }
}
