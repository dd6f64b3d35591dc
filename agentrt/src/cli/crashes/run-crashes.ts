import { createHash } from "node:crypto";
import { basename, dirname, relative, resolve } from "node:path";
import {
  CrashFiles,
  crashFolderName,
  CrashMask,
  CrashRecorder,
  type FindSpans,
} from "../../crashes/index.ts";
import {
  type CrashTrails,
  createRealSystem,
  type Log,
  type NamedModel,
  type Redactor,
  type ToolSource,
} from "../../core/index.ts";
import { readVersion } from "../read-version.ts";

/** What is run, and where its crashes are recorded. */
export interface RunCrashesOptions {
  /** Default below the folder of the topology; `none` records nothing. */
  readonly folder: string | undefined;
  /** The topology; class paths count from its folder. */
  readonly path: string;
  /** The files of the topology; undefined where they are somewhere else. */
  readonly paths: readonly string[] | undefined;
  /** Names of the files that make up the topology, wherever they are. */
  readonly sources: readonly string[];
  /** Name of its root. */
  readonly root: string;
  /** Words that say how these files are read. */
  readonly moreWords: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  readonly secretNames: ReadonlySet<string>;
  readonly redactor: Redactor;
  readonly log: Log;
}

/** The models and tools of a run. */
interface Run {
  models: readonly NamedModel[];
  tools: readonly ToolSource[];
}

/** Records the crashes of a run. */
export class RunCrashes {
  /** What agents are remembered by. */
  readonly trails: CrashTrails;
  readonly #recorder: CrashRecorder | undefined;
  readonly #run: Run = { models: [], tools: [] };
  /** Notes which models and tools there are, and changes nothing. */
  readonly wraps = {
    wrapModels: (models: readonly NamedModel[]): readonly NamedModel[] =>
      (this.#run.models = models),
    wrapTools: (sources: readonly ToolSource[]): readonly ToolSource[] =>
      (this.#run.tools = sources),
  };

  constructor(options: RunCrashesOptions) {
    this.#recorder = options.folder === "none" ? undefined : recorderOf(options, this.#run);
    this.trails = this.#recorder ?? new CrashMask(options);
  }

  /** Says where spans are found. */
  follow(findSpans: FindSpans): void {
    this.#recorder?.follow(findSpans);
  }
}

function recorderOf(options: RunCrashesOptions, run: Run): CrashRecorder {
  const { folder, path, paths, moreWords, sources, root, ...given } = options;
  const projectFolder = dirname(resolve(path));
  const from = (file: string): string => relative(projectFolder, resolve(file)) || ".";
  const files = new CrashFiles(resolve(folder ?? `${projectFolder}/${crashFolderName}`));
  const isOfFiles = paths !== undefined && !paths.includes("-");
  const [first = "", ...others] = paths ?? [];
  const words = [from(first), ...others.flatMap((each) => ["-t", from(each)])];
  // A file of variables is one of the command line, too.
  const more = moreWords.map((word, at) =>
    moreWords[at - 1] === "--env-from" ? from(word) : word,
  );
  return new CrashRecorder({
    ...given,
    files,
    facts: {
      version: readVersion(),
      projectFolder,
      folder: from(files.folder),
      topologyId: idOf([projectFolder, ...sources.map((file) => basename(file)), root]),
      topology: isOfFiles ? [...words, ...more] : null,
      models: () =>
        run.models.map(({ name, provider }) => ({
          name,
          default_model: provider.defaultModel ?? null,
        })),
      tools: () =>
        run.tools.map((source) => ({
          source: source.name,
          scheme: source.scheme,
          tools: source.tools(),
        })),
    },
    system: createRealSystem(),
  });
}

/** The same for the supervisor and its workers, in each run; it says nothing of where they are. */
function idOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
