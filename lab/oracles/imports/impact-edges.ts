import { resolve } from "node:path";
import process from "node:process";
import { visibleNamesOf } from "../../../codetool/src/commands/project/defined-symbols.ts";
import { resolveTarget } from "../../../codetool/src/commands/paths.ts";
import { openProjectCorpus } from "../../../codetool/src/commands/project/project-corpus.ts";
import { ProjectTexts } from "../../../codetool/src/commands/project/project-texts.ts";
import { findDependents } from "../../../codetool/src/imports/index.ts";

/** `from > to` for each file and its direct dependents, as `codetool impact` finds them by imports and packages. */
export async function impactEdges(folder: string): Promise<{
  readonly paths: readonly string[];
  readonly edges: readonly (readonly [from: number, to: number])[];
}> {
  const context = { workingDirectory: resolve(folder), environment: process.env };
  const target = resolveTarget(".", context);
  // The folder alone counts for the judges, whatever project it is in.
  const own = { ...target, root: target.absolutePath };
  using project = await openProjectCorpus(own, { ...context, isIndexLeftAside: true });
  const { corpus } = project;
  const { read: readText } = new ProjectTexts(project, context, new Set());
  const files = corpus.importingFiles();
  const edges: (readonly [number, number])[] = [];
  for (let file = 0; file < corpus.fileCount; file += 1) {
    const { dependents } = findDependents({
      graph: corpus.importGraph,
      resolver: project.resolver(),
      fileOf: (number) => files[number] as (typeof files)[number],
      readText,
      target: file,
      ...visibleNamesOf(corpus, file, readText),
      isBySymbol: false,
      hopsMax: 1,
    });
    for (const dependent of dependents) edges.push([dependent.file, file]);
  }
  return { paths: files.map(({ path }) => path), edges };
}
