/// Every benchmark there is, in the order of printing: add a line, and `Scripts/bench` knows it.
let allBenchmarks: [any Benchmark] = [
    AndBenchmark(),
    LayoutBenchmark(),
    NetworkBenchmark(),
    PicturesBenchmark(),
    LocalBenchmark(),
    LocalCacheBenchmark(),
    LocalProcessesBenchmark(),
    LocalCodecBenchmark(),
    AppBenchmark(),
]
