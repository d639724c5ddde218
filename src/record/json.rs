//! One JSON object out of one line of text, with nothing dropped on the way.
//!
//! What the members mean is not looked at here. A line is read once, into a tree that borrows from
//! it: a journal is read as fast as it comes off the disk. Only a line that is refused is read
//! again, by `serde_json`, for its words and its column.
//!
//! Of two members of the same name most readers keep one and say nothing; in a journal that would
//! be a line with two truths, so a repeated name is refused at any depth.

use std::borrow::Cow;
use std::collections::HashSet;

use hifijson::num::{LexWrite as _, Parts};
use hifijson::str::LexAlloc as _;
use hifijson::token::Lex;
use hifijson::{Error, Expect, SliceLexer};

use super::objection;

/// A value of a line; numbers are their text.
pub(super) type Value<'a> = hifijson::value::Value<&'a str, Cow<'a, str>>;

/// The members of an object in their order.
pub(super) type Object<'a> = Vec<(Cow<'a, str>, Value<'a>)>;

/// How deep a line may nest, as deep as `serde_json` reads.
pub(super) const DEEPEST: usize = 128;

/// Objects of up to so many members are searched for repeated names without a table of them.
const FEW: usize = 16;

/// Reads a line as an object.
///
/// # Errors
/// A sentence: what is wrong, where in the line, and what would be right.
pub(super) fn object(line: &str) -> Result<Object<'_>, String> {
    let mut lexer = SliceLexer::new(line.as_bytes());
    match lexer.exactly_one(Lex::ws_peek, |next, lexer| value(line, DEEPEST, next, lexer)) {
        Ok(Value::Object(members)) if !repeats_among(&members) => Ok(members),
        Ok(Value::Object(_)) => Err(objection::repeated(line)),
        Ok(other) => Err(format!(
            "the line holds {} where one JSON object is expected, \
             as in {{\"kind\":\"query\",\"at_us\":0}}",
            kind_of(&other)
        )),
        Err(_) => Err(objection::unreadable(line)),
    }
}

/// What a value is, for a sentence.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Reads the value that begins with `next`.
fn value<'a>(
    line: &'a str,
    depth: usize,
    next: u8,
    lexer: &mut SliceLexer<'a>,
) -> Result<Value<'a>, Error> {
    let depth = depth.checked_sub(1).ok_or(Error::Depth)?;
    match next {
        b'"' => Ok(Value::String(text(line, lexer.discarded())?)),
        b'-' | b'0'..=b'9' => number(line, lexer),
        b'{' => {
            let mut members = Object::new();
            lexer.discarded().seq(b'}', Lex::ws_peek, |next, lexer| {
                lexer.expect(|_| Some(next), b'"').ok_or(Expect::String)?;
                let name = text(line, lexer)?;
                lexer.expect(Lex::ws_peek, b':').ok_or(Expect::Colon)?;
                let next = lexer.ws_peek().ok_or(Expect::Value)?;
                members.push((name, value(line, depth, next, lexer)?));
                Ok::<_, Error>(())
            })?;
            Ok(Value::Object(members))
        }
        b'[' => {
            let mut values = Vec::new();
            lexer.discarded().seq(b']', Lex::ws_peek, |next, lexer| {
                values.push(value(line, depth, next, lexer)?);
                Ok::<_, Error>(())
            })?;
            Ok(Value::Array(values))
        }
        _ => match lexer.null_or_bool().ok_or(Expect::Value)? {
            Some(on) => Ok(Value::Bool(on)),
            None => Ok(Value::Null),
        },
    }
}

/// Reads a number. Almost every one is digits alone and is cut out of the line.
fn number<'a>(line: &'a str, lexer: &mut SliceLexer<'a>) -> Result<Value<'a>, Error> {
    let rest = lexer.as_slice();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = line.len() - rest.len();
    if (digits == 1 || digits > 1 && !rest.starts_with(b"0"))
        && let Some(behind @ [b',' | b'}', ..]) = rest.get(digits..)
        && let Some(plain) = line.get(start..start + digits)
    {
        *lexer = SliceLexer::new(behind);
        return Ok(Value::Number((plain, Parts::default())));
    }
    Ok(Value::Number(lexer.num_string().validated()?))
}

/// Reads the text behind a quotation mark. Almost every one is plain and is cut out of the line.
fn text<'a>(line: &'a str, lexer: &mut SliceLexer<'a>) -> Result<Cow<'a, str>, Error> {
    let rest = lexer.as_slice();
    let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
    let start = line.len() - rest.len();
    if let Some(end) = end
        && let Some([b'"', behind @ ..]) = rest.get(end..)
        && let Some(plain) = line.get(start..start + end)
    {
        *lexer = SliceLexer::new(behind);
        return Ok(Cow::Borrowed(plain));
    }
    Ok(lexer.str_string()?)
}

/// True if an object in the value names a member twice.
fn repeats(value: &Value) -> bool {
    match value {
        Value::Object(members) => repeats_among(members),
        Value::Array(values) => values.iter().any(repeats),
        _ => false,
    }
}

fn repeats_among(members: &Object) -> bool {
    let twice = if members.len() <= FEW {
        let mut rest = members.as_slice();
        core::iter::from_fn(|| {
            let ((name, _), others) = rest.split_first()?;
            rest = others;
            Some(others.iter().any(|(other, _)| other == name))
        })
        .any(|twice| twice)
    } else {
        let mut names = HashSet::with_capacity(members.len());
        !members.iter().all(|(name, _)| names.insert(name.as_ref()))
    };
    twice || members.iter().any(|(_, value)| repeats(value))
}

/// The value with everything its own, as `serde_json` writes it.
pub(super) fn owned(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(on) => (*on).into(),
        // a number that was read is one
        Value::Number((text, _)) => {
            text.parse::<serde_json::Number>().map_or(serde_json::Value::Null, Into::into)
        }
        Value::String(text) => text.as_ref().into(),
        Value::Array(values) => values.iter().map(owned).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone().into_owned(), owned(value)))
            .collect::<super::Fields>()
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_member_named_twice_is_refused_at_any_depth() {
        for line in [
            r#"{"kind":"query","kind":"pause"}"#,
            r#"{"white":{"moves":1,"main_us":2.5,"moves":1}}"#,
            r#"{"a":[1,{"b":null,"b":true}]}"#,
        ] {
            let error = object(line).expect_err(line);
            assert!(error.contains("given twice"), "{line}: {error}");
        }
    }

    #[test]
    fn numbers_keep_their_decimal_text() {
        let line = r#"{"at_us":1234.567,"n":[0.1,-2]}"#;
        let value = owned(&Value::Object(object(line).expect("an object")));
        assert_eq!(value.to_string(), line);
    }

    #[test]
    fn a_name_is_repeated_among_many_members_as_among_few() {
        for others in [0, FEW - 2, FEW - 1, FEW, 10 * FEW] {
            let others: String = (0..others).map(|at| format!("\"m{at}\":{at},")).collect();
            assert!(object(&format!("{{{others}\"x\":1,\"y\":2}}")).is_ok(), "{others}");
            let line = format!("{{\"x\":1,{others}\"\\u0078\":2}}");
            let error = object(&line);
            assert!(error.is_err_and(|why| why.contains("`x` is given twice")), "{others}");
        }
    }

    proptest! {
        #[test]
        fn what_serde_json_reads_as_an_object_is_read_alike_and_nothing_else(
            line in r#"\{("(a|b|\\u00[46]1|\\ud8[03]4\\udd1e|\\n|é)":(-?0?[1-9]?(\.[0-9]{1,2})?(e[+-]?1)?|true|null|"\\?[/"x]"|\[([0-9],?)?\]|\{("b":1,?)?\}) ?,? ?){0,3}\} ?"#,
        ) {
            let whole = serde_json::from_str::<serde_json::Value>(&line);
            let read = object(&line);
            match (whole, read) {
                (Ok(whole), Ok(read)) => prop_assert_eq!(owned(&Value::Object(read)), whole),
                (Ok(_), Err(why)) => prop_assert!(why.contains("twice"), "{}: {}", line, why),
                (Err(why), Ok(_)) => prop_assert!(false, "{}: {}", line, why),
                (Err(_), Err(_)) => {}
            }
        }
    }

    #[test]
    fn a_line_nests_as_deep_as_serde_json_reads_and_no_deeper() {
        let nested =
            |depth: usize| format!("{{\"a\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(object(&nested(126)).is_ok());
        for depth in [127, 1_000, 100_000] {
            let error = object(&nested(depth)).expect_err("too deep");
            assert!(error.contains("recursion limit"), "{error}");
        }
    }

    #[test]
    fn what_is_no_object_is_refused_with_the_place_and_what_it_is() {
        for (line, part) in [
            ("", "the line is empty"),
            ("[]", "a list"),
            ("1", "a number"),
            ("\"x\"", "a text"),
            ("{\"a\":1", "column 6"),
            ("{\"a\":1} {}", "column 9"),
        ] {
            let error = object(line).expect_err(line);
            assert!(error.contains(part) && error.contains("one JSON object"), "{line}: {error}");
        }
    }
}
