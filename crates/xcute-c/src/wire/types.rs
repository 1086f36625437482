//! The types of inputs, as the subject gets them: tables of `runtimes/c/wire.h`.

/// `struct xc_type` of `runtimes/c/wire.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XcType {
    /// One of the `XC_TY_` constants.
    pub kind: u8,
    /// [`XC_SIGNED`] or the `XC_PTR_` constants.
    pub flags: u8,
    /// Padding.
    pub pad: u16,
    /// Pointers: the pointee. Arrays: the element.
    pub elem: u32,
    /// In bytes.
    pub size: u64,
    /// Arrays: how many elements. Pointers: how many the fresh object has.
    pub count: u32,
    /// The first field.
    pub first: u32,
    /// How many fields.
    pub n: u32,
    /// Padding.
    pub pad2: u32,
}

/// `struct xc_field` of `runtimes/c/wire.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XcField {
    /// Bytes from the start; of a candidate function, its address.
    pub offset: u64,
    /// The field's type.
    pub of: u32,
    /// Bit-fields: the first bit in the byte at `offset`.
    pub bit: u16,
    /// Bit-fields: the width; else 0.
    pub bits: u16,
}

/// An integer; also enumerations and characters.
pub const XC_TY_INT: u8 = 1;
/// `_Bool`.
pub const XC_TY_BOOL: u8 = 2;
/// A float; symbolic if its size is 4 or 8.
pub const XC_TY_FLOAT: u8 = 3;
/// A pointer.
pub const XC_TY_POINTER: u8 = 4;
/// A structure.
pub const XC_TY_STRUCT: u8 = 5;
/// A union; its only field is the member to initialise.
pub const XC_TY_UNION: u8 = 6;
/// An array.
pub const XC_TY_ARRAY: u8 = 7;
/// A function; its fields are the candidates.
pub const XC_TY_FUNCTION: u8 = 8;
/// Bytes.
pub const XC_TY_OPAQUE: u8 = 9;

/// The integer has a sign.
pub const XC_SIGNED: u8 = 1;
/// The fresh object is a string: `count` bytes of which the last is NUL.
pub const XC_PTR_STRING: u8 = 2;
/// The pointee is a function.
pub const XC_PTR_FUNCTION: u8 = 4;
/// The pointer is never NULL.
pub const XC_PTR_NONNULL: u8 = 8;

/// Marks `parent` of a variable that lies in the input itself, not behind a pointer; the rest is the input's key.
pub const XC_ROOT: u32 = 0x8000_0000;
