/** A run of tokens that is one name. */
export interface Run {
  kind: string;
  first: number;
  /** The index after its last token. */
  end: number;
  /** The share of the tags' weight on this kind, from 0 to 1. */
  share: number;
}

/** Finds the names in a window of `count` tokens, from the scores of each token's tags. */
export type Decode = (scores: Float32Array, count: number) => Run[];

/**
 * Finds the likeliest sequence of tags in a window (Viterbi), then the names in it. `steps` has a row for each previous tag
 * (the last row is the start) and a column for each next tag; a transition that is not allowed has a large negative number.
 */
export function makeDecoder(
  tags: readonly string[],
  steps: Float32Array,
  biases: Readonly<Record<string, number>>,
): Decode {
  const n = tags.length;
  const kinds = tags.map((tag) => tag.slice(2));
  const bias = kinds.map((kind) => biases[kind] ?? 0);

  function pathOf(scores: Float32Array, count: number): number[] {
    const from = new Uint8Array(count * n);
    let best = new Float64Array(n);
    let next = new Float64Array(n);
    for (let tag = 0; tag < n; tag++)
      best[tag] = (scores[tag] as number) + (bias[tag] as number) + (steps[n * n + tag] as number);
    for (let t = 1; t < count; t++) {
      for (let tag = 0; tag < n; tag++) {
        let [top, source] = [-Infinity, 0];
        for (let before = 0; before < n; before++) {
          const value = (best[before] as number) + (steps[before * n + tag] as number);
          if (value > top) [top, source] = [value, before];
        }
        next[tag] = top + (scores[t * n + tag] as number) + (bias[tag] as number);
        from[t * n + tag] = source;
      }
      [best, next] = [next, best];
    }
    const path = new Array<number>(count);
    let tag = best.indexOf(Math.max(...best));
    for (let t = count - 1; t >= 0; t--) {
      path[t] = tag;
      tag = from[t * n + tag] as number;
    }
    return path;
  }

  /** The share of a token's weight on tags of this kind. */
  function shareOf(scores: Float32Array, t: number, kind: string): number {
    let [all, own] = [0, 0];
    for (let tag = 0; tag < n; tag++) {
      const weight = Math.exp((scores[t * n + tag] as number) + (bias[tag] as number));
      all += weight;
      if (kinds[tag] === kind) own += weight;
    }
    return own / all;
  }

  return (scores, count) => {
    const runs: Run[] = [];
    const path = pathOf(scores, count);
    for (let t = 0; t < count; ) {
      const kind = kinds[path[t] as number] as string;
      const first = t++;
      if (!kind) continue;
      while (t < count && tags[path[t] as number] === `I-${kind}`) t++;
      let share = 0;
      for (let at = first; at < t; at++) share += shareOf(scores, at, kind) / (t - first);
      runs.push({ kind, first, end: t, share });
    }
    return runs;
  };
}
