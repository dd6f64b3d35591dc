/**
 * Configuration texts of other programs: one thing is added to them, found again and taken out.
 *
 *   text ─ add ─▶ text with one stretch more ─ take ─▶ the text as it was, byte for byte
 *
 * An addition is an entry of a JSON object, a table of TOML, a marked block of Markdown, or a whole file. It edits the
 * text and never writes out what was parsed, so that comments, order and white space stay. After an edit the
 * text is parsed again: an edit that did not do what it was to do is an error.
 *
 * It must not know files, programs or what the entries mean.
 */
export { type Addition, type AdditionKind, ConfigError } from "./addition.ts";
export { jsonEntry } from "./json-entry.ts";
export { markedBlock } from "./marked-block.ts";
export { takerOf } from "./taker.ts";
export { tomlTable } from "./toml-table.ts";
export { wholeFile } from "./whole-file.ts";
