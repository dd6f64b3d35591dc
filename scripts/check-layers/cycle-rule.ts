import type { Fault, SourceFile } from "./source-files.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** No file imports itself by way of others; imports of types count. */
export function checkFileCycles(files: readonly SourceFile[]): Fault[] {
  const graph = new Map(
    files.map((file) => [file.path, new Set(file.imports.flatMap(({ target }) => target ?? []))]),
  );
  return cyclesOf(graph).map((cycle) => ({
    path: cycle[0] ?? "",
    line1: 1,
    message: `import cycle ${cycle.join(" -> ")}`,
  }));
}

/** Folders side by side import each other in one direction; tests apart, imports of types count. */
export function checkFolderCycles(files: readonly SourceFile[]): Fault[] {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const file of files)
    for (const { target } of file.isTest ? [] : file.imports) {
      const edge = target === undefined ? undefined : neighbours(file.path, target);
      if (edge === undefined) continue;
      const graph = graphs.get(edge.parent) ?? new Map<string, Set<string>>();
      graphs.set(edge.parent, graph);
      const targets = graph.get(edge.from) ?? new Set();
      graph.set(edge.from, targets.add(edge.to));
    }
  return [...graphs].flatMap(([parent, graph]) =>
    cyclesOf(graph).map((cycle) => ({
      path: cycle[0] ?? parent,
      line1: 1,
      message: `folders import each other in a circle: ${cycle.join(" -> ")}`,
    })),
  );
}

/** The two folders side by side between which an import runs; undefined when one of the files is in none. */
function neighbours(
  from: string,
  target: string,
): { readonly parent: string; readonly from: string; readonly to: string } | undefined {
  const own = from.split("/").slice(0, -1);
  const theirs = target.split("/").slice(0, -1);
  let depth = 0;
  while (depth < own.length && own[depth] === theirs[depth]) depth += 1;
  if (depth >= own.length || depth >= theirs.length) return undefined;
  const upTo = (path: readonly string[]): string => path.slice(0, depth + 1).join("/");
  return { parent: own.slice(0, depth).join("/"), from: upTo(own), to: upTo(theirs) };
}

/** Depth-first search with an explicit path; each cycle is reported once, at its first node. */
function cyclesOf(graph: Graph): string[][] {
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): void => {
    if (state.get(node) === "done") return;
    if (state.get(node) === "open") {
      cycles.push([...path.slice(path.indexOf(node)), node]);
      return;
    }
    state.set(node, "open");
    path.push(node);
    for (const target of graph.get(node) ?? []) visit(target);
    path.pop();
    state.set(node, "done");
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}
