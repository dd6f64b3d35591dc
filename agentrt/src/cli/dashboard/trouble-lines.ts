import { troubleText } from "../watching/index.ts";
import type { Tab } from "./tab.ts";

const plain = (text: string): string => text;

/** Says what is wrong with the whole of a topology, a line each: as `agentrt ps` does. */
export function troubleLines(tab: Tab): string[] {
  const text = troubleText(
    {
      overview: tab.body("/overview"),
      health: tab.body("/health"),
      processes: tab.body("/processes"),
    },
    { green: plain, red: plain, yellow: plain, grey: plain, bold: plain },
  );
  return text.split("\n").filter((line) => line !== "");
}
