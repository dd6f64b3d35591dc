import type {
  CrashTrail,
  CrashTrails,
  NotedCrash,
  RecordedCrash,
  TrailCrash,
} from "../core/index.ts";
import type { CrashRecorderOptions } from "./crash-recorder.ts";
import { Placeholders } from "./placeholders.ts";
import { unrecorded } from "./shown-crash.ts";

/** Where secrets are found. */
type CrashMaskOptions = Pick<CrashRecorderOptions, "environment" | "secretNames" | "redactor">;

/** Records nothing: it takes secrets out of the texts of crashes, by the state and the message at hand. */
export class CrashMask implements CrashTrails {
  /** {@inheritDoc CrashTrails.isRemembering} */
  readonly isRemembering = false;
  readonly #trail: CrashTrail;

  constructor(options: CrashMaskOptions) {
    this.#trail = new MaskTrail(options);
  }

  /** {@inheritDoc CrashTrails.begin} */
  begin(): CrashTrail {
    return this.#trail;
  }

  /** {@inheritDoc CrashTrails.recordOf} */
  recordOf(): undefined {
    return undefined;
  }

  /** {@inheritDoc CrashTrails.list} */
  async list(): Promise<readonly RecordedCrash[]> {
    return [];
  }
}

/** Remembers nothing: one is enough for all lives. */
class MaskTrail implements CrashTrail {
  readonly #placeholders: () => Placeholders;

  constructor({ environment, redactor, secretNames }: CrashMaskOptions) {
    this.#placeholders = () => new Placeholders(environment, redactor, secretNames);
  }

  handle(): void {}
  answered(): void {}
  replied(): void {}
  missed(): void {}
  restored(): void {}
  saved(): void {}
  end(): void {}

  mark(): number {
    return 0;
  }

  crashed(crash: TrailCrash): NotedCrash {
    return unrecorded(crash, { had: undefined, placeholders: this.#placeholders });
  }
}
