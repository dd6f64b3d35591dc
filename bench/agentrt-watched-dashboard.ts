/** What does a dashboard that looks at a process of 10 000 agents cost their calls? */
import type { Bench } from "./bench.ts";
import { dashboard, watchedBy } from "./rivals/watched.ts";

/** See the header. The ratio is to be .97 or more. */
export const bench: Bench = {
  question: "calls a second among 10 000 agents with a dashboard that looks at them, and without",
  operation: "call",
  contenders: [watchedBy("dashboard", dashboard), watchedBy("none")],
};
