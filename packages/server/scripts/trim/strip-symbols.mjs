import {
  chmodSync,
  closeSync,
  copyFileSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';

const [headerSize, is64Bit, isLittleEndian] = [64, 2, 1];
/** Programs and libraries; objects for a linker have nothing that is loaded. */
const loadedTypes = [2, 3];

/** Where the parts of an ELF file end that are loaded when it is run; undefined for any other file. */
function endOfLoaded(file) {
  const header = Buffer.alloc(headerSize);
  readSync(file, header, 0, headerSize, 0);
  if (header.toString('latin1', 0, 4) !== '\x7fELF' || header[4] !== is64Bit || header[5] !== isLittleEndian) return;
  const at = Number(header.readBigUInt64LE(32));
  const [size, count] = [header.readUInt16LE(54), header.readUInt16LE(56)];
  if (!loadedTypes.includes(header.readUInt16LE(16)) || count === 0) return;
  const segments = Buffer.alloc(size * count);
  readSync(file, segments, 0, segments.length, at);
  const ends = Array.from({ length: count }, (_, index) => {
    const segment = segments.subarray(index * size);
    return Number(segment.readBigUInt64LE(8)) + Number(segment.readBigUInt64LE(32));
  });
  return Math.max(headerSize, at + segments.length, ...ends);
}

/** The table of sections lies behind what is loaded; without it, the header names none. */
function forgetSections(path) {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(8), 0, 8, 40);
  writeSync(file, Buffer.alloc(4), 0, 4, 60);
  closeSync(file);
}

/**
 * Takes symbols and debug information off a program or library for Linux, as `strip` would: only debuggers read them. The
 * file is replaced, never written, since it may run or have further names.
 */
export function stripSymbols(path) {
  const file = openSync(path, 'r');
  const end = endOfLoaded(file);
  closeSync(file);
  const { size, mode } = statSync(path);
  if (end === undefined || end >= size) return;
  const draft = `${path}.${process.pid}`;
  try {
    copyFileSync(path, draft);
    truncateSync(draft, end);
    forgetSections(draft);
    chmodSync(draft, mode);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
