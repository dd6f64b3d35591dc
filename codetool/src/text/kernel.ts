/** What the memory of a kernel offers. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pageCount: number): number;
}

/** What this file uses of WebAssembly, which the types of Node leave out. */
interface Runtime {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: object };
  };
}

const pageBytes = 64 * 1024;

/**
 * Makes the functions of a WebAssembly module, with memory of theirs. The runtime compiles them as they are called.
 *
 * @param text The module, in base64.
 * @returns `null` where the processor or the runtime lacks what the module needs.
 */
export function makeKernel(text: string): object | null {
  const { WebAssembly } = globalThis as unknown as Runtime;
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(text, "base64"))).exports;
  } catch {
    return null;
  }
}

/**
 * Makes the memory of a kernel at least so large.
 *
 * @returns False where there is not as much memory: the caller then does without the kernel.
 */
export function growTo(memory: KernelMemory, sizeBytes: number): boolean {
  const missing = sizeBytes - memory.buffer.byteLength;
  if (missing <= 0) return true;
  try {
    memory.grow(Math.ceil(missing / pageBytes));
    return true;
  } catch {
    return false;
  }
}
