internal import Config

extension PushAction {
  /// Looks at what brings pushes.
  static let providers = PushAction(
    name: "providers", purpose: "look at each provider",
    options: [.config, .healthAddress, .json],
    examples: [("worker push providers", "whether a breaker has opened, and why")],
    run: { arguments, console in
      let place = try HealthPlace(arguments, for: .push)
      for warning in place.warnings { console.remark(warning) }
      let answer = try ProvidersAnswer.ask(place.address, arguments)
      try console.write(arguments.has(.json) ? answer.json : console.style.fitted(answer.text))
      return .done
    })
}
