import type { ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";
import { dottedImport } from "./statement-text.ts";

/** `using A.B;`, `using static A.B.C;`, `using D = A.B.C;`, and namespaces, one inside of the other. */
function readerOf(source: string): ImportReader {
  const open: { readonly name: string; readonly end: number }[] = [];
  return ({ kind, text, start, end }) => {
    if (kind !== "using_directive") {
      while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= start) open.pop();
      const head = withoutSlashComments(source.slice(start, Math.min(end, start + 1000)));
      const name = /\bnamespace\s+([^{;]+)/.exec(head)?.[1]?.replace(/[\s@]+/g, "");
      if (name === undefined || name === "" || open.length >= 32) return null;
      const outer = open.at(-1)?.name;
      const namespace = outer === undefined ? name : `${outer}.${name}`;
      const isWholeFile = kind === "file_scoped_namespace_declaration";
      open.push({ name: namespace, end: isWholeFile ? Number.POSITIVE_INFINITY : end });
      return { namespace };
    }
    const statement = withoutSlashComments(text).replace(/\bglobal\s*::|@/g, "");
    const found = /\busing\s+(?:unsafe\s+)?(static\s+)?(?:([\p{L}\p{N}_]+)\s*=\s*)?([^;<]+)/u.exec(
      statement,
    );
    if (found === null) return null;
    const path = (found[3] ?? "").replace(/\s+/g, "").replace("::", ".");
    const isAlias = found[2] !== undefined;
    const reference = isAlias ? dottedImport(path) : { specifier: path, names: ["*"] };
    return { imports: [{ ...reference, kind: "static" }] };
  };
}

/** C#. */
export const csharpImports: ImportSyntax = {
  languages: ["csharp"],
  matchers: [
    { kind: "using_directive" },
    { kind: "namespace_declaration" },
    { kind: "file_scoped_namespace_declaration" },
  ],
  begin: readerOf,
  usedNames: "capital",
};
