/// A value for each axis, without the order of a dictionary, which another process has otherwise.
struct AxisPair<Value> {
    var horizontal: Value
    var vertical: Value

    subscript(axis: LayoutAxis) -> Value {
        get { axis == .horizontal ? horizontal : vertical }
        set { if axis == .horizontal { horizontal = newValue } else { vertical = newValue } }
    }

    /// Each axis with its value, the horizontal one first.
    var values: [(axis: LayoutAxis, value: Value)] { [(.horizontal, horizontal), (.vertical, vertical)] }
}
