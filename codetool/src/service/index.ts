/**
 * Asking a resident service: one process of a user that keeps the index of a tree open and answers the command lines of others.
 *
 *   codetool search x ─▶ askService ─ socket ─▶ resident/ ─▶ the bytes of both streams
 *                            └─ nobody there, busy, another build, anything odd: the process answers by itself
 *
 * Nothing is printed before an answer is whole, so a process can take over at any point, and prints the same. Every process
 * passes through here, so what takes long to load is loaded when it is used.
 *
 * It must not know: commands, envelopes, indexes.
 */
export {
  askService,
  type AskedLine,
  findService,
  folderMark,
  isStartWanted,
  maySend,
  sendRequest,
  servedCommands,
} from "./ask-service.ts";
export type { Patience } from "./exchange.ts";
export { ProgramIdentity, programWords } from "./identity.ts";
export { makePrivateFolder, servicePlace, type ServicePlace } from "./place.ts";
export {
  acceptedByte,
  decodeRequest,
  encodeAnswer,
  type Question,
  requestBytesMax,
  type ServedAnswer,
} from "./question.ts";
export { startProgram, type ServiceStart } from "./start-service.ts";
