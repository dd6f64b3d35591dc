/** What do the console's requests to a process of 10 000 agents cost their calls? */
import type { Bench } from "./bench.ts";
import { consoles, watchedBy } from "./rivals/watched.ts";

/** See the header. The ratio is to be .97 or more. */
export const bench: Bench = {
  question: "calls a second among 10 000 agents with a console that looks at them, and without",
  operation: "call",
  contenders: [watchedBy("console", consoles(1)), watchedBy("none")],
};
