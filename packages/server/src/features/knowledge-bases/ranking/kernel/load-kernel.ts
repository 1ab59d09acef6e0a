import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const compiled = new Map<string, WebAssembly.Module>();

/** Compiles a file of WebAssembly once. Throws when it is not the one that was built. */
export function loadKernel(file: URL, checksum: string): WebAssembly.Module {
  const known = compiled.get(checksum);
  if (known) return known;
  const code = readFileSync(file);
  if (createHash('sha256').update(code).digest('hex') !== checksum)
    throw new Error(`${file.pathname} is not the one that was built.`);
  const module = new WebAssembly.Module(code);
  compiled.set(checksum, module);
  return module;
}
