/// Makes what is behind it step back.
final class ScrimView: View {
    override func draw(in canvas: Canvas) {
        canvas.dim(bounds)
    }
}
