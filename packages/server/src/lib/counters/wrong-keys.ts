import { LruCache } from '../lru-cache.ts';

/** Wrong keys are forgotten when none has come for so long. */
const forgetAfter = 600_000;
/** After too many wrong keys from a network, unknown keys from it are checked one at a time, this far apart. */
const spacing = 250;
const mostWaiting = 20;
const mostKnown = 10_000;

interface WrongKeys {
  count: number;
  last: number;
  /** When the next unknown key from here is looked at. */
  next: number;
}

/** Many clients may share a network: a right key waits for its turn only, a wrong one longer each time. */
export function makeWrongKeys(now: () => number) {
  const networks = new LruCache<string, WrongKeys>({ max: mostKnown });

  function find(network: string): WrongKeys | undefined {
    const known = networks.get(network);
    return known && now() - known.last < forgetAfter ? known : undefined;
  }

  return {
    count(network: string): number {
      const known = find(network) ?? { count: 0, last: 0, next: 0 };
      known.count++;
      known.last = now();
      networks.set(network, known);
      return known.count;
    },
    takeTurn(network: string, most: number): number {
      const known = find(network);
      if (!known || known.count < most) return 0;
      const asked = now();
      const turn = Math.max(asked, known.next);
      if (turn - asked >= mostWaiting * spacing) return -known.count;
      known.next = turn + spacing;
      return turn - asked;
    },
  };
}
