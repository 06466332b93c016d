/// A plugin that is told what each exchange of a request cost; retries and redirects are exchanges of their own.
public protocol MeasuringPlugin: NetworkPlugin {
    /// Takes the cost of one exchange that ended well, on the transport's own thread: be quick, and never block.
    func didMeasure(_ metrics: HTTPMetrics, of request: HTTPRequest, _ context: RequestContext)
}
