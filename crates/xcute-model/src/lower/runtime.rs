//! The run-time system, embedded so that the binary needs no installation directory.

/// All headers of the run-time system: the names they are included by, and their texts.
pub const RUNTIME: &[(&str, &str)] = &[
    ("xm/art.h", include_str!("../../../../runtimes/model/xm/art.h")),
    ("xm/art_streams.h", include_str!("../../../../runtimes/model/xm/art_streams.h")),
    ("xm/base.h", include_str!("../../../../runtimes/model/xm/base.h")),
    ("xm/capsule.h", include_str!("../../../../runtimes/model/xm/capsule.h")),
    ("xm/connect.h", include_str!("../../../../runtimes/model/xm/connect.h")),
    ("xm/driver.h", include_str!("../../../../runtimes/model/xm/driver.h")),
    ("xm/frame.h", include_str!("../../../../runtimes/model/xm/frame.h")),
    ("xm/json.h", include_str!("../../../../runtimes/model/xm/json.h")),
    ("xm/log.h", include_str!("../../../../runtimes/model/xm/log.h")),
    ("xm/machine.h", include_str!("../../../../runtimes/model/xm/machine.h")),
    ("xm/message.h", include_str!("../../../../runtimes/model/xm/message.h")),
    ("xm/names.h", include_str!("../../../../runtimes/model/xm/names.h")),
    ("xm/papyrus.h", include_str!("../../../../runtimes/model/xm/papyrus.h")),
    ("xm/passive.h", include_str!("../../../../runtimes/model/xm/passive.h")),
    ("xm/port.h", include_str!("../../../../runtimes/model/xm/port.h")),
    ("xm/search.h", include_str!("../../../../runtimes/model/xm/search.h")),
    ("xm/structure.h", include_str!("../../../../runtimes/model/xm/structure.h")),
    ("xm/system.h", include_str!("../../../../runtimes/model/xm/system.h")),
    ("xm/text.h", include_str!("../../../../runtimes/model/xm/text.h")),
    ("xm/timing.h", include_str!("../../../../runtimes/model/xm/timing.h")),
    ("xm/trace.h", include_str!("../../../../runtimes/model/xm/trace.h")),
    ("xm/value.h", include_str!("../../../../runtimes/model/xm/value.h")),
];
