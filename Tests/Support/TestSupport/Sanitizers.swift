import SystemCalls

/// Whether the Address Sanitizer is active, which delays the reuse of released memory.
public var isAddressSanitized: Bool { dlsym(nil, "__asan_init") != nil }

/// Whether the Thread Sanitizer is active, which has a separate thread and call stacks of a fixed length.
public var isThreadSanitized: Bool { dlsym(nil, "__tsan_init") != nil }
