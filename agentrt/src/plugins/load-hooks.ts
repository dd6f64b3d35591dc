import { registerHooks } from "node:module";
import { sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isInside } from "./containment.ts";
import { pluginErrors } from "./errors.ts";
import type { RunningCopy } from "./running-copy.ts";

/** Imports that begin with this are resolved as if the project had written what follows it. */
export const projectImportPrefix = "agentrt-project:";

/** What the hooks need to know. */
export interface LoadHookOptions {
  /** The project's real folder. */
  readonly projectRoot: string;
  readonly runningCopy: RunningCopy;
}

/**
 * Teaches this process to load the code of a project:
 * TypeScript below its folder is run with the types stripped, whatever the nearest `package.json` says of modules;
 * `agentrt` and its subpaths lead to the running copy.
 *
 * @param options Project and running copy.
 * @returns Takes the hooks away again.
 */
export function installLoadHooks({ projectRoot, runningCopy }: LoadHookOptions): () => void {
  const projectUrl = pathToFileURL(`${projectRoot}${sep}topology.yaml`).href;
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const own = ownSubpath(specifier, runningCopy.name);
      if (own !== undefined) {
        const url = runningCopy.urlOf(own);
        if (url === undefined)
          throw new pluginErrors.BAD_TYPE({
            type: specifier,
            reason: `${runningCopy.name} has no such subpath${importerOf(context.parentURL)}`,
          });
        return { url, shortCircuit: true };
      }
      if (!specifier.startsWith(`${projectImportPrefix}${projectRoot}#`))
        return nextResolve(specifier, context);
      const wanted = specifier.slice(projectImportPrefix.length + projectRoot.length + 1);
      return nextResolve(wanted, { ...context, parentURL: projectUrl });
    },
    load(url, context, nextLoad) {
      return isProjectTypeScript(url, projectRoot)
        ? nextLoad(url, { ...context, format: "module-typescript" })
        : nextLoad(url, context);
    },
  });
  return () => hooks.deregister();
}

function importerOf(url: string | undefined): string {
  return url?.startsWith("file:") === true ? `, and ${fileURLToPath(url)} imports it` : "";
}

/** `agentrt` gives `.`, `agentrt/testing` gives `./testing`, anything else nothing. */
function ownSubpath(specifier: string, name: string): string | undefined {
  if (specifier === name) return ".";
  return specifier.startsWith(`${name}/`) ? `.${specifier.slice(name.length)}` : undefined;
}

function isProjectTypeScript(url: string, projectRoot: string): boolean {
  if (!url.startsWith("file:") || !/\.m?ts(?:[?#]|$)/.test(url)) return false;
  const path = fileURLToPath(url);
  return (
    isInside(projectRoot, path) &&
    !path.slice(projectRoot.length).includes(`${sep}node_modules${sep}`)
  );
}
