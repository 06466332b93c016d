/// What the keys do, as the screen says it.
enum KeyHelp {
    /// One line for the lower edge; the first of it is what matters most, since a narrow screen cuts the rest.
    static let hint = "n new  space done  e edit  d delete  u undo  / find  p picture  o profile  ? keys  q quit"

    /// All keys, one a line.
    static let text = """
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
