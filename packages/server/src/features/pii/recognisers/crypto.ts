import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';
import { base58, bech32, bech32m } from '@scure/base';
import { required } from '../../../lib/required.ts';
import type { Recogniser, Span } from '../ports.ts';
import { glued } from '../surroundings.ts';

/** Letters and digits. A run is taken whole, because an address is never part of a longer word. */
const run = /[A-Za-z0-9]{26,100}/g;

/** Version bytes of Bitcoin (both kinds), Litecoin, Dogecoin, Dash and Tron. */
const versions = new Set([0x00, 0x05, 0x30, 0x32, 0x1e, 0x16, 0x4c, 0x10, 0x41]);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

function isBase58Check(value: string): boolean {
  if (value.length > 35 || /[0OIl]/.test(value)) return false;
  const bytes = base58.decode(value);
  if (bytes.length !== 25 || !versions.has(required(bytes[0]))) return false;
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21));
}

/** A witness program: version 0 has the older checksum, later versions the newer one. */
function isSegwit(value: string): boolean {
  const lower = value.toLowerCase();
  if (lower !== value && value.toUpperCase() !== value) return false;
  for (const code of [bech32, bech32m]) {
    const decoded = code.decodeUnsafe(lower, 90);
    if (!decoded) continue;
    const [version = 99, ...words] = decoded.words;
    const program = code.fromWordsUnsafe(words);
    if (!program || version > 16 || (version === 0) !== (code === bech32)) continue;
    return version === 0 ? program.length === 20 || program.length === 32 : program.length > 1 && program.length <= 40;
  }
  return false;
}

/** Forty hex digits. If their case is mixed, the case is a checksum. */
function isEthereum(value: string): boolean {
  const hex = value.slice(2);
  const lower = hex.toLowerCase();
  if (hex === lower || hex === hex.toUpperCase()) return /\d/.test(hex) && /[a-f]/.test(lower);
  // Keccak-256 differs from the sha3-256 of Node in its padding.
  const hash = Buffer.from(keccak_256(lower)).toString('hex');
  return [...hex].every(
    (digit, index) => !/[a-f]/i.test(digit) || (digit === digit.toUpperCase()) === hash.charAt(index) >= '8',
  );
}

function isAddress(value: string): boolean {
  if (/^(?:bc|ltc)1/i.test(value)) return isSegwit(value);
  if (/^0x[0-9a-f]{40}$/i.test(value)) return isEthereum(value);
  return /^[13LMDAXT7]/.test(value) && isBase58Check(value);
}

export const crypto: Recogniser = {
  entities: ['CRYPTO'],
  find(text) {
    const spans: Span[] = [];
    for (const { 0: value, index: start } of text.matchAll(run)) {
      const end = start + value.length;
      if (glued(text, start - 1) || glued(text, end) || !isAddress(value)) continue;
      spans.push({ entity: 'CRYPTO', start, end, score: 1 });
    }
    return spans;
  },
};
