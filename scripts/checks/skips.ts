import type { Fault, SourceFile } from "./check.ts";
import { typescriptCode } from "./prose.ts";

/** Files that skip for another reason than a missing program or another system, and which. */
export type SkipReasons = { readonly [file: string]: string };

const skipPattern = /(?<![\w.])skip\s*(?::|=(?!=))\s*([^,;}]*)|\.skip\(/g;
/** Reasons that continuous integration cannot mend: the system, and who runs the tests. */
const allowed = /\bskipUnless\(|\bisWindows\b|\bprocess\.platform\b|\bprocess\.getuid\b/;
/** A row of cases that says of itself whether it is skipped, and its type. */
const ofRows = /^(?:false|string \| false|\w+\.skip)\s*$/;

/** Finds skips that do not go through `skipUnless`, which continuous integration turns into failures. */
export function checkSkips({ file, text }: SourceFile, reasons: SkipReasons = {}): Fault[] {
  if (Object.hasOwn(reasons, file)) return [];
  const code = typescriptCode(text);
  return [...code.matchAll(skipPattern)]
    .filter(([, value]) => value === undefined || !(allowed.test(value) || ofRows.test(value)))
    .map(({ index }) => ({
      file,
      line1: code.slice(0, index).split("\n").length,
      message:
        "a test that needs a program takes `skip: skipUnless(…)` of testkit; a wanted exception has a row in scripts/check-docs.ts",
    }));
}
