/// The descriptions of the keys on the main screen.
package enum KeyHelp {
    /// One line for the lower edge. The most important keys come first, because a narrow screen cuts the rest.
    package static let hint =
        "n new  space done  e edit  d delete  u undo  / find  p picture  o profile  ? keys  q quit"

    /// Returns a description of all keys that fits into a window of this many rows.
    package static func text(rows: Int) -> String {
        // The alert adds a frame, a title, a button and two empty rows.
        rows >= full.split(separator: "\n").count + 6 ? full : brief
    }

    /// For a small screen, such as 40 x 12.
    private static let brief = """
        n new  space done  e edit
        d delete  u undo  r redo
        / find  c completed  a archive
        p picture  o profile  q quit
        A todo is typed on one line:
        (A) Buy milk +home @shop due:fri
        """

    /// One key a line.
    private static let full = """
        n  new todo
        space  done, or open again
        enter, e  edit
        d  delete
        u, r  undo, redo
        /  find
        c  show or hide completed todos
        a  archive completed todos
        p  another picture
        o  profile
        tab  next field
        q  quit
        A todo is typed on one line:
        (A) Buy milk +home @shop due:fri
        """
}
