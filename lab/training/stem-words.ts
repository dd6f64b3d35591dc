/** Reads a file of words, one a line, and writes their stems: the tokens that the table has rows for. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { stemInPlace } from "../../codetool/src/model/stem.ts";

const words = readFileSync(process.argv[2] as string, "utf8").split("\n");
const stems = words.map((word) => {
  const bytes = Buffer.from(word, "utf8");
  return bytes.toString("utf8", 0, stemInPlace(bytes, bytes.length));
});
process.stdout.write(stems.join("\n"));
