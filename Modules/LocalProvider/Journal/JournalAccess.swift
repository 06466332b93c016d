/// In what way a journal may be read.
enum JournalAccess {
    /// Others may be writing: what is not whole yet stays unread.
    case shared
    /// The lock is held: what is not whole will never be, and is repaired.
    case exclusive
    /// Nothing may be written here: what is not whole is skipped.
    case readOnly
}
