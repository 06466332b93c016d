/// What the system tells of a file.
package struct FileStatus: Equatable, Sendable {
    /// Which file it is, and how long.
    package var outline: FileOutline
    /// When the contents last changed, in nanoseconds since 1970.
    package var modified: Int64
}
