import type { Matrix } from './asset.ts';

/** The arithmetic of the model. Words are kept under slots, because a word's part of it is the same wherever it stands. */
export interface Kernel {
  /** How many words can be kept. */
  slots: number;
  /** Where `keep` reads a word's features from. */
  features: Float32Array;
  keep(slot: number): void;
  /** Scores of a window's words, n × tags; good until the next call. */
  read(slots: readonly number[]): Float32Array;
}

/** The longest window, in words. */
export const longestWindow = 160;

/** Weights as they were trained, row by row. */
export function dense({ rows, scale }: Matrix, width: number): Float32Array {
  const out = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at++) out[at] = (rows[at] as number) * scale((at / width) | 0);
  return out;
}
