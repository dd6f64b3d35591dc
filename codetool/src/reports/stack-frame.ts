/** The first frame of a stack in the file itself, else the first that is no library's. */
export function frameIn(text: string, file: string): string | undefined {
  const frames = [...text.matchAll(/^\s*at (?:.*\()?(?:file:\/\/)?([^\s()]+:\d+:\d+)\)?$/gm)]
    .map((match) => match[1] ?? "")
    .filter((frame) => !/node_modules|^node:/.test(frame));
  return frames.find((frame) => file !== "" && frame.includes(file)) ?? frames[0];
}
