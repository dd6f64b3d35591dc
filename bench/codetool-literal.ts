/**
 * How long does `search --literal` take over Wireshark's source (300 MB unpacked, more with what is built), from the start
 * of the executable to its end, with an index and without one, and `rg -F` for the same texts? The files are warm. A line
 * each says how much longer than ripgrep a rare, some, a common and an absent text take.
 */
import type { Bench } from "./bench.ts";
import { bareLiterals, indexedLiterals, ripgrepLiterals } from "./rivals/literal.ts";

export const bench: Bench = {
  question: "How long does a search for a literal take in a large tree, with and without an index?",
  operation: "answer",
  contenders: [indexedLiterals, bareLiterals, ripgrepLiterals],
  yardstick: "rg",
};
