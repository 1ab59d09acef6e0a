/** The part of WebAssembly that we use; its types come only with those of browsers. */
declare namespace WebAssembly {
  class CompileError extends Error {}
  class Memory {
    constructor(options: { initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(code: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    readonly exports: Record<string, unknown>;
  }
}
