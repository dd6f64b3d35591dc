/** The first frame of a stack in the file itself, else the first that is not a library's. */
export function frameIn(text: string, file: string): string | undefined {
  const frames = [...text.matchAll(/^\s*at (?:.*\()?(?:file:\/\/)?([^\s()]+:\d+:\d+)\)?$/gm)]
    .map((match) => match[1] ?? "")
    .filter((frame) => !/node_modules|^node:/.test(frame));
  return frames.find((frame) => file !== "" && frame.includes(file)) ?? frames[0];
}

/** A message without the frames of its stack that lie in libraries and in Node itself; a stack of only those stays. */
export function withoutLibraryFrames(message: string): string {
  const lines = message.split("\n");
  const isFrame = (line: string): boolean => /^\s*at .*:\d+:\d+\)?$/.test(line);
  const isOwn = (line: string): boolean => !/node_modules|\(?node:/.test(line);
  if (!lines.some((line) => isFrame(line) && isOwn(line))) return message;
  return lines.filter((line) => !isFrame(line) || isOwn(line)).join("\n");
}
