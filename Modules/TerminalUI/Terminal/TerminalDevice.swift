/// The seam between an application and what shows it: a real terminal, or one in memory for tests.
@MainActor
public protocol TerminalDevice: AnyObject {
    /// Columns and rows now.
    var size: Size { get }
    /// What it can do, as far as is known; answers come as `TerminalEvent.input(.reply)`.
    var capabilities: TerminalCapabilities { get }
    /// Takes the terminal over and begins to tell its events; the stream ends with `stop`.
    func start() throws -> AsyncStream<TerminalEvent>
    /// Writes a frame; nothing is written while the terminal is not taken over.
    func write(_ bytes: [UInt8])
    /// Gives the terminal back, stops the process as Ctrl-Z does, and takes it over again when the process goes on.
    func suspend()
    /// Gives the terminal back. Does nothing the second time.
    func stop()
}
