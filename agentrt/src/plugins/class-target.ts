import { pluginErrors } from "./errors.ts";

/** Where a class is to be found: a file of the project, a package, or behind a short name. */
export type ClassTarget =
  | { readonly kind: "file"; readonly paths: readonly string[]; readonly exported: string }
  | { readonly kind: "package"; readonly specifier: string; readonly exported: string }
  | { readonly kind: "name"; readonly name: string };

/** Extensions tried for a dotted path, in this order. */
const moduleExtensions = [".ts", ".mts", ".js", ".mjs"] as const;

const identifierPattern = /^[A-Za-z_$][\w$]*$/;
const packagePattern = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:\/[^/\\]+)*$/i;

/**
 * Reads a `type:` text. Looks at nothing but the text.
 *
 * @param type For example `agents.Clerk`, `./src/agents.ts#Clerk`, `@acme/agents/sub#Clerk` or a short name.
 * @returns The target; paths of files are relative to the project's folder and use `/`.
 * @throws AGENTRT_PLUGIN_BAD_TYPE for every other text, URLs, absolute paths and Node's own modules among them.
 */
export function readClassTarget(type: string): ClassTarget {
  const refuse = (reason: string) => new pluginErrors.BAD_TYPE({ type, reason });
  if (/[\\\p{Cc}]/u.test(type)) throw refuse("it holds a character that no class path has");
  const hash = type.indexOf("#");
  if (hash === -1) return readPlain(type, refuse);
  const module = type.slice(0, hash);
  const exported = type.slice(hash + 1);
  if (!identifierPattern.test(exported)) throw refuse(`"${exported}" is not the name of an export`);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(module))
    throw refuse("Node's own modules and URLs cannot be loaded");
  if (module.startsWith("/")) throw refuse("an absolute path cannot be loaded");
  if (module.startsWith("./") || module.startsWith("../"))
    return { kind: "file", paths: [module], exported };
  if (!packagePattern.test(module) || module.split("/").includes(".."))
    throw refuse(`"${module}" is neither a path that begins with ./ nor a package`);
  return { kind: "package", specifier: module, exported };
}

function readPlain(type: string, refuse: (reason: string) => Error): ClassTarget {
  const parts = type.split(".");
  const exported = parts.pop() ?? "";
  if (parts.length === 0) {
    if (!/^[A-Za-z_$][\w$-]*$/.test(type)) throw refuse("it is not a class path");
    return { kind: "name", name: type };
  }
  if (parts[0] === "agentrt") throw refuse("this build has no built-in class of that name");
  if (![...parts, exported].every((part) => identifierPattern.test(part)))
    throw refuse("it is not a class path");
  const base = `./${parts.join("/")}`;
  return { kind: "file", paths: moduleExtensions.map((extension) => base + extension), exported };
}
