import type { Route } from '../../src/lib/route.ts';
import type { Caller } from './callers.ts';
import type { Planting, Word } from './planting.ts';
import { readAnswer } from './read-answer.ts';
import { type Attempts, attemptsAt } from './requests.ts';

/** A marked word in an answer. */
export interface Sighting {
  caller: Caller;
  word: Word;
  /** The id of the operation. */
  operation: string;
  url: string;
}

const marked = /mw[a-z]{12}/g;

/** Calls operations as each caller and notes which marked words their answers have. */
export function makeSweep(origin: string, { words, records }: Planting) {
  const known = new Map(words.map((word) => [word.text, word]));
  const sightings = new Map<string, Sighting>();
  let sent = 0;

  /** Sends the requests to one path, and the further ones only where the first has found something. */
  async function tryPath(route: Route, caller: Caller, attempts: Attempts): Promise<'forbidden' | undefined> {
    for (const attempt of attempts) {
      sent++;
      const headers = { ...attempt.headers, ...caller.headers };
      const { status, text } = await readAnswer(origin, { ...attempt, headers });
      for (const [found] of text.toLowerCase().matchAll(marked)) {
        const word = known.get(found);
        if (word)
          sightings.set(
            `${caller.name} ${route.id} ${found}`,
            sightings.get(`${caller.name} ${route.id} ${found}`) ?? {
              caller,
              word,
              operation: route.id,
              url: `${attempt.method} ${attempt.url}`,
            },
          );
      }
      if (status === 401 || (status === 403 && text.includes('"code":"forbidden"'))) return 'forbidden';
      if (status === 404) return;
    }
  }

  async function tryRoute(route: Route, caller: Caller): Promise<void> {
    for (const attempts of attemptsAt(route, records, caller.token))
      if ((await tryPath(route, caller, attempts)) === 'forbidden') return;
  }

  /** Walks routes as one caller. */
  async function walk(caller: Caller, routes: readonly Route[]): Promise<void> {
    for (const route of routes) await tryRoute(route, caller);
  }
  return { walk, sightings, count: () => sent };
}

/** Works off tasks, a few at a time. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
