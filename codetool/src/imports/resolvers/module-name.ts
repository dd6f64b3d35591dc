import {
  type LanguageResolver,
  nearest,
  type PathIndex,
  type ResolvedFile,
  type World,
} from "../tree/index.ts";

/** Files by the names of the modules they say they are. */
function modulesOf(
  { paths, files }: World,
  namesOf: (file: World["files"][number]) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const modules = new Map<string, number[]>();
  for (const file of files) {
    const number = paths.numberOf(file.path);
    if (number === undefined) continue;
    for (const name of namesOf(file)) {
      const known = modules.get(name);
      if (known === undefined) modules.set(name, [number]);
      else if (known.at(-1) !== number) known.push(number);
    }
  }
  return modules;
}

function found(
  files: readonly number[] | undefined,
  at: { paths: PathIndex; from: string; confidence: number },
): readonly ResolvedFile[] {
  return files === undefined ? [] : nearest(files, at);
}

/** Haskell: a module is the file that says so, else the one whose path ends with its name. */
export function haskellResolver(world: World): LanguageResolver {
  const { paths } = world;
  const modules = modulesOf(world, ({ namespaces }) => namespaces);
  return {
    resolve: ({ path: from }, { specifier }) => {
      const said = found(modules.get(specifier), { paths, from, confidence: 1 });
      if (said.length > 0) return said;
      const ending = `${specifier.replaceAll(".", "/")}.hs`;
      return found(paths.endingWith(ending), { paths, from, confidence: 0.8 });
    },
  };
}

/** Elixir: a module is the file that defines it, or that defines the module around it. */
export function elixirResolver(world: World): LanguageResolver {
  const { paths } = world;
  const modules = modulesOf(world, ({ definedNames }) =>
    definedNames.filter((name) => /^\p{Lu}/u.test(name)),
  );
  return {
    resolve: ({ path: from }, { specifier }) => {
      let name = specifier;
      let confidence = 1;
      while (name.includes(".")) {
        const files = found(modules.get(name), { paths, from, confidence });
        if (files.length > 0) return files;
        name = name.slice(0, name.lastIndexOf("."));
        confidence = 0.6;
      }
      return name === specifier ? found(modules.get(name), { paths, from, confidence: 0.9 }) : [];
    },
  };
}
