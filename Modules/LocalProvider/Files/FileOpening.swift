/// How a file is opened. A symbolic link in the last place of the path is never followed.
package enum FileOpening: Sendable {
    /// For reading; the file must be there.
    case reading
    /// For reading and writing, made with mode 0600 where it is not there.
    case writing
    /// For writing, made with mode 0600; nothing may be there yet.
    case creating
    /// A folder, for synchronising its entries.
    case folder
}
