import type { ImportingFile } from "../../imports/index.ts";
import type { NameUse } from "../../syntax/index.ts";
import type { ProjectCorpus } from "../project/index.ts";
import type { Links } from "./providers.ts";

/** Places that declare the definition again for its module: `declare module "./file" { interface Name {} }`. */
export function augmentations(
  uses: readonly NameUse[],
  text: string,
  {
    file,
    links,
    project,
  }: { readonly file: ImportingFile; readonly links: Links; readonly project: ProjectCorpus },
): { readonly use: NameUse; readonly reason: string }[] {
  if (!/script|tsx/.test(file.language ?? "")) return [];
  for (const found of text.matchAll(/\bdeclare\s+module\s+["']([^"'\n]+)["']/g)) {
    const [, specifier = ""] = found;
    const reference = { specifier, names: ["*"], line1: 1, kind: "type" as const };
    const meant = project.resolver().resolve(file, reference);
    if (!meant.some((each) => links.get(each.file)?.isProvider === true)) continue;
    return uses
      .filter(
        ({ start, role, binding }) => start > found.index && role === "bare" && binding === "local",
      )
      .map((use) => ({ use, reason: `it may be declared again for "${specifier}"` }));
  }
  return [];
}
