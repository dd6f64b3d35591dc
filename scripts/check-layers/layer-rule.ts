import { builtinModules } from "node:module";
import { isAllowed, showList, type Layer, type Layers } from "./layers.ts";
import { isOfTests, type Fault, type Import, type SourceFile } from "./source-files.ts";

/** A folder of the first level imports only what its row of `layers.json` names. */
export function checkLayer(file: SourceFile, layers: Layers): Fault[] {
  const folders = layers.roots[file.root] ?? {};
  const folder = topFolder(file.path);
  const own = folders[folder];
  if (folder !== "" && own === undefined)
    return [{ path: file.path, line1: 1, message: `folder "${folder}" has no row in layers.json` }];
  const layer = file.isTest ? layers.tests : own;
  return file.imports.flatMap((found) => {
    const message = found.specifier.startsWith(".")
      ? faultOfFile(file, found, layer)
      : layer === undefined
        ? undefined
        : faultOfPackage(found.specifier, {
            folder,
            layer,
            ...(file.isTest && own ? { own } : {}),
          });
    return message === undefined ? [] : [{ path: file.path, line1: found.line1, message }];
  });
}

function faultOfFile(
  file: SourceFile,
  found: Import,
  layer: Layer | undefined,
): string | undefined {
  if (found.target === undefined)
    return file.isTest ? undefined : `"${found.specifier}" leaves ${file.root}`;
  if (!file.isTest && isOfTests(found.target)) return `"${found.specifier}" is of tests`;
  const folder = topFolder(file.path);
  const target = topFolder(found.target);
  if (layer === undefined || target === folder || isAllowed(layer.folders, target))
    return undefined;
  return `"${folder}" may not import "${target}" (allowed: ${showList(layer.folders)})`;
}

function faultOfPackage(
  specifier: string,
  { folder, layer, own }: { readonly folder: string; readonly layer: Layer; readonly own?: Layer },
): string | undefined {
  if (specifier.startsWith("node:"))
    return isAllowed(layer.node, specifier)
      ? undefined
      : `"${folder}" may not import "${specifier}" (allowed: ${showList(layer.node)})`;
  if (builtinModules.includes(specifier)) return `"${specifier}" is written "node:${specifier}"`;
  const name = packageName(specifier);
  if (isAllowed(layer.packages, name) || isAllowed(own?.packages ?? [], name)) return undefined;
  return `"${folder}" may not import package "${name}" (allowed: ${showList(layer.packages)})`;
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

/** The folder of the first level; empty for a file that is in none. */
function topFolder(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}
