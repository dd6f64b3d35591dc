import type { GraphDirection, ImportGraph } from "../../imports/index.ts";
import type { SectionFile, SectionWriter } from "../sections/index.ts";

const directions = ["imports", "importers"] as const;

/** Writes the graph of a tree, its files numbered in the byte order of their paths, as the sections `graph.*`. */
export function writeGraph(writer: SectionWriter, graph: ImportGraph): void {
  for (const name of directions) {
    const { starts, files, percents } = graph[name];
    writer.section(`graph.${name}.starts`, starts);
    writer.section(`graph.${name}.files`, files);
    writer.section(`graph.${name}.percents`, percents);
  }
  writer.section("graph.importance", graph.importance);
}

/** The graph that `writeGraph` wrote; each part is read when it is first asked for. */
export function readGraph(section: SectionFile): ImportGraph {
  const read = (name: (typeof directions)[number]): GraphDirection => ({
    starts: section.array(`graph.${name}.starts`, Uint32Array),
    files: section.array(`graph.${name}.files`, Uint32Array),
    percents: section.array(`graph.${name}.percents`, Uint8Array),
  });
  let imports: GraphDirection | undefined;
  let importers: GraphDirection | undefined;
  let importance: Float32Array | undefined;
  return {
    fileCount: section.lengthOf("graph.importance") / Float32Array.BYTES_PER_ELEMENT,
    get imports() {
      return (imports ??= read("imports"));
    },
    get importers() {
      return (importers ??= read("importers"));
    },
    get importance() {
      return (importance ??= section.array("graph.importance", Float32Array));
    },
  };
}
