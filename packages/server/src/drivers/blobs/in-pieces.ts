/** Pieces of exactly `size` bytes; the last one may be shorter. */
export async function* inPieces(stream: AsyncIterable<Uint8Array>, size: number) {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    let rest = part;
    while (length + rest.length > size) {
      const taken = rest.subarray(0, size - length);
      yield { bytes: Buffer.concat([...parts, taken]), last: false };
      rest = rest.subarray(taken.length);
      [parts, length] = [[], 0];
    }
    if (rest.length === 0) continue;
    parts.push(rest);
    length += rest.length;
  }
  yield { bytes: Buffer.concat(parts), last: true };
}
