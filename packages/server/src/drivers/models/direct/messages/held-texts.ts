/**
 * Texts of a model that has to answer by a tool. They are the answer only when it never calls the tool, and only those
 * after its last other call.
 */
export class HeldTexts {
  #texts: { text: string }[] = [];
  readonly #by_index = new Map<number, { text: string }>();

  /** Forgets which text is which: a new message counts its blocks anew. */
  begin(): void {
    this.#by_index.clear();
  }

  open(index: number): void {
    const held = { text: '' };
    this.#texts.push(held);
    this.#by_index.set(index, held);
  }

  append(index: number, delta: string): void {
    const held = this.#by_index.get(index);
    if (held) held.text += delta;
  }

  drop(): void {
    this.#texts = [];
  }

  take(): string[] {
    return this.#texts.flatMap(({ text }) => text || []);
  }
}
