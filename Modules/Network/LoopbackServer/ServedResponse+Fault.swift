public import EssentialFoundation

extension ServedResponse {
    /// A fault of a server. Each one ends with the connection closed.
    ///
    /// A pause in it ends when the client disconnects, or has finished sending, which looks the same. A negative number of
    /// bytes is none.
    public enum Fault: Sendable {
        /// Sends the body with a wrong Content-Length.
        case declaredLength(Int)
        /// Sends the first half of the body as a chunk, then an invalid chunk size.
        case brokenChunks
        /// Closes the connection after a number of bytes of the body.
        case truncated(after: Int)
        /// Resets the connection (RST) after a number of bytes of the body.
        case reset(after: Int)
        /// Sends a number of bytes of the body, then nothing until the client disconnects.
        case stalled(after: Int)
        /// Sends the body in pieces of `bytes` bytes with a pause after each.
        case slow(bytes: Int, pause: Duration)
        /// Sends header fields without end.
        case endlessHeaders
        /// Sends a body without end.
        case endlessBody
        /// Sends nothing until the client disconnects.
        case noAnswer
        /// Closes the connection without sending anything.
        case closed
        /// Resets the connection without sending anything.
        case resetUnanswered
        /// Sends these bytes instead of a response.
        case raw(Data)
        /// Performs these steps in order instead of responding.
        case script([Step])
    }

    /// A step of a scripted fault.
    public enum Step: Sendable {
        /// Sends bytes.
        case send(Data)
        /// Sends the same bytes repeatedly, until the client disconnects or `atMost` bytes have been sent.
        case flood(Data, atMost: Int)
        /// Waits; the script ends if the client disconnects before.
        case pause(Duration)
        /// Sends nothing until the client disconnects.
        case stall
        /// Resets the connection.
        case reset
    }
}
