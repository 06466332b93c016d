/// Helps to put values into a target's path.
public enum RemotePath {
    /// A value as one segment of a path: slashes, percent signs and all else that has a meaning is escaped.
    ///
    /// The segments `.` and `..` cannot be escaped and mean other places; a server sees them as they are.
    public static func segment(_ value: String) -> String { PercentEncoding.encode(value) }
}
