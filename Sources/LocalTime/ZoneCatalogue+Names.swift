extension ZoneCatalogue {
  /// The name under which this data has the zone, or nothing when it has not.
  func listedName(for name: String) -> String? {
    guard !names.contains(name) else { return name }
    return ZoneAliases.names(alike: name).first(where: names.contains)
  }

  /// What someone who wrote `name` may have meant: a slip of the keys, or a city alone.
  func suggestion(for name: String) -> String? {
    // An abbreviation would be taken for what it is elsewhere: nobody is led to one.
    let sorted = names.filter { !Zone.isAbbreviation($0) }.sorted()
    let city = name.split(separator: "/").last.map { $0.replacing(" ", with: "_").lowercased() }
    let sameCity = sorted.first { $0.contains("/") && $0.lowercased().hasSuffix("/\(city ?? "")") }
    return closest(to: name, in: sorted) ?? sameCity
  }
}
