//! Case files: a test case as JSON, with its inputs named, so that people read it and `xcute replay` repeats it.
