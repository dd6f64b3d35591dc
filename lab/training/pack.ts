/**
 * Packs trained vectors into the file that codetool reads.
 *
 *     node lab/training/pack.ts <trained> <table>
 *
 * `<trained>` holds `stems.txt` and `vectors.f32` (as train.py writes them). The length of a vector becomes the weight
 * of its token, its direction the row.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { toHalf } from "../../codetool/src/model/half-float.ts";
import { buildTokenTable, sealTokenTable } from "../../codetool/src/model/index.ts";

async function main(): Promise<number> {
  const [trained, table] = process.argv.slice(2);
  if (trained === undefined || table === undefined) {
    process.stderr.write("usage: node lab/training/pack.ts <trained> <table>\n");
    return 2;
  }
  const stems = readFileSync(join(trained, "stems.txt"), "utf8").split("\n");
  const content = readFileSync(join(trained, "vectors.f32"));
  const numbers = new Float32Array(
    content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength),
  );
  const dimensions = numbers.length / stems.length;
  const weights = new Float32Array(stems.length);
  const vectors = new Uint16Array(numbers.length);
  for (let row = 0; row < stems.length; row += 1) {
    const vector = numbers.subarray(row * dimensions, (row + 1) * dimensions);
    const length = Math.hypot(...vector);
    weights[row] = length;
    for (const [axis, value] of vector.entries())
      vectors[row * dimensions + axis] = toHalf(length === 0 ? 0 : value / length);
  }
  const { bytes, leftOutCount } = buildTokenTable({ dimensions, stems, weights, vectors });
  await sealTokenTable(bytes);
  writeFileSync(table, bytes);
  process.stdout.write(
    `${stems.length - leftOutCount} rows of ${dimensions}, ${bytes.length} bytes, ${leftOutCount} left out\n`,
  );
  return 0;
}

process.exitCode = await main();
