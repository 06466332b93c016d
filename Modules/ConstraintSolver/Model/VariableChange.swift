/// A variable, and the value that it has now.
@usableFromInline
struct VariableChange: BitwiseCopyable {
    @usableFromInline let variable: Variable
    @usableFromInline let value: Double
}
