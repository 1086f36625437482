//! Attributes of functions, parameters and calls.
//!
//! **Contract.** As in [`super::llvm`].
#![allow(unsafe_code, reason = "LLVM's C API; every call below is sound under the module's contract")]

use inkwell::llvm_sys::core::*;

use super::llvm::{Type, Value};

fn attribute_kind(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

impl Value {
    /// The type attribute (`byval`, `sret`) of an argument of a call; `at` counts from 1.
    pub(super) fn call_type_attribute(self, at: u32, name: &str) -> Option<Type> {
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, at, attribute_kind(name)) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    /// The type attribute of a function's parameter; `at` counts from 1.
    pub(super) fn type_attribute(self, at: u32, name: &str) -> Option<Type> {
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, at, attribute_kind(name)) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    /// The alignment attribute of an argument of a call, 0 if there is none; `at` counts from 1.
    pub(super) fn argument_alignment(self, at: u32) -> u32 {
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, at, attribute_kind("align")) };
        if attribute.is_null() { 0 } else { u32::try_from(unsafe { LLVMGetEnumAttributeValue(attribute) }).unwrap_or(0) }
    }

    /// Whether a function has an attribute of its own.
    pub(super) fn has_attribute(self, name: &str) -> bool {
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, u32::MAX, attribute_kind(name)).is_null() }
    }

    pub(super) fn has_call_attribute(self, name: &str) -> bool {
        let kind = attribute_kind(name);
        let callee = self.callee();
        unsafe {
            !LLVMGetCallSiteEnumAttribute(self.0, u32::MAX, kind).is_null()
                || (callee.is_function() && !LLVMGetEnumAttributeAtIndex(callee.0, u32::MAX, kind).is_null())
        }
    }

    /// Adds an attribute without a value to a call.
    pub(super) fn add_call_attribute(self, name: &str) {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            LLVMAddCallSiteAttribute(self.0, u32::MAX, LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
        }
    }

    /// Adds an attribute without a value to a function.
    pub(super) fn add_attribute(self, name: &str) {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            LLVMAddAttributeAtIndex(self.0, u32::MAX, LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
        }
    }

    /// Adds an attribute with a name and a value of LLVM's back end to a function.
    pub(super) fn add_string_attribute(self, name: &str, value: &str) {
        let length = |text: &str| u32::try_from(text.len()).expect("a short text");
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let (name_length, value_length) = (length(name), length(value));
            let attribute = LLVMCreateStringAttribute(context, name.as_ptr().cast(), name_length, value.as_ptr().cast(), value_length);
            LLVMAddAttributeAtIndex(self.0, u32::MAX, attribute);
        }
    }

    /// Removes an attribute from a function (its own, its result's, its parameters') or from a call.
    pub(super) fn remove_attribute(self, name: &str) {
        let kind = attribute_kind(name);
        unsafe {
            let (function, count) =
                if self.is_function() { (true, LLVMCountParams(self.0)) } else { (false, LLVMGetNumArgOperands(self.0)) };
            for at in (0..=count).chain([u32::MAX]) {
                if function {
                    LLVMRemoveEnumAttributeAtIndex(self.0, at, kind);
                } else {
                    LLVMRemoveCallSiteEnumAttribute(self.0, at, kind);
                }
            }
        }
    }
}
