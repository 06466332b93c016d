public import Foundation
import SystemCalls

/// A program that runs on its own pseudo-terminal, as in a terminal window.
///
/// A thread collects its output. The settings of the terminal can be read while it runs and after its end.
public final class PseudoTerminal: @unchecked Sendable {
    /// The process of the program, which is the leader of the terminal's session.
    public let process: pid_t

    private let master: Int32
    private let terminal: Int32
    private let lock = NSLock()
    private var collected = Data()
    private var readEnds: [Int] = []
    private var ending: Int32?
    private var isPaused = false
    private var isHangingUp = false
    private var hasHungUp = false
    private var hasCollectedAll = false

    /// Starts a program on a new terminal.
    ///
    /// - Parameters:
    ///   - executable: the URL of the program.
    ///   - arguments: the arguments without the program's name.
    ///   - columns: the columns of the window.
    ///   - rows: the rows of the window.
    ///   - pixels: the size of the window in pixels; zero if the terminal does not report it.
    ///   - environment: variables that are set in addition to the present ones; a `nil` value removes one.
    /// - Throws: `POSIXError` if there is no terminal or the program cannot be started.
    public init(
        _ executable: URL,
        _ arguments: [String] = [],
        columns: Int = 80,
        rows: Int = 24,
        pixels: (width: UInt16, height: UInt16) = (0, 0),
        environment: [String: String?] = [:]
    ) throws {
        var window = winsize(
            ws_row: UInt16(rows),
            ws_col: UInt16(columns),
            ws_xpixel: pixels.width,
            ws_ypixel: pixels.height
        )
        var name = [CChar](repeating: 0, count: 256)
        var ends: (master: Int32, terminal: Int32) = (-1, -1)
        guard openpty(&ends.master, &ends.terminal, &name, nil, &window) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        master = ends.master
        // Open until the end, so that the settings can be read after the program has exited.
        terminal = ends.terminal
        for end in [master, terminal] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)

        var variables = ProcessInfo.processInfo.environment
        variables["TERM"] = "xterm-256color"
        for (name, value) in environment { variables[name] = value }
        // The leader of a new session gets the first terminal that it opens.
        process = try ChildProcess.spawn(
            executable.path,
            arguments,
            environment: variables,
            files: [0: path, 1: path, 2: path],
            leading: .session
        )
        Thread.detachNewThread { [self] in collect() }
    }

    /// Closes the terminal, as closing a terminal window does. Returns when it is closed.
    public func hangUp() {
        lock.withLock { isHangingUp = true }
        while !lock.withLock({ hasHungUp }) { usleep(1000) }
    }

    deinit {
        if lock.withLock({ hasHungUp }) { return }
        close(terminal)
        close(master)
    }

    /// Whether the terminal reads the output of the program. While it does not, the writes of the program block when the buffer
    /// of the terminal is full.
    public var isReading: Bool {
        get { lock.withLock { !isPaused } }
        set { lock.withLock { isPaused = !newValue } }
    }

    /// The output of the program so far.
    public var output: Data { lock.withLock { collected } }
    /// The output of the program so far, in the pieces in which it arrived: frames at different times are different pieces.
    public var pieces: (output: Data, ends: [Int]) { lock.withLock { (collected, readEnds) } }
    /// The output of the program so far, as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// The current settings of the terminal: input, output, control and local flags.
    public var settings: [UInt] {
        var value = termios()
        tcgetattr(terminal, &value)
        return [value.c_iflag, value.c_oflag, value.c_cflag, value.c_lflag].map { UInt($0) }
    }

    /// The terminal itself, for calls such as `tcgetpgrp`; closed with this object.
    public var descriptor: Int32 { master }

    /// Sends bytes as input.
    public func type(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if written <= 0 { return }
            rest = rest.dropFirst(written)
        }
    }

    /// Sends text as input.
    public func type(_ text: String) { type(text.utf8) }

    /// Changes the size of the window; the program receives SIGWINCH.
    public func resize(columns: Int, rows: Int) {
        var window = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    }

    /// Sends a signal to the program.
    public func signal(_ number: Int32) { kill(process, number) }

    /// Waits until the output contains a text.
    public func waitForText(_ wanted: String, within limit: Duration = .seconds(10)) async throws {
        try await eventually(within: limit) { self.text.contains(wanted) }
    }

    /// Sends text as input, and waits until another one is in the output.
    public func type(_ text: String, waitingFor wanted: String) async throws {
        type(text)
        try await waitForText(wanted)
    }

    /// Waits for the end of the program and of its output, and returns its exit status, or the negative number of the signal
    /// that ended it.
    public func waitForExit(within limit: Duration = .seconds(20)) async throws -> Int32 {
        try await eventually(within: limit) {
            self.poll() && self.lock.withLock { self.hasCollectedAll || self.isPaused || self.isHangingUp }
        }
        return lock.withLock { ending ?? 0 }
    }

    /// Sends text that ends the program, and returns its exit status as ``waitForExit(within:)`` does.
    public func waitForExit(typing text: String) async throws -> Int32 {
        type(text)
        return try await waitForExit()
    }

    /// Kills the program if it is still running.
    public func end() {
        isReading = true
        if !poll() {
            kill(process, SIGKILL)
            while !poll() { usleep(1000) }
        }
    }

    private func poll() -> Bool {
        lock.withLock {
            if ending != nil { return true }
            var status: Int32 = 0
            guard waitpid(process, &status, WNOHANG) == process else { return false }
            ending = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
            return true
        }
    }

    private func collect() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            if lock.withLock({ isHangingUp }) {
                // Closed by the thread that reads, so that it never reads a descriptor that was opened since.
                close(terminal)
                close(master)
                lock.withLock { hasHungUp = true }
                return
            }
            if !isReading {
                usleep(1000)
                continue
            }
            // Before the check for output: what the program has written last is collected after its end.
            let hasEnded = poll()
            var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            // The slave end stays open here, so the end is the program's, not the terminal's.
            #if canImport(Darwin)
                let ready = Darwin.poll(&waiting, 1, 20)
            #elseif canImport(Glibc)
                let ready = Glibc.poll(&waiting, 1, 20)
            #else
                let ready = Musl.poll(&waiting, 1, 20)
            #endif
            if ready > 0 {
                let count = read(master, &buffer, buffer.count)
                if count <= 0 { return lock.withLock { hasCollectedAll = true } }
                lock.withLock {
                    collected.append(contentsOf: buffer[..<count])
                    readEnds.append(collected.count)
                }
            } else if hasEnded {
                return lock.withLock { hasCollectedAll = true }
            }
        }
    }
}
