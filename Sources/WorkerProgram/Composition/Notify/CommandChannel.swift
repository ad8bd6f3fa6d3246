internal import Config
internal import JobKit
internal import Ledger
internal import Runner

/// Tells a message by running a program, which gets it on standard input and in its variables.
struct CommandChannel: Channel {
  let command: [String]
  let limit: Duration
  let log: Log

  let name = "command"

  var label: String { command.first ?? "" }

  func deliver(_ message: WrittenMessage) throws(DeliveryError) {
    let program = ChildProgram(
      command: command, variables: message.variables, input: message.json.compact + "\n",
      limit: limit)
    let end: ChildProgram.End
    do throws(ChildProgram.Unstarted) {
      end = try program.run()
    } catch {
      throw DeliveryError("\(error)")
    }
    if !end.output.isEmpty {
      log.info("\(label) says: \(end.output)", ["message": "\(message.message.id)"])
    }
    if let failure = end.failure { throw DeliveryError("it \(failure)") }
  }
}
