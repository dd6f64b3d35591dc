import { gunzip, gzip } from "node:zlib";
import { grpcCodes, GrpcFault } from "./status.ts";

/** What messages may be compressed with, for `grpc-accept-encoding`. */
export const acceptedEncodings = "identity,gzip";

/** Shorter messages are sent as they are: they would hardly become shorter. */
const compressedSizeBytesMin = 1_024;

type Outcome = (error: Error | null, bytes: Buffer) => void;

function settled(begin: (callback: Outcome) => void): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    begin((error, bytes) => (error === null ? resolve(bytes) : reject(error))),
  );
}

/**
 * Reads a message that was compressed with gzip, off the event loop.
 *
 * @param bytes As they came.
 * @param sizeBytesMax Longest message; the rest of a longer one is not unpacked.
 * @throws GrpcFault when it is longer, or is not gzip.
 */
export async function unpack(bytes: Buffer, sizeBytesMax: number): Promise<Buffer> {
  try {
    return await settled((done) => gunzip(bytes, { maxOutputLength: sizeBytesMax }, done));
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge
      ? new GrpcFault(
          grpcCodes.resourceExhausted,
          `message unpacks to more than ${sizeBytesMax} bytes`,
        )
      : new GrpcFault(grpcCodes.internal, "message is not gzip, as grpc-encoding says");
  }
}

/** @returns The message compressed with gzip, off the event loop; `undefined` for one that is too short for that. */
export function pack(bytes: Buffer): Promise<Buffer> | undefined {
  return bytes.length < compressedSizeBytesMin ? undefined : settled((done) => gzip(bytes, done));
}
