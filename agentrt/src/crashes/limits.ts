/** Messages of one life of an agent that are kept, and replies of other agents; beyond it the oldest goes. */
export const ringLengthMax = 32;
/** Characters of a message or a reply, about, that is kept without being counted: larger ones are heavy. */
export const lightWeightMax = 1024;
/** Characters of the heavy messages of one life, and of its heavy replies. */
export const ringWeightMax = 256 * 1024;
/** Messages and replies of all agents of a process together; then an agent keeps no more than it has. */
export const itemCountMaxOfAll = 65_536;
/** Characters of heavy messages and replies, answers and states of all agents of a process together. */
export const weightMaxOfAll = 64 * 1024 * 1024;
/** Answers of models and tools of one life that are kept. */
export const answerCountMax = 64;
/** Characters of them, about. */
export const answerWeightMax = 256 * 1024;
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
/** Files of a folder; beyond it the oldest goes of the agent that has most. */
export const fileCountMax = 50;
/** Records that a process writes in a minute; later crashes of that minute have none. */
export const recordCountMaxPerMinute = 40;
/** Of one agent, with all of its keys or members. */
export const recordCountMaxPerMinuteOfAgent = 10;
