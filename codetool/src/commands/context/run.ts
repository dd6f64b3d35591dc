import { isDataFormat } from "../../syntax/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { contextDocOf } from "./doc.ts";
import { contextEdgesOf } from "./edges.ts";
import { entrypointsOf } from "./entrypoints.ts";
import type { ContextInput } from "./input.ts";
import { type ContextFile, contextFilesOf } from "./files.ts";
import {
  type ContextFileSymbols,
  type ContextPayload,
  contextPayload,
  type ContextParts,
} from "./payload.ts";
import { leavingDamageAside } from "../open-index.ts";
import { displayPath, displayRoot, resolveTarget, type Target } from "../paths.ts";
import { answerInOneState, type ProjectCorpus, SymbolUsers } from "../project/index.ts";
import { SymbolPairs } from "./symbol-pairs.ts";
import { loadTokenCounter } from "../../text/index.ts";
import { uncommittedFiles } from "./uncommitted-files.ts";

/** The default budget: enough for a module, and a small part of what an agent can hold. */
const budgetTokensDefault = 4000;

/**
 * Packs what one should know of a folder or a file before working in it.
 *
 * @throws file_not_found, permission_denied.
 */
export async function runContext(
  input: ContextInput,
  context: CommandContext,
): Promise<CommandResult<ContextPayload>> {
  return await leavingDamageAside(context, async (own) => {
    const target = resolveTarget(input.path, own);
    return await answerInOneState(
      { target, context: own },
      async (project, readText) =>
        await packContext(input, { target, context: own, project, readText }),
    );
  });
}

async function packContext(
  input: ContextInput,
  from: {
    readonly target: Target;
    readonly context: CommandContext;
    readonly project: ProjectCorpus;
    readonly readText: (file: number) => string | undefined;
  },
): Promise<CommandResult<ContextPayload>> {
  const { target, context, project, readText } = from;
  const warnings = [...project.warnings];
  const hasTests = input.include_tests === true;
  const files = contextFilesOf(target, project, {
    hasTests,
    depthMax: input.depth,
    changed: await uncommittedFiles(target, project, context),
  });
  if (files.length === 0) warnings.push(`"${input.path}" has no text of a known language`);
  const pairs = new SymbolPairs(project, readText);
  const isShown = (file: number): boolean =>
    context.mayShow?.(project.absolutePathOf(file)) ?? true;
  const parts: ContextParts = {
    root: displayRoot(target),
    target: displayPath(target, target.absolutePath),
    kind: target.isDirectory ? "directory" : "file",
    stats: statsOf(files, project),
    doc: input.no_doc === true ? undefined : contextDocOf(target, project, { files, readText }),
    entrypoints: entrypointsOf(files, project, new SymbolUsers(project, readText)),
    files: files.map(({ file }) => skeletonOf(file, project, { hasTests })),
    edges: input.no_edges === true ? undefined : contextEdgesOf(files, project, { pairs, isShown }),
  };
  const data = contextPayload(parts, {
    budgetTokens: input.budget ?? budgetTokensDefault,
    countTokens: await loadTokenCounter(),
    isDefault: input.budget === undefined,
  });
  const sizes = new Map(
    files.map(({ file }) => [project.shownPathOf(file), project.corpus.file(file).sizeBytes]),
  );
  let sizeBytes = 0;
  for (const { path } of data.files) sizeBytes += sizes.get(path) ?? 0;
  const unixOutput = { way: "cat", sizeBytes } as const;
  return { data, unixOutput, ...(warnings.length === 0 ? {} : { warnings }) };
}

function statsOf(files: readonly ContextFile[], { corpus }: ProjectCorpus): ContextParts["stats"] {
  const counts = new Map<string, number>();
  let lines = 0;
  let symbols = 0;
  for (const { file, symbolCount } of files) {
    const { language, lineCount } = corpus.file(file);
    lines += lineCount;
    symbols += symbolCount;
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const languages = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return { files: files.length, lines, symbols, languages: Object.fromEntries(languages) };
}

/** Definitions inside of functions are left out, and so are the test modules of a Rust file unless tests are asked for. */
function skeletonOf(
  file: number,
  { corpus, shownPathOf }: ProjectCorpus,
  { hasTests }: { readonly hasTests: boolean },
): ContextFileSymbols {
  const { lineCount, language } = corpus.file(file);
  const signatures = corpus.signaturesOf(file);
  const symbols = corpus.symbolsOf(file);
  return {
    path: shownPathOf(file),
    lines: lineCount,
    language,
    symbols: symbols
      .map(({ name, kind, startLine1, isExported, parent }, at) => ({
        kind,
        line1: startLine1,
        around: around(symbols, parent),
        name,
        signature: signatures[at] ?? name,
        isOffered: isExported && (parent === null || symbols[parent]?.kind === "module"),
      }))
      // Of a data file, its sections are useful, not every value.
      .filter(({ kind }) => kind !== "const" || !isDataFormat(language))
      .filter(
        (symbol) =>
          !symbol.around.some(isCallable) &&
          (hasTests || language !== "rust" || ![symbol, ...symbol.around].some(isTestModule)),
      )
      .map(({ line1, around: { length: depth }, signature, isOffered }) => ({
        line1,
        depth,
        signature,
        isOffered,
      })),
  };
}

interface Named {
  readonly name: string;
  readonly kind: string;
}

const isCallable = ({ kind }: Named): boolean => kind === "function" || kind === "method";
const isTestModule = ({ kind, name }: Named): boolean => kind === "module" && /^tests?$/.test(name);

/** The definitions around one, the innermost first. */
function around<Symbol extends { readonly parent: number | null }>(
  symbols: readonly Symbol[],
  parent: number | null,
): Symbol[] {
  const found: Symbol[] = [];
  for (let at = parent; at !== null;) {
    const symbol = symbols[at];
    if (symbol === undefined) break;
    found.push(symbol);
    at = symbol.parent;
  }
  return found;
}
