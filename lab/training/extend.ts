/**
 * Gives a trained table rows for the stems that it lacks, from the words around them.
 *
 *     node lab/training/extend.ts <table> <corpus> <out>
 *
 * The rows that are there stay as they are, bit for bit. A new stem's direction is what a linear map makes of the mean of
 * the vectors around it, and the map is what takes that mean to the vector for the stems that the table has (Khodak and
 * others 2018, "A la carte embedding"). One in ten of the table's stems is kept from the map, and how near the map comes
 * to them is printed: the cosine, by how often a stem was met. A new stem's weight is the one that stems as rare as it
 * have in the table, times that cosine, so that what is known less well counts less.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { fromHalf, toHalf } from "../../codetool/src/model/half-float.ts";
import { buildTokenTable, sealTokenTable, TokenTable } from "../../codetool/src/model/index.ts";
import { stemHash } from "../../codetool/src/model/token-hash.ts";
import { ContextMeans } from "./context-means.ts";
import { LeastSquares, type LinearMap } from "./least-squares.ts";
import { StemNumbers, stemStreams } from "./stem-streams.ts";

const rowsMax = 62_500;
const countMin = 2;
const ridge = 1e-3;
/** Stems above are common: their weights say nothing of rare ones. */
const rareMax = 60;
const countRanges = [
  [1, 4],
  [5, 9],
  [10, 39],
  [40, Infinity],
] as const;
/** Every such stem of the table is kept from the map, to measure it. */
const heldOutEach = 10;

/** How often stems occur, and in how many repositories, by their numbers. */
interface StemCounts {
  readonly counts: number[];
  readonly spreads: number[];
}

async function countStems(roots: readonly string[], numbers: StemNumbers): Promise<StemCounts> {
  const counts: number[] = [];
  const spreads: number[] = [];
  const lastRoot: number[] = [];
  for (const [number, root] of roots.entries()) {
    for await (const stream of stemStreams(root, numbers)) {
      for (const stem of stream) {
        counts[stem] = (counts[stem] ?? 0) + 1;
        if (lastRoot[stem] === number) continue;
        lastRoot[stem] = number;
        spreads[stem] = (spreads[stem] ?? 0) + 1;
      }
    }
    process.stderr.write(`counted ${number + 1} of ${roots.length}\r`);
  }
  process.stderr.write("\n");
  return { counts, spreads };
}

/** The stems that the table lacks, those of many repositories and the commonest first, as many as there is room for. */
function newStems(
  { counts, spreads }: StemCounts,
  { stems }: StemNumbers,
  options: { readonly known: readonly string[]; readonly room: number },
): number[] {
  const known = new Set(options.known);
  const hashes = new Set(options.known.map(stemHash));
  const rank = (stem: number): number =>
    (spreads[stem] as number) * Math.sqrt(counts[stem] as number);
  return [...stems.keys()]
    .filter(
      (stem) =>
        !known.has(stems[stem] as string) &&
        (stems[stem] as string).length > 1 &&
        (counts[stem] ?? 0) >= countMin,
    )
    .sort((a, b) => rank(b) - rank(a) || ((stems[a] as string) < (stems[b] as string) ? -1 : 1))
    .filter((stem) => {
      // Two stems with one hash would be one row.
      const hash = stemHash(stems[stem] as string);
      return !hashes.has(hash) && hashes.add(hash);
    })
    .slice(0, options.room);
}

/** A table as rows of numbers that can be added to. */
class OpenTable {
  readonly dimensions: number;
  readonly stems: string[] = [];
  readonly weights: number[] = [];
  readonly #halves: Uint16Array;
  readonly vectors: Float32Array;

  constructor(table: TokenTable, rows: number) {
    this.dimensions = table.dimensions;
    this.#halves = new Uint16Array(rows * table.dimensions);
    this.#halves.set(table.vectors);
    this.vectors = new Float32Array(rows * table.dimensions);
    for (let row = 0; row < table.rowCount; row += 1) {
      this.stems.push(table.stemOf(row));
      this.weights.push(table.weights[row] as number);
    }
    for (const [index, bits] of table.vectors.entries()) this.vectors[index] = fromHalf(bits);
  }

  /** The vector of a row times its weight. */
  weighted(): Float32Array {
    return this.vectors.map(
      (value, index) => value * (this.weights[Math.floor(index / this.dimensions)] ?? 0),
    );
  }

  vectorOf(row: number): Float32Array {
    return this.vectors.subarray(row * this.dimensions, (row + 1) * this.dimensions);
  }

  add(stem: string, vector: Float64Array, weight: number): void {
    const length = Math.hypot(...vector);
    const start = this.stems.length * this.dimensions;
    for (const [axis, value] of vector.entries())
      this.#halves[start + axis] = toHalf(length === 0 ? 0 : value / length);
    this.stems.push(stem);
    this.weights.push(weight);
  }

  async file(): Promise<Uint8Array> {
    const { bytes, leftOutCount } = buildTokenTable({
      dimensions: this.dimensions,
      stems: this.stems,
      weights: Float32Array.from(this.weights),
      vectors: this.#halves.subarray(0, this.stems.length * this.dimensions),
    });
    if (leftOutCount > 0) throw new Error(`${leftOutCount} stems share a hash with another`);
    await sealTokenTable(bytes);
    return bytes;
  }
}

function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let product = 0;
  for (let axis = 0; axis < left.length; axis += 1)
    product += (left[axis] as number) * (right[axis] as number);
  return (
    product / Math.max(1e-9, Math.hypot(...Array.from(left)) * Math.hypot(...Array.from(right)))
  );
}

/** How often a stem was met, from one count to another, and how near the map comes to such stems. */
interface Nearness {
  readonly least: number;
  readonly most: number;
  readonly cosine: number;
}

/** The map from the mean around a stem to its vector, learnt from nine in ten of the rows that are known. */
function learnMap(
  table: OpenTable,
  knownRows: number,
  means: ContextMeans,
): { readonly map: LinearMap; readonly nearness: readonly Nearness[] } {
  const squares = new LeastSquares(table.dimensions, table.dimensions);
  for (let row = 0; row < knownRows; row += 1) {
    const count = means.countOf(row);
    if (count === 0 || row % heldOutEach === 0) continue;
    squares.add(means.meanOf(row), table.vectorOf(row), Math.log(1 + count));
  }
  const map = squares.solve(ridge);
  const near: { count: number; cosine: number }[] = [];
  for (let row = 0; row < knownRows; row += heldOutEach) {
    const count = means.countOf(row);
    if (count > 0)
      near.push({ count, cosine: cosine(map.apply(means.meanOf(row)), table.vectorOf(row)) });
  }
  const nearness = countRanges.map(([least, most]) => {
    const inRange = near.filter(({ count }) => count >= least && count <= most);
    const some = inRange.length > 0 ? inRange : near;
    const mean = some.reduce((sum, one) => sum + one.cosine, 0) / Math.max(1, some.length);
    process.stdout.write(
      `kept from the map, met ${least} to ${most} times: ${inRange.length} stems, cosine ${mean.toFixed(3)}\n`,
    );
    return { least, most, cosine: mean };
  });
  return { map, nearness };
}

/** The weight of stems of the table by how often they were met: a line through its logarithm, by least squares. */
function learnWeights(table: OpenTable, counts: readonly number[]): (count: number) => number {
  const line = new LeastSquares(2, 1);
  for (const [row, count] of counts.entries()) {
    const weight = table.weights[row] as number;
    if (count >= countMin && count <= rareMax && weight > 0)
      line.add([1, Math.log(count)], [Math.log(weight)], 1);
  }
  const map = line.solve(1e-9);
  return (count) => Math.exp(map.apply([1, Math.log(Math.min(count, rareMax))])[0] as number);
}

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true, strict: true });
  const [tablePath, corpus, out] = positionals;
  if (tablePath === undefined || corpus === undefined || out === undefined) {
    process.stderr.write("usage: node lab/training/extend.ts <table> <corpus> <out>\n");
    return 2;
  }
  const roots = readdirSync(corpus)
    .filter((name) => !name.endsWith(".part"))
    .sort()
    .map((name) => join(corpus, name));
  const old = new TokenTable(new Uint8Array(readFileSync(tablePath)));
  const table = new OpenTable(old, rowsMax);
  const numbers = new StemNumbers();
  const found = await countStems(roots, numbers);
  const added = newStems(found, numbers, {
    known: table.stems,
    room: rowsMax - old.rowCount,
  });
  const rowOfStem = new Int32Array(numbers.stems.length).fill(-1);
  const numberOfStem = new Map(numbers.stems.map((stem, number) => [stem, number]));
  const countsOfRows = table.stems.map((stem, row) => {
    const number = numberOfStem.get(stem);
    if (number === undefined) return 0;
    rowOfStem[number] = row;
    return found.counts[number] ?? 0;
  });
  for (const [index, stem] of added.entries()) rowOfStem[stem] = old.rowCount + index;
  const means = new ContextMeans({ dimensions: table.dimensions, numbers: table.weighted() });
  for (const root of roots) {
    means.beginRepository();
    for await (const stream of stemStreams(root, numbers))
      means.add(stream.map((stem) => rowOfStem[stem] ?? -1));
  }
  const unmet = countsOfRows.filter((count) => count === 0).length;
  process.stdout.write(`${roots.length} repositories, ${numbers.stems.length} stems; `);
  process.stdout.write(`${old.rowCount} rows were there, ${unmet} of them not met\n`);
  const { map, nearness } = learnMap(table, old.rowCount, means);
  const weightOf = learnWeights(table, countsOfRows);
  for (const [index, stem] of added.entries()) {
    const vector = map.apply(means.meanOf(old.rowCount + index));
    const met = means.countOf(old.rowCount + index);
    const range = nearness.find(({ least, most }) => met >= least && met <= most);
    const weight = weightOf(found.counts[stem] as number) * (range?.cosine ?? 0);
    table.add(numbers.stems[stem] as string, vector, weight);
  }
  const bytes = await table.file();
  writeFileSync(out, bytes);
  process.stdout.write(`${table.stems.length} rows, ${bytes.length} bytes\n`);
  return 0;
}

process.exitCode = await main();
