import { randomFillSync } from 'node:crypto';
import { required } from './required.ts';

const pool = Buffer.allocUnsafe(4096);
let used = pool.length;
let lastTime = 0;
let sequence = 0;

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The lowest id that `newId` can give at this time; a filter by time then uses the index on ids. */
export function lowestIdAt(time: number): string {
  const hexTime = Math.min(Math.max(0, time), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hexTime.slice(0, 8)}-${hexTime.slice(8)}-0000-0000-000000000000`;
}

/**
 * A UUIDv7 that also rises within one millisecond (12 bits of sequence), so rows made in one process sort by id in
 * the order they were made. Made here rather than in the database: servers before PostgreSQL 18 have no uuidv7().
 */
export function newId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastTime += 1;
    sequence = 0;
  }
  if (used + 8 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const time = lastTime.toString(16).padStart(12, '0');
  const random = pool.subarray(used, used + 8);
  used += 8;
  const byte = (index: number) => hex[required(random[index])] as string;
  const variant = hex[(required(random[0]) & 0x3f) | 0x80] as string;
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-` +
    `${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`
  );
}
