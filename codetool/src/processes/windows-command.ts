/** Where programs are found on Windows. */
export interface WindowsPaths {
  /** `PATH`, with `;` between its folders. */
  readonly path: string;
  /** `PATHEXT`; default its usual four. */
  readonly extensions: string | undefined;
  readonly workingDirectory: string;
  /** `ComSpec`; default `cmd.exe`. */
  readonly shell: string | undefined;
  readonly isFile: (path: string) => boolean;
}

/** How a program is started: its words, and whether they are already quoted. */
export interface StartedWords {
  readonly program: string;
  readonly args: readonly string[];
  readonly isVerbatim: boolean;
}

/** Characters that mean something to `cmd.exe`, also inside of quotes. */
const special = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Finds what a command starts on Windows. Package managers put scripts of the command processor where programs are wanted
 * (`npm.cmd`); those run only under it, so its special characters in the arguments are quoted. Other
 * programs are started as they are.
 */
export function windowsCommand(argv: readonly string[], paths: WindowsPaths): StartedWords {
  const [program = "", ...args] = argv;
  const found = resolve(program, paths);
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found))
    return { program: found ?? program, args, isVerbatim: false };
  // Shims of package managers pass their arguments on to a second reading.
  const isShim = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(found);
  const words = [found.replaceAll("/", "\\").replaceAll(special, "^$&")];
  for (const arg of args) words.push(quote(arg, isShim));
  return {
    program: paths.shell ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${words.join(" ")}"`],
    isVerbatim: true,
  };
}

function resolve(program: string, paths: WindowsPaths): string | undefined {
  const hasFolder = /[\\/]/.test(program);
  const folders = hasFolder ? [""] : [paths.workingDirectory, ...paths.path.split(";")];
  const endings = (paths.extensions ?? ".COM;.EXE;.BAT;.CMD").split(";");
  const hasEnding = endings.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()));
  for (const folder of folders) {
    const bare = hasFolder ? absolute(program, paths.workingDirectory) : `${folder}\\${program}`;
    if (folder === "" && !hasFolder) continue;
    for (const ending of hasEnding ? ["", ...endings] : endings)
      if (paths.isFile(bare + ending)) return bare + ending;
  }
  return undefined;
}

function absolute(path: string, workingDirectory: string): string {
  return /^(?:[a-z]:)?[\\/]/i.test(path) ? path : `${workingDirectory}\\${path}`;
}

/** Quotes for the program first, then takes off what the command processor would read. */
function quote(arg: string, isTwiceRead: boolean): string {
  const quoted = `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  const once = quoted.replaceAll(special, "^$&");
  return isTwiceRead ? once.replaceAll(special, "^$&") : once;
}
