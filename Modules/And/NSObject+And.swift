#if canImport(ObjectiveC)
    public import ObjectiveC

    extension NSObject: And {}
#endif
