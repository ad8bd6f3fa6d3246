internal import Glibc

/// Runs `work` on a thread of its own that hears no signals; false when the system has none to give.
///
/// Signals are for the program. This matters most for the one that a write to a closed socket makes, which would
/// end the process: a thread that does not hear it gets an error instead.
func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  let box = unsafe Unmanaged.passRetained(Work(work))
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, &attributes,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  unsafe pthread_attr_destroy(&attributes)
  if status != 0 { unsafe box.release() }
  return status == 0
}

private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
