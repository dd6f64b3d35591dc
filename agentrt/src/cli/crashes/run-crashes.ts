import { dirname, relative, resolve } from "node:path";
import { CrashFiles, crashFolderName, CrashRecorder, type FindSpans } from "../../crashes/index.ts";
import {
  createRealSystem,
  type Log,
  type NamedModel,
  type Redactor,
  type ToolSource,
} from "../../core/index.ts";
import { readVersion } from "../read-version.ts";

/** What is run, and where its crashes are recorded. */
export interface RunCrashesOptions {
  /** Default below the folder of the topology. */
  readonly folder: string | undefined;
  /** The topology; class paths count from its folder. */
  readonly path: string;
  /** The files of the topology; undefined where they are somewhere else. */
  readonly paths: readonly string[] | undefined;
  /** Words that say how these files are read. */
  readonly moreWords: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  readonly secretNames: ReadonlySet<string>;
  readonly redactor: Redactor;
  readonly log: Log;
}

/** Records the crashes of a run. */
export class RunCrashes {
  readonly recorder: CrashRecorder;
  #models: readonly NamedModel[] = [];
  #tools: readonly ToolSource[] = [];
  /** Notes which models and tools there are, and changes nothing. */
  readonly wraps = {
    wrapModels: (models: readonly NamedModel[]): readonly NamedModel[] => (this.#models = models),
    wrapTools: (sources: readonly ToolSource[]): readonly ToolSource[] => (this.#tools = sources),
  };

  constructor(options: RunCrashesOptions) {
    const { folder, path, paths, moreWords, environment, secretNames, redactor, log } = options;
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
    this.recorder = new CrashRecorder({
      files,
      facts: {
        version: readVersion(),
        projectFolder,
        folder: from(files.folder),
        topology: isOfFiles ? [...words, ...more] : null,
        models: () =>
          this.#models.map(({ name, provider }) => ({
            name,
            default_model: provider.defaultModel ?? null,
          })),
        tools: () =>
          this.#tools.map((source) => ({
            source: source.name,
            scheme: source.scheme,
            tools: source.tools(),
          })),
      },
      system: createRealSystem(),
      log,
      environment,
      secretNames,
      redactor,
    });
  }

  /** Says where spans are found. */
  follow(findSpans: FindSpans): void {
    this.recorder.follow(findSpans);
  }
}
