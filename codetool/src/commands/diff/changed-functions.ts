import type { ChangeKind, LineSpan, NamedSymbol } from "../../diffs/index.ts";
import type { ComparedFile } from "./compare.ts";

/** A function or method with changed lines. */
export interface FunctionEntry {
  readonly file: string;
  /** Names from the outermost on, joined by slashes. */
  readonly function: string;
  /** How it changed; `lines` when nothing more is known. */
  readonly change: ChangeKind | "lines";
  /** Where it is now; where it was, when it is gone. */
  readonly lines: LineSpan;
  readonly additions: number;
  readonly deletions: number;
}

/**
 * Lists the functions and methods that have changed lines, in the order of the files and hunks.
 *
 * @param moved Those that went from one file to another.
 */
export function changedFunctions(
  files: readonly ComparedFile[],
  moved: ReadonlySet<NamedSymbol>,
): readonly FunctionEntry[] {
  return files.flatMap((file) => {
    const counts = new Map<NamedSymbol, { additions: number; deletions: number }>();
    for (const { owner, changes } of file.hunks) {
      if (owner === undefined || !owner.isCallable) continue;
      const count = counts.get(owner) ?? { additions: 0, deletions: 0 };
      count.additions += changes.filter((change) => change.new !== null).length;
      count.deletions += changes.filter((change) => change.old !== null).length;
      counts.set(owner, count);
    }
    return [...counts].map(([owner, count]): FunctionEntry => {
      const { startLine1, endLine1 } = owner.symbol;
      return {
        file: file.path,
        function: owner.path,
        change: moved.has(owner) ? "moved" : (file.comparison?.kinds.get(owner) ?? "lines"),
        lines: { start: startLine1, end: endLine1 },
        ...count,
      };
    });
  });
}
