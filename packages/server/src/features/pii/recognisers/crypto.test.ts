import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import { crypto } from './crypto.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** A correct address with this version byte, whose other bytes are all `fill`. */
function addressOf(version: number, fill: number): string {
  const body = Buffer.concat([Buffer.of(version), Buffer.alloc(20, fill)]);
  return base58.encode(Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]));
}
const isFound = async (text: string) => (await crypto.find(text)).length === 1;

test('finds addresses of each kind of coin by their version byte', async () => {
  for (const version of [0x00, 0x05, 0x30, 0x32, 0x1e, 0x4c, 0x10, 0x41])
    assert.ok(await isFound(addressOf(version, 0x7f)), `version ${version}`);
  assert.ok(await isFound(addressOf(0x16, 0xff)), 'a script of Dogecoin');
});

test('leaves runs of letters that are correct otherwise and of no coin', async () => {
  // Versions beside the known ones, whose addresses begin with letters that addresses of coins begin with.
  for (const version of [0x31, 0x33, 0x1f, 0x17, 0x4d, 0x42])
    assert.ok(!(await isFound(addressOf(version, 0x7f))), `${version}`);
  const address = addressOf(0x00, 0x7f);
  assert.ok(!(await isFound(`${address.slice(0, -1)}${address.endsWith('1') ? '2' : '1'}`)), 'a wrong checksum');
  assert.ok(!(await isFound(`${address}a`)));
});
