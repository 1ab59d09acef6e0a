/** Keccak-256 as ethereum uses it: node's own sha3-256 pads otherwise. For inputs of one block, which is all there is. */

/** A lane of 64 bits is two words: its low half at 2·i, its high half at 2·i + 1. */
const lanesOf = (count: number) => new Int32Array(2 * count);

/** Constants of the 24 rounds, from the shift register that defines them. */
const constants = lanesOf(24);
for (let round = 0, register = 1; round < 24; round++)
  for (let power = 0; power < 7; power++) {
    const bit = 2 ** power - 1;
    if (register & 1)
      constants[2 * round + (bit >> 5)] = (constants[2 * round + (bit >> 5)] as number) ^ (1 << (bit & 31));
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
  }

/** Where each lane moves in a round, and by how many bits it turns. */
const moves: [to: number, by: number][] = [];
for (let step = 0, x = 1, y = 0; step < 24; step++) {
  [x, y] = [y, (2 * x + 3 * y) % 5];
  moves.push([x + 5 * y, (((step + 1) * (step + 2)) / 2) % 64]);
}

const half = (low: number, high: number, by: number) => (by ? (low << by) | (high >>> (32 - by)) : low);
/** The low and the high half of a lane turned left. */
const turned = (low: number, high: number, by: number): [number, number] =>
  by < 32 ? [half(low, high, by), half(high, low, by)] : [half(high, low, by - 32), half(low, high, by - 32)];

function permute(state: Int32Array): void {
  const at = (index: number) => state[index] as number;
  const columns = lanesOf(5);
  const row = lanesOf(5);
  for (let round = 0; round < 24; round++) {
    for (let i = 0; i < 10; i++) columns[i] = at(i) ^ at(i + 10) ^ at(i + 20) ^ at(i + 30) ^ at(i + 40);
    for (let x = 0; x < 5; x++) {
      const next = 2 * ((x + 1) % 5);
      const [low, high] = turned(columns[next] as number, columns[next + 1] as number, 1);
      const last = 2 * ((x + 4) % 5);
      for (let i = 2 * x; i < 50; i += 10) {
        state[i] = at(i) ^ low ^ (columns[last] as number);
        state[i + 1] = at(i + 1) ^ high ^ (columns[last + 1] as number);
      }
    }
    let [low, high] = [at(2), at(3)];
    for (const [to, by] of moves) {
      const next: [number, number] = [at(2 * to), at(2 * to + 1)];
      [state[2 * to], state[2 * to + 1]] = turned(low, high, by);
      [low, high] = next;
    }
    for (let from = 0; from < 50; from += 10) {
      for (let i = 0; i < 10; i++) row[i] = at(from + i);
      for (let i = 0; i < 10; i++)
        state[from + i] = at(from + i) ^ (~(row[(i + 2) % 10] as number) & (row[(i + 4) % 10] as number));
    }
    state[0] = at(0) ^ (constants[2 * round] as number);
    state[1] = at(1) ^ (constants[2 * round + 1] as number);
  }
}

export function keccak256(input: Buffer): Buffer {
  const block = Buffer.alloc(136);
  input.copy(block);
  block[input.length] = 1;
  block[135] = (block[135] as number) | 0x80;
  const state = lanesOf(25);
  for (let word = 0; word < 34; word++) state[word] = block.readInt32LE(word * 4);
  permute(state);
  const out = Buffer.alloc(32);
  for (let word = 0; word < 8; word++) out.writeInt32LE(state[word] as number, word * 4);
  return out;
}
