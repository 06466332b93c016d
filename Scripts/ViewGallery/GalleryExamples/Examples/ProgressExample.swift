import TerminalUI

extension GalleryExample {
    /// Indicators of activity and progress.
    static let progress = GalleryExample("progress", "Progress") {
        let spinner = Spinner("Loading a picture 사진…")
        spinner.startAnimating()
        let bar = ProgressBar(progress: 0.37)
        bar.accessibilityLabel = "Download"
        return GalleryStack([
            spinner, bar, ProgressBar(progress: 1),
            Button("More") { bar.progress = bar.progress >= 1 ? 0 : bar.progress + 0.1 },
        ])
    }
}
