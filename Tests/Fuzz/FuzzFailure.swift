/// A promise that some input broke.
struct FuzzFailure: Error, CustomStringConvertible {
  let fact: String

  var description: String { fact }
}
