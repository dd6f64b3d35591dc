import type { ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";
import { dottedImport } from "./statement-text.ts";

/** `package a.b;`, `import a.b.C;`, `import static a.b.C.*;`. */
const read: ImportReader = ({ kind, text }) => {
  const statement = withoutSlashComments(text).replace(/\s*\.\s*/g, ".");
  if (kind === "package_declaration") {
    const namespace = /\bpackage\s+([^\s;]+)/.exec(statement)?.[1];
    return namespace === undefined ? null : { namespace };
  }
  const path = /\bimport\s+(?:static\s+|module\s+)?([^\s;]+)/.exec(statement)?.[1];
  return path === undefined ? null : { imports: [{ ...dottedImport(path), kind: "static" }] };
};

/** Java. */
export const javaImports: ImportSyntax = {
  languages: ["java"],
  matchers: [{ kind: "package_declaration" }, { kind: "import_declaration" }],
  begin: () => read,
  usedNames: "capital",
};
