import type { GrpcCall } from "./call.ts";
import { fileDescriptors } from "./descriptors.ts";
import type { GrpcMethods } from "./service.ts";
import { grpcCodes } from "./status.ts";
import { readFields, readNested, readText } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/** What reflection knows of one file. */
interface DescribedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly dependencies: readonly string[];
  /** Full names of its messages, services and methods. */
  readonly symbols: readonly string[];
  readonly services: readonly string[];
}

const versions = ["v1", "v1alpha"];

/**
 * Makes the methods of `grpc.reflection.v1` and `v1alpha`, which differ only in their names.
 *
 * @param durationMsMax Longest life of a conversation, milliseconds.
 */
export function reflectionService(durationMsMax: number): GrpcMethods {
  const files = fileDescriptors.map((text) => readFile(Buffer.from(text, "base64")));
  const handle = async (call: GrpcCall): Promise<void> => {
    for await (const request of call.messages()) {
      if (!(await call.send(answer(request, files)))) return;
    }
  };
  return new Map(
    versions.map((version) => [
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      { handle, durationMsMax },
    ]),
  );
}

function answer(request: Buffer, files: readonly DescribedFile[]): Buffer {
  const writer = new WireWriter();
  let write: (writer: WireWriter) => void = (to) =>
    writeError(to, grpcCodes.invalidArgument, "request asks for nothing that is known");
  let host = "";
  for (const field of readFields(request)) {
    if (field.number === 1) host = readText(field);
    else if (field.number === 3) {
      const name = readText(field);
      write = (to) =>
        writeFiles(
          to,
          files.find((file) => file.name === name),
          files,
        );
    } else if (field.number === 4) {
      const symbol = readText(field);
      write = (to) =>
        writeFiles(
          to,
          files.find((file) => file.symbols.includes(symbol)),
          files,
        );
    } else if (field.number === 5) {
      write = (to) => writeError(to, grpcCodes.notFound, "there are no extensions");
    } else if (field.number === 6) {
      const type = readText(field);
      write = files.some((file) => file.symbols.includes(type))
        ? (to) => to.nested(5, (numbers) => numbers.text(1, type))
        : (to) => writeError(to, grpcCodes.notFound, "unknown type");
    } else if (field.number === 7) {
      write = (to) => to.nested(6, (list) => writeServices(list, files));
    }
  }
  writer.text(1, host).bytes(2, request);
  write(writer);
  return writer.finish();
}

function writeServices(list: WireWriter, files: readonly DescribedFile[]): void {
  for (const name of files.flatMap((file) => file.services)) {
    list.nested(1, (service) => service.text(1, name));
  }
}

/** A file with all that it imports, so that a client need not ask again. */
function writeFiles(
  writer: WireWriter,
  wanted: DescribedFile | undefined,
  files: readonly DescribedFile[],
): void {
  if (wanted === undefined) return writeError(writer, grpcCodes.notFound, "unknown file or symbol");
  const found = new Set<DescribedFile>([wanted]);
  for (const file of found) {
    for (const name of file.dependencies) {
      const dependency = files.find((other) => other.name === name);
      if (dependency !== undefined) found.add(dependency);
    }
  }
  writer.nested(4, (response) => {
    for (const file of found) response.bytes(1, file.bytes);
  });
}

function writeError(writer: WireWriter, code: number, message: string): void {
  writer.nested(7, (error) => error.varint(1, code).text(2, message));
}

/** Reads a FileDescriptorProto: name 1, package 2, dependencies 3, messages 4, services 6. */
function readFile(bytes: Buffer): DescribedFile {
  let name = "";
  let packageName = "";
  const dependencies: string[] = [];
  const messages: Buffer[] = [];
  const services: Buffer[] = [];
  for (const field of readFields(bytes)) {
    if (field.number === 1) name = readText(field);
    else if (field.number === 2) packageName = readText(field);
    else if (field.number === 3) dependencies.push(readText(field));
    else if (field.number === 4) messages.push(readNested(field));
    else if (field.number === 6) services.push(readNested(field));
  }
  const full = (part: Buffer): string => `${packageName}.${nameOf(part)}`;
  const serviceNames = services.map(full);
  const methodNames = services.flatMap((service) =>
    [...readFields(service)]
      .filter((field) => field.number === 2)
      .map((method) => `${full(service)}.${nameOf(readNested(method))}`),
  );
  return {
    name,
    bytes,
    dependencies,
    symbols: [...messages.map(full), ...serviceNames, ...methodNames],
    services: serviceNames,
  };
}

function nameOf(descriptor: Buffer): string {
  for (const field of readFields(descriptor)) if (field.number === 1) return readText(field);
  return "";
}
