import type { ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";
import { dottedImport } from "./statement-text.ts";

/** `package a.b`, `import a.b.C as D`, `import a.b.*`. */
const read: ImportReader = ({ kind, text }) => {
  const statement = withoutSlashComments(text)
    .replace(/\s*\.\s*/g, ".")
    .replaceAll("`", "");
  if (kind === "package_header") {
    const namespace = /\bpackage\s+([^\s;]+)/.exec(statement)?.[1];
    return namespace === undefined ? null : { namespace };
  }
  const path = /\bimport\s+([^\s;]+)/.exec(statement)?.[1];
  return path === undefined ? null : { imports: [{ ...dottedImport(path), kind: "static" }] };
};

/** Kotlin. */
export const kotlinImports: ImportSyntax = {
  languages: ["kotlin"],
  matchers: [{ kind: "package_header" }, { kind: "import_header" }],
  begin: () => read,
  usedNames: "word",
};
