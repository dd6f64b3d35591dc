import type { Layers } from "./layers.ts";
import type { Fault, SourceFile } from "./source-files.ts";

/** Globals that let code read the clock, timers and randomness of the machine. */
const worldPattern =
  /\b(?:Date\.now\(|new Date\(\)|Math\.random\(|crypto\.randomUUID\(|setTimeout\(|setInterval\(|setImmediate\(|performance\.now\(|process\.hrtime)/;

/** Clock, timers and randomness are read only in the files that `layers.json` names under `world`. */
export function checkWorld(file: SourceFile, { world }: Layers): Fault[] {
  const doors = world[file.root] ?? [];
  if (file.isTest || doors.includes(file.path)) return [];
  return file.code.split("\n").flatMap((line, index) => {
    const match = worldPattern.exec(line);
    // A method of an object, such as `system.setTimeout(`.
    if (match === null || /\.\s*$/.test(line.slice(0, match.index))) return [];
    const message = `${match[0]}… reads the world past ${doors.join(", ") || "its port"}`;
    return [{ path: file.path, line1: index + 1, message }];
  });
}
