/** Messages of one life of an agent that are kept; beyond it the oldest goes. */
export const messageCountMax = 32;
/** About as many characters of them, estimated from some of them: with large messages fewer are kept. */
export const messageWeightMax = 64 * 1024;
/** Messages of all agents of a process together; then an agent keeps no more than it has. */
export const messageCountMaxOfAll = 65_536;
/** Replies of other agents to one life that are kept: a power of two. */
export const replyCountMax = 32;
/** Characters of one of them; a larger one is not kept. */
export const replyWeightMax = 16 * 1024;
/** Answers of models and tools of one life that are kept. */
export const answerCountMax = 64;
/** Characters of them, about. */
export const answerWeightMax = 256 * 1024;
/** Characters of those of all agents of a process together. */
export const answerWeightMaxOfAll = 64 * 1024 * 1024;
/** Characters of a state, about; a larger one is not in a record. */
export const stateWeightMax = 128 * 1024;
/** Characters of the payload of a message, about; a larger one is not in a record. */
export const payloadWeightMax = 256 * 1024;
/** Characters of a line of source. */
export const sourceLineLengthMax = 300;
/** Spans of a record. */
export const spanCountMax = 50;
/** Lines of source above and below the one that threw, and places of a stack that are shown with theirs. */
export const [sourceLineCount, sourcePlaceCountMax] = [4, 3] as const;
/** Characters of a file. */
export const fileLengthMax = 1024 * 1024;
/** Files of a folder; beyond it the oldest goes. */
export const fileCountMax = 50;
/** Records that a process writes in a minute; later crashes of that minute have none. */
export const recordCountMaxPerMinute = 20;
