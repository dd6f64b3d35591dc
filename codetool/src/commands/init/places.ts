import { join } from "node:path";

/** The machine as `init` sees it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Absolute; `undefined` where the environment names no home. */
  readonly home: string | undefined;
  /** Absolute. */
  readonly workingDirectory: string;
}

/** The home that the environment names: `HOME`, else `USERPROFILE`. */
export function homeOf(environment: Machine["environment"]): string | undefined {
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  return home === undefined || home === "" ? undefined : home;
}

/** Folders of frameworks in a user's home. */
export interface UserPlaces {
  readonly home: string;
  /** `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  readonly claude: string;
  /** The file with Claude Code's servers. */
  readonly claudeJson: string;
  /** `CODEX_HOME`, else `~/.codex`. */
  readonly codex: string;
  /** The default profile of VS Code. */
  readonly vsCode: string;
  readonly zed: string;
}

/** Finds the folders of frameworks in a home. */
export function userPlaces(home: string, { platform, environment }: Machine): UserPlaces {
  const from = (name: string, fallback: string): string => {
    const value = environment[name];
    return value === undefined || value === "" ? fallback : value;
  };
  const configs = from("XDG_CONFIG_HOME", join(home, ".config"));
  const roaming = from("APPDATA", join(home, "AppData", "Roaming"));
  const claudeFolder = environment["CLAUDE_CONFIG_DIR"];
  const claude = from("CLAUDE_CONFIG_DIR", join(home, ".claude"));
  const isMoved = claudeFolder !== undefined && claudeFolder !== "";
  const byPlatform =
    platform === "win32"
      ? { vsCode: join(roaming, "Code", "User"), zed: join(roaming, "Zed") }
      : platform === "darwin"
        ? {
            vsCode: join(home, "Library", "Application Support", "Code", "User"),
            zed: join(home, ".config", "zed"),
          }
        : { vsCode: join(configs, "Code", "User"), zed: join(configs, "zed") };
  return {
    home,
    claude,
    claudeJson: join(isMoved ? claude : home, ".claude.json"),
    codex: from("CODEX_HOME", join(home, ".codex")),
    ...byPlatform,
  };
}
