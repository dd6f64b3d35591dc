import type { ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";

/** `import A`, `import A.B`, `@testable import A`, `import struct A.B`. */
const read: ImportReader = ({ text }) => {
  const found =
    /\bimport\s+(?:(typealias|struct|class|enum|protocol|actor|let|var|func)\s+)?([\p{L}\p{N}_.]+)/u.exec(
      withoutSlashComments(text),
    );
  if (found === null) return null;
  const [specifier = "", ...inner] = (found[2] ?? "").split(".");
  const last = inner.at(-1);
  const names = last === undefined || found[1] === undefined ? ["*"] : [last];
  return { imports: [{ specifier, names, kind: "static" }] };
};

/** Swift. */
export const swiftImports: ImportSyntax = {
  languages: ["swift"],
  matchers: [{ kind: "import_declaration" }],
  begin: () => read,
  usedNames: "unqualified",
};
