import { fileURLToPath } from "node:url";
import { reasonOf } from "../core/index.ts";
import { realFile } from "./containment.ts";

/**
 * Says in one line where and why a module could not be loaded.
 *
 * @param error What the import threw.
 * @param modulePath The module that was asked for.
 * @returns The place as `file:line` where it is known, and the reason.
 */
export function describeLoadFailure(
  error: unknown,
  modulePath: string,
): { readonly place: string; readonly reason: string } {
  if (!(error instanceof Error))
    return { place: modulePath, reason: `it threw ${reasonOf(error)}` };
  const message = (error.message.split("\n", 1)[0] ?? "").trim();
  const place = placeOf(error) ?? modulePath;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX")
    return {
      place,
      reason: `${message.replace(/ is not supported in strip-only mode$/, "")} is not supported: types are stripped, not compiled`,
    };
  if (code === "ERR_MODULE_NOT_FOUND") {
    const reason = message.replace(/ imported from .*$/, "");
    const path = /^Cannot find module '(.*)'$/.exec(reason)?.[1];
    const isTypeScript = path !== undefined && realFile(`${path}.ts`) !== undefined;
    return { place, reason: isTypeScript ? `${reason}: write it with its extension, .ts` : reason };
  }
  return { place, reason: message === "" ? error.name : message };
}

/** A syntax error's stack begins with the place; another error's has it in the first frame that is a user's. */
function placeOf(error: Error): string | undefined {
  const importer = /\bimported from (\S.*)$/.exec(error.message.split("\n", 1)[0] ?? "")?.[1];
  if (importer !== undefined) return asPath(importer);
  const stack = error.stack ?? "";
  const head = /^((?:file:\/\/\/|\/|[A-Za-z]:\\).*:\d+)$/m.exec(
    stack.split("\n    at ", 1)[0] ?? "",
  )?.[1];
  const frames = [...stack.matchAll(/(?:\(|at (?:async )?)(file:\/\/\/.*:\d+):\d+\)?$/gm)];
  const own = new URL(".", import.meta.url).href;
  const frame = frames.find((match) => match[1]?.startsWith(own) === false)?.[1];
  const place = head ?? frame;
  return place === undefined ? undefined : asPath(place);
}

/** `file:///a/b.ts:3` as `/a/b.ts:3`. */
function asPath(place: string): string {
  const [, url = place, line = ""] = /^(.*?)(:\d+)?$/.exec(place) ?? [];
  return `${url.startsWith("file:") ? fileURLToPath(url) : url}${line}`;
}
