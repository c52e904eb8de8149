// The precompiled header's target needs a source file.
