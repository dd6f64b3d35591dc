const identifier = String.raw`[A-Za-z_$][\w$]*`;
const dottedPattern = new RegExp(`^${identifier}(?:\\.${identifier})+$`);
const shortNamePattern = /^[A-Za-z_$][\w$-]*$/;
const hashPattern = new RegExp(`^([^#]+)#(${identifier})$`);
const packagePattern = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:\/[^/\\]+)*$/i;
const modulePattern = new RegExp(`^${identifier}(?:\\.${identifier})*$`);

/** A regular expression (flag `u`) that takes every class path and little else; only `classPathForm` is exact. */
export const classPathPattern = `^(?:${identifier}(?:\\.${identifier})+|[A-Za-z_$][\\w$-]*|(?:\\.{1,2}\\/[^#\\\\]+|(?:@[A-Za-z0-9~-][\\w.~-]*\\/)?[A-Za-z0-9~-][\\w.~-]*(?:\\/[^\\/\\\\#]+)*)#${identifier})$`;

/** What a class path is, for messages. */
export const classPathWanted =
  "a class path such as agents.GreeterAgent, ./src/agents.ts#GreeterAgent or @acme/agents#Clerk, or a short name";

/**
 * Tells what form a `type:` of a class has.
 *
 * @param type The text.
 * @returns `dotted` for `agents.Clerk`, `hash` for `./agents.ts#Clerk`, `short` for a name without a dot, `undefined` for none of these.
 */
export function classPathForm(type: string): "dotted" | "hash" | "short" | undefined {
  if (dottedPattern.test(type)) return "dotted";
  if (shortNamePattern.test(type)) return "short";
  const module = hashPattern.exec(type)?.[1];
  if (module === undefined) return undefined;
  return isModuleAllowed(module) ? "hash" : undefined;
}

/**
 * Joins `module:` and `class:` to one class path.
 *
 * @param module A dotted module, a relative path or a package.
 * @param className The export.
 * @returns For example `agents.Clerk` or `./src/agents.ts#Clerk`.
 */
export function joinClassPath(module: string, className: string): string {
  return modulePattern.test(module) ? `${module}.${className}` : `${module}#${className}`;
}

/** Node's own modules, URLs and absolute paths are never user classes, and no path leaves the project. */
function isModuleAllowed(module: string): boolean {
  if (
    /^[A-Za-z][A-Za-z0-9+.-]*:/.test(module) ||
    module.startsWith("/") ||
    /[\\\p{Cc}]/u.test(module)
  )
    return false;
  const isRelative = module.startsWith("./") || module.startsWith("../");
  return isRelative
    ? staysInside(module)
    : packagePattern.test(module) && !module.split("/").includes("..");
}

/** True when a path ends below where it begins, and its `..` never outnumber the folders before them. */
function staysInside(path: string): boolean {
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "." && part !== "") depth += 1;
    if (depth < 0) return false;
  }
  return depth > 0;
}
