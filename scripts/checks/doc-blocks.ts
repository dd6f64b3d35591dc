import type { Fault, SourceFile } from "./check.ts";

const exportPattern =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let) +([\w$]+)/;

/** The exports of a file, and those without a doc block directly above them. */
export function readDocBlocks({ file, text }: SourceFile): {
  readonly exportCount: number;
  readonly missing: readonly Fault[];
} {
  const lines = text.split("\n");
  const missing: Fault[] = [];
  let exportCount = 0;
  lines.forEach((line, index) => {
    const match = exportPattern.exec(line);
    if (match === null) return;
    exportCount += 1;
    let above = index - 1;
    while (above >= 0 && lines[above]?.startsWith("// ") === true) above -= 1;
    if (lines[above]?.trimEnd().endsWith("*/") !== true)
      missing.push({ file, line1: index + 1, message: `${match[1]} has no doc block` });
  });
  return { exportCount, missing };
}

/** A folder's `index.ts` opens with the folder's essay. */
export function checkEssay({ file, text }: SourceFile): Fault[] {
  if (!file.endsWith("/index.ts") || text.startsWith("/**")) return [];
  const message = "a folder's index.ts opens with what the folder is and must not know";
  return [{ file, line1: 1, message }];
}
