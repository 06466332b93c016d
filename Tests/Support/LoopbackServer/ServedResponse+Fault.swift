#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ServedResponse {
    /// A way of misbehaving. Every fault ends with the connection closed.
    public enum Fault: Sendable {
        /// Declares this Content-Length instead of the true one, sends the true body, closes.
        case declaredLength(Int)
        /// Sends the first half of the body as a right chunk, then a chunk size that is no number.
        case brokenChunks
        /// Closes in order after `bytes` bytes of the body.
        case truncated(after: Int)
        /// Resets the connection (RST) after `bytes` bytes of the body.
        case reset(after: Int)
        /// Sends `bytes` bytes of the body, then nothing until the client goes away.
        case stalled(after: Int)
        /// Sends the body `bytes` bytes at a time with a pause between.
        case slow(bytes: Int, pause: Duration)
        /// Sends header fields for ever.
        case endlessHeaders
        /// Sends a body for ever.
        case endlessBody
        /// Sends nothing and keeps the connection open until the client goes away.
        case noAnswer
        /// Closes in order without a byte.
        case closed
        /// Resets the connection without a byte.
        case resetUnanswered
        /// Sends exactly these bytes instead of an answer, then closes.
        case raw(Data)
        /// Does these steps one after the other instead of answering, then closes.
        case script([Step])
    }

    /// One step of a scripted misbehaviour.
    public enum Step: Sendable {
        /// Sends bytes.
        case send(Data)
        /// Sends the same bytes again and again, until the client goes away or `atMost` bytes have been sent.
        case flood(Data, atMost: Int)
        /// Waits; the script ends when the client goes away meanwhile.
        case pause(Duration)
        /// Sends nothing more until the client goes away.
        case stall
        /// Ends the connection by a reset.
        case reset
    }
}
