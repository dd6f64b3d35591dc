/** Lines that were printed for one package, or for none. */
export interface PackageStream {
  /** Of the package, or its folder; `undefined` where only headings among the lines say it. */
  readonly name: string | undefined;
  /** The script's own command, where it is known. */
  readonly command: string | undefined;
  /** Without the package before each of them. */
  readonly lines: readonly string[];
  readonly isFailed: boolean;
}

interface OpenStream {
  readonly name: string | undefined;
  readonly command: string | undefined;
  readonly lines: string[];
  isFailed: boolean;
}

/** `packages/app test$ node --test`: pnpm, before lines that begin with `packages/app test: `. */
const pnpmHeading = /^(\S+) (\S+)\$ (.+)$/;
/** The last line of a script that pnpm ran. */
const pnpmEnd = /^(?:Done|Failed)$/;
/** `[@shop/app]: `, of yarn. */
const yarnPrefix = /^\[(@?[^[\]\s]+)\]: /;
/** `yarn workspaces foreach` ends so: without that, brackets are of somebody else. */
const yarnEnd = /^(?:Done|Done with warnings|Failed with errors) in \d/m;
/** `@shop/app:test: > @shop/app@1.0.0 test`: turbo, and lerna without the script. */
const prefixedHeading = /^((@?[^\s:]+)(?::[\w:-]+)?: )> \2@\S* \S/;
/** The forms of a package before a line. */
const prefixes: readonly RegExp[] = [/^\S+: /, /^\S+ \S+: /];

/**
 * Takes the lines apart that pnpm, yarn, turbo and lerna print for several packages at once, each with its package before it.
 *
 * @returns First the lines that belong to no package, then those of each package, in the order in which they began.
 */
export function packageStreams(printed: string): readonly PackageStream[] {
  const lines = printed.split("\n");
  const byPrefix = declaredStreams(lines, yarnEnd.test(printed));
  const prefixOf = (line: string): string =>
    prefixes.map((form) => form.exec(line)?.[0] ?? "").find((each) => byPrefix.has(each)) ?? "";
  const rest: OpenStream = { name: undefined, command: undefined, lines: [], isFailed: false };
  for (const line of lines) {
    const heading = pnpmHeading.exec(line);
    if (heading !== null && byPrefix.has(`${heading[1]} ${heading[2]}: `)) continue;
    const prefix = prefixOf(line);
    const stream = byPrefix.get(prefix);
    if (stream === undefined) {
      rest.lines.push(line);
      continue;
    }
    const text = line.slice(prefix.length);
    if (stream.command !== undefined && pnpmEnd.test(text)) stream.isFailed ||= text === "Failed";
    else stream.lines.push(text);
  }
  return [rest, ...byPrefix.values()];
}

/** The streams by the text before their lines. */
function declaredStreams(lines: readonly string[], isOfYarn: boolean): Map<string, OpenStream> {
  const byPrefix = new Map<string, OpenStream>();
  const declare = (prefix: string, name: string | undefined, command?: string): void => {
    if (byPrefix.has(prefix)) return;
    byPrefix.set(prefix, { name, command, lines: [], isFailed: false });
  };
  for (const line of lines) {
    const [, folder, script, command] = pnpmHeading.exec(line) ?? [];
    if (folder !== undefined) declare(`${folder} ${script}: `, folder, command);
    const [, prefix] = prefixedHeading.exec(line) ?? [];
    if (prefix !== undefined) declare(prefix, undefined);
    const [bracket, name] = (isOfYarn && yarnPrefix.exec(line)) || [];
    if (bracket !== undefined) declare(bracket, name);
  }
  return byPrefix;
}
