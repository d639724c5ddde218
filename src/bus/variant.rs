//! serde over D-Bus variants: operations, states and effects as `a{sv}` and back.
//!
//! One conversion for everything that travels as a dictionary, in both directions. Any integer type
//! is read; numbers of things are written as `u`, times as `x`; what has no value is left out.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{self, Impossible, Serialize, Serializer};
use zbus::{Array, OwnedVariant, Variant};

/// A dictionary, its keys in alphabetical order, so that readers of `busctl` find them.
pub type Dict = BTreeMap<String, Variant<'static>>;

/// Why a value does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct VariantError(String);

impl de::Error for VariantError {
    fn custom<T: fmt::Display>(why: T) -> Self {
        VariantError(why.to_string())
    }
}

impl ser::Error for VariantError {
    fn custom<T: fmt::Display>(why: T) -> Self {
        VariantError(why.to_string())
    }
}

/// Reads a dictionary.
pub fn members(
    dict: &HashMap<String, OwnedVariant>,
) -> impl Deserializer<'_, Error = VariantError> {
    let members = dict.iter().map(|(name, value)| (name.as_str(), Reader(value)));
    de::value::MapAccessDeserializer::new(MapDeserializer::new(members))
}

/// Reads one value.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a Variant<'a>);

impl<'de> IntoDeserializer<'de, VariantError> for Reader<'de> {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = VariantError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, VariantError> {
        match self.0 {
            Variant::Bool(truth) => visitor.visit_bool(*truth),
            Variant::U8(number) => visitor.visit_u8(*number),
            Variant::I16(number) => visitor.visit_i16(*number),
            Variant::U16(number) => visitor.visit_u16(*number),
            Variant::I32(number) => visitor.visit_i32(*number),
            Variant::U32(number) => visitor.visit_u32(*number),
            Variant::I64(number) => visitor.visit_i64(*number),
            Variant::U64(number) => visitor.visit_u64(*number),
            Variant::F64(number) => visitor.visit_f64(*number),
            Variant::Str(text) => visitor.visit_borrowed_str(text.as_str()),
            Variant::Variant(inner) => Reader(inner).deserialize_any(visitor),
            Variant::Array(list) => {
                visitor.visit_seq(SeqDeserializer::new(list.inner().iter().map(Reader)))
            }
            Variant::Dict(dict) => visitor.visit_map(MapDeserializer::new(
                dict.iter().map(|(name, value)| (Reader(name), Reader(value))),
            )),
            other => Err(de::Error::custom(format_args!(
                "a value of type {} is not possible here",
                other.value_signature()
            ))),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, VariantError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, VariantError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, VariantError> {
        match self.0 {
            Variant::Str(word) => visitor
                .visit_enum(IntoDeserializer::<VariantError>::into_deserializer(word.as_str())),
            Variant::Variant(inner) => Reader(inner).deserialize_enum(_name, _variants, visitor),
            _ => Err(de::Error::custom("expected a word (type s)")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Whether move counters are shown: under `fide` they are for arbiters only (Laws 12.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counters {
    /// They are shown.
    Shown,
    /// They are left out.
    Hidden,
}

/// The members that are move counters, at any depth.
const COUNTERS: [&str; 2] = ["moves", "moves_to_stage"];

/// Writes a value as a dictionary.
///
/// # Errors
/// The value is not written as an object, or holds what the bus cannot.
pub fn to_dict<T: Serialize + ?Sized>(value: &T, counters: Counters) -> Result<Dict, VariantError> {
    match value.serialize(Writer(counters))? {
        Some(Written::Dict(dict)) => Ok(dict),
        _ => Err(ser::Error::custom("expected an object")),
    }
}

/// A value that was written; a dictionary is kept open, so that the outermost can be taken out.
enum Written {
    Plain(Variant<'static>),
    Dict(Dict),
}

impl From<Written> for Variant<'static> {
    fn from(written: Written) -> Self {
        match written {
            Written::Plain(value) => value,
            Written::Dict(dict) => dict.into(),
        }
    }
}

/// Gives `None` for what has no value: its member is left out.
struct Writer(Counters);

type Value = Result<Option<Written>, VariantError>;

fn plain(value: impl Into<Variant<'static>>) -> Value {
    Ok(Some(Written::Plain(value.into())))
}

impl Serializer for Writer {
    type Ok = Option<Written>;
    type Error = VariantError;
    type SerializeSeq = ListWriter;
    type SerializeTuple = Impossible<Option<Written>, VariantError>;
    type SerializeTupleStruct = Impossible<Option<Written>, VariantError>;
    type SerializeTupleVariant = Impossible<Option<Written>, VariantError>;
    type SerializeMap = DictWriter;
    type SerializeStruct = DictWriter;
    type SerializeStructVariant = Impossible<Option<Written>, VariantError>;

    fn serialize_bool(self, value: bool) -> Value {
        plain(value)
    }
    fn serialize_i8(self, value: i8) -> Value {
        plain(i16::from(value))
    }
    fn serialize_i16(self, value: i16) -> Value {
        plain(value)
    }
    fn serialize_i32(self, value: i32) -> Value {
        plain(value)
    }
    fn serialize_i64(self, value: i64) -> Value {
        plain(value)
    }
    fn serialize_u8(self, value: u8) -> Value {
        plain(value)
    }
    fn serialize_u16(self, value: u16) -> Value {
        plain(value)
    }
    fn serialize_u32(self, value: u32) -> Value {
        plain(value)
    }
    fn serialize_u64(self, value: u64) -> Value {
        plain(value)
    }
    fn serialize_f32(self, value: f32) -> Value {
        plain(f64::from(value))
    }
    fn serialize_f64(self, value: f64) -> Value {
        plain(value)
    }
    fn serialize_char(self, value: char) -> Value {
        plain(value.to_string())
    }
    fn serialize_str(self, value: &str) -> Value {
        plain(value.to_owned())
    }
    fn serialize_bytes(self, value: &[u8]) -> Value {
        plain(value.to_vec())
    }
    fn serialize_none(self) -> Value {
        Ok(None)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Value {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Value {
        Ok(None)
    }
    fn serialize_unit_struct(self, _name: &'static str) -> Value {
        Ok(None)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Value {
        plain(variant.to_owned())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Value {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        value: &T,
    ) -> Value {
        value.serialize(self)
    }
    fn serialize_seq(self, _length: Option<usize>) -> Result<ListWriter, VariantError> {
        Ok(ListWriter { list: Vec::new(), counters: self.0 })
    }
    fn serialize_tuple(self, _length: usize) -> Result<Self::SerializeTuple, VariantError> {
        Err(ser::Error::custom("a tuple is not possible here"))
    }
    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleStruct, VariantError> {
        Err(ser::Error::custom(name))
    }
    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, VariantError> {
        Err(ser::Error::custom(variant))
    }
    fn serialize_map(self, _length: Option<usize>) -> Result<DictWriter, VariantError> {
        Ok(DictWriter { dict: Dict::new(), name: None, counters: self.0 })
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<DictWriter, VariantError> {
        self.serialize_map(None)
    }
    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, VariantError> {
        Err(ser::Error::custom(variant))
    }
}

/// Writes a list; the bus wants one type for all elements.
struct ListWriter {
    list: Vec<Variant<'static>>,
    counters: Counters,
}

impl ListWriter {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VariantError> {
        self.list.extend(value.serialize(Writer(self.counters))?.map(Variant::from));
        Ok(())
    }

    fn close(self) -> Value {
        let Some(first) = self.list.first() else { return Ok(None) };
        let mut array = Array::new(first.value_signature());
        for value in self.list {
            array.append(value).map_err(ser::Error::custom)?;
        }
        plain(Variant::Array(array))
    }
}

impl ser::SerializeSeq for ListWriter {
    type Ok = Option<Written>;
    type Error = VariantError;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VariantError> {
        self.push(value)
    }
    fn end(self) -> Value {
        self.close()
    }
}

/// Writes a dictionary.
struct DictWriter {
    dict: Dict,
    name: Option<String>,
    counters: Counters,
}

impl DictWriter {
    fn put<T: Serialize + ?Sized>(&mut self, name: String, value: &T) -> Result<(), VariantError> {
        if self.counters == Counters::Hidden && COUNTERS.contains(&name.as_str()) {
            return Ok(());
        }
        let value = match value.serialize(Writer(self.counters))? {
            None => return Ok(()),
            // The one dictionary of plain numbers (a{su}).
            Some(Written::Dict(counts)) if name == "penalties" => {
                let count = |value: Variant<'static>| u32::try_from(value).ok();
                let counts = counts.into_iter().filter_map(|(name, n)| Some((name, count(n)?)));
                counts.collect::<BTreeMap<String, u32>>().into()
            }
            Some(value) => value.into(),
        };
        self.dict.insert(name, value);
        Ok(())
    }
}

impl ser::SerializeMap for DictWriter {
    type Ok = Option<Written>;
    type Error = VariantError;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), VariantError> {
        self.name = match name.serialize(Writer(self.counters))? {
            Some(Written::Plain(Variant::Str(name))) => Some(name.to_string()),
            _ => return Err(ser::Error::custom("expected a name")),
        };
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VariantError> {
        let name = self.name.take().unwrap_or_default();
        self.put(name, value)
    }
    fn end(self) -> Value {
        Ok(Some(Written::Dict(self.dict)))
    }
}

impl ser::SerializeStruct for DictWriter {
    type Ok = Option<Written>;
    type Error = VariantError;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), VariantError> {
        self.put(name.to_owned(), value)
    }
    fn end(self) -> Value {
        Ok(Some(Written::Dict(self.dict)))
    }
}
