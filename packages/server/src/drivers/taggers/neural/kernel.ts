import type { Matrix } from './asset.ts';

/** The arithmetic of the model. Results of words are cached in slots, since they do not depend on the context. */
export interface Kernel {
  /** How many words can be cached. */
  slots: number;
  /** The buffer from which `keep` reads the features of a word. */
  features: Float32Array;
  keep(slot: number): void;
  /** The scores of a window, words × tags; valid until the next call. */
  read(slots: readonly number[]): Float32Array;
}

/** The longest window, in words. */
export const longestWindow = 160;

/** The weights as trained, row by row. */
export function dense({ rows, scale }: Matrix, width: number): Float32Array {
  const out = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at++) out[at] = (rows[at] as number) * scale((at / width) | 0);
  return out;
}
