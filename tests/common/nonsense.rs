//! Texts of any length that nobody writes by hand. Each begins as something right, in its own
//! format, and goes on for ever.

/// Repeats a piece up to about that many bytes.
fn repeated(piece: &str, length: usize) -> String {
    piece.repeat(length / piece.len())
}

/// Numbers each of the pieces: `a0`, `a1`, ...
fn numbered(piece: &str, length: usize) -> String {
    let pieces = length / (piece.len() + 6);
    (0..pieces).map(|number| piece.replace('#', &number.to_string())).collect()
}

/// Lines of a journal, all of which are refused.
pub(crate) fn lines(length: usize) -> Vec<String> {
    let query = |rest: &str| format!("{{\"kind\":\"query\",\"at_us\":0,{rest}}}");
    let repeated = |piece: &str| repeated(piece, length);
    let deep = |open: &str, close: &str| query(&format!("\"x\":{}{}", repeated(open), close));
    let text = repeated("é");
    vec![
        repeated(" "),
        repeated("["),
        repeated("{\"a\":"),
        repeated("1"),
        repeated(","),
        repeated("{\"kind\":\"query\",\"at_us\":0}"),
        format!("\"{text}"),
        format!("\"{}\"", repeated("\\u00e9")),
        deep("[", ""),
        deep("[{\"a\":", "1"),
        query(&format!("\"x\":[{}1]", repeated("1,"))),
        query(&format!("\"x\":[{}[]]", repeated("[[[]]],"))),
        query(&format!("\"{text}\":1")),
        query(&format!("\"{}\":1", repeated("\\\""))),
        query(&format!("\"seq\":{}", repeated("9"))),
        query(&format!("\"seq\":0.{}", repeated("0"))),
        query(&format!("\"seq\":\"{text}\"")),
        query(&format!("\"wall\":\"{}\"", repeated("2026-11-30T"))),
        query(&format!("\"hash\":\"{}\"", repeated("0"))),
        query(&format!("\"origin\":\"bus{text}\"")),
        query(&format!("{}\"x\":1", numbered("\"m#\":0,", length))),
        query(&format!("{}\"m0\":1", numbered("\"m#\":0,", length))),
        query(&format!("{}\"x\":1", repeated("\"a\":0,"))),
        query(&format!("\"state\":{{{}\"m0\":1}}", numbered("\"m#\":0,", length))),
        query(&format!("\"state\":[{}1]", repeated("{\"a\":1,\"b\":2},"))),
        format!("{{\"at_us\":{},\"kind\":\"query\"}}", repeated("9")),
        format!("{{\"at_us\":0.{}1,\"kind\":\"query\"}}", repeated("0")),
        format!("{{\"at_us\":0,\"kind\":\"{}\"}}", repeated("press")),
        format!("{{\"at_us\":0,\"kind\":[{}1]}}", repeated("\"press\",")),
        format!(
            "{{\"at_us\":0,\"kind\":\"new_game\",\"control\":\"5m\",\"switches\":{{{}\"x\":1}}}}",
            numbered("\"m#\":true,", length)
        ),
        format!(
            "{{\"at_us\":0,\"kind\":\"new_game\",\"control\":\"5m\",\"switches\":{{\"freeze\":\"{text}\"}}}}"
        ),
        format!("{{\"at_us\":0,\"kind\":\"new_game\",\"control\":\"{}\"}}", repeated("5m, ")),
        format!(
            "{{\"at_us\":0,\"kind\":\"adjust\",\"white\":{{{}\"x\":1}}}}",
            numbered("\"m#\":0,", length)
        ),
    ]
}

/// Presets files, all of which are refused.
pub(crate) fn files(length: usize) -> Vec<String> {
    let repeated = |piece: &str| repeated(piece, length);
    let preset = |id: &str, name: &str, control: &str| {
        format!(
            "[[preset]]\nid = \"{id}\"\nname = \"{name}\"\nlabel = \"a\"\ncontrol = \"{control}\"\n"
        )
    };
    let text = repeated("é");
    vec![
        repeated("["),
        repeated("[["),
        repeated("x"),
        repeated("1"),
        repeated("a."),
        repeated("\"\"\""),
        repeated("[[preset]]\n"),
        format!("a = {}", repeated("[")),
        format!("a = {}", repeated("{a=")),
        format!("a = {}", repeated("9")),
        format!("a = [{}]", repeated("1,")),
        format!("a = [{}1]", repeated("\n")),
        format!("a = \"{}\"", repeated("\\u00e9")),
        format!("a = '''{}", repeated("\n")),
        format!("{}a", repeated("#\n")),
        format!("[{}b]", repeated("a.")),
        format!("{}b = 1", repeated("a.")),
        numbered("a# = 1\n", length),
        numbered("[a#]\n", length),
        numbered("[[a#]]\n", length),
        numbered("a.b# = 1\n", length),
        repeated("a = 1\n"),
        preset(&repeated("a"), &text, "5"),
        preset("a", &text, "5"),
        preset("a", "a", &repeated("5m, ")),
        numbered(&preset("p#", "a", "5m"), length) + &preset("p0", "a", "5m"),
        format!("{}profile = \"{text}\"", preset("a", "a", "5m")),
        format!("{}{text} = 1", preset("a", "a", "5m")),
    ]
}
