/// What the keys do, as the screen says it.
package enum KeyHelp {
    /// One line for the lower edge; the first of it is what matters most, since a narrow screen cuts the rest.
    package static let hint =
        "n new  space done  e edit  d delete  u undo  / find  p picture  o profile  ? keys  q quit"

    /// All keys, in as many lines as a window of this many rows has room for.
    package static func text(rows: Int) -> String {
        // Around the text stand a frame, a title, a button and two free lines.
        rows >= full.split(separator: "\n").count + 6 ? full : brief
    }

    /// For a screen of little room, such as 40 x 12.
    private static let brief = """
        n new  space done  e edit
        d delete  u undo  r redo
        / find  c completed  a put away
        p picture  o profile  q quit
        A todo is typed on one line:
        (A) Buy milk +home @shop due:fri
        """

    /// One a line.
    private static let full = """
        n  a new todo
        space  done, or open again
        enter, e  edit
        d  delete
        u, r  undo, redo
        /  find
        c  completed ones too
        a  put completed ones away
        p  another picture
        o  profile
        tab  to the next field
        q  quit
        A todo is typed on one line:
        (A) Buy milk +home @shop due:fri
        """
}
