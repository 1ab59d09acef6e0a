/** The limits of each stream. A longer stream loses its middle, since its start and end say the most. */
const mostHead = 40_000;
const mostTail = 60_000;

/** One output stream of a command, up to the limits. */
export class BoundedOutput {
  #head = Buffer.alloc(0);
  #tail: Uint8Array[] = [];
  #tailSize = 0;
  #dropped = 0;

  add(data: Uint8Array): void {
    const room = mostHead - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, data.subarray(0, room)]);
    if (data.length <= room) return;
    const rest = data.subarray(Math.max(room, 0));
    this.#tail.push(rest);
    this.#tailSize += rest.length;
    for (let first = this.#tail[0]; first && this.#tailSize - first.length >= mostTail; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailSize -= first.length;
      this.#dropped += first.length;
    }
  }

  get truncated(): boolean {
    return this.#dropped > 0 || this.#tailSize > mostTail;
  }

  get text(): string {
    const tail = Buffer.concat(this.#tail);
    const kept = tail.subarray(Math.max(0, tail.length - mostTail));
    const left = this.#dropped + tail.length - kept.length;
    // A character that is cut in the middle, or bytes that are not text, show as a replacement character.
    if (left === 0) return Buffer.concat([this.#head, kept]).toString();
    return `${this.#head.toString()}\n… ${left} bytes left out …\n${kept.toString()}`;
  }
}
