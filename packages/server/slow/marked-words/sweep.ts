import type { Route } from '../../src/lib/route.ts';
import type { Caller } from './callers.ts';
import type { Planting, Word } from './planting.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { type Attempts, attemptsAt } from './requests.ts';
import { walkMcp } from './walk-mcp.ts';

/** A marked word in an answer. */
export interface Sighting {
  caller: Caller;
  word: Word;
  /** The id of the operation. */
  operation: string;
  url: string;
}

const marked = /mw[a-z]{12}/g;
const atOnce = 6;

/** The route walk shows that such a request is refused before it is looked at, whatever it asks for. */
const isRefused = ({ permission }: Route, { holds, isNarrow }: Caller) =>
  isNarrow && ![permission].flat().some((name) => ['any', 'link', 'open', 'session'].includes(name) || holds.has(name));

/** Calls operations as each caller and notes which marked words their answers have. */
export function makeSweep(origin: string, { words, records }: Planting) {
  const known = new Map(words.map((word) => [word.text, word]));
  const sightings = new Map<string, Sighting>();
  let count = 0;

  /** A word that the caller sent itself tells it nothing. */
  function look(caller: Caller, operation: string, url: string, { text }: ReadAnswer, sent = ''): void {
    count++;
    for (const [found] of text.toLowerCase().matchAll(marked)) {
      const word = sent.includes(found) ? undefined : known.get(found);
      const key = `${caller.name} ${operation} ${found}`;
      if (word && !sightings.has(key)) sightings.set(key, { caller, word, operation, url });
    }
  }

  /** Sends the requests to one path, and the further ones only where the first has found something. */
  async function tryPath(route: Route, caller: Caller, attempts: Attempts): Promise<'forbidden' | undefined> {
    for (const attempt of attempts) {
      const headers = { ...attempt.headers, ...caller.headers };
      const answer = await readAnswer(origin, { ...attempt, headers });
      look(caller, route.id, `${attempt.method} ${attempt.url}`, answer, JSON.stringify(attempt).toLowerCase());
      const { status, text } = answer;
      // The permission of a route is looked at before its request, so no other request gets further.
      if (status === 401 || (status === 403 && text.includes('"code":"forbidden"'))) return 'forbidden';
      if (status === 404) return;
    }
  }

  async function tryRoute(route: Route, caller: Caller): Promise<void> {
    for (const attempts of attemptsAt(route, records, caller.token))
      if ((await tryPath(route, caller, attempts)) === 'forbidden') return;
  }

  return {
    /** Walks routes as each of the callers, a few of them at a time. */
    async walk(callers: readonly Caller[], routes: readonly Route[]): Promise<void> {
      const left = [...callers];
      const worker = async () => {
        for (let caller = left.shift(); caller; caller = left.shift())
          for (const route of routes) if (!isRefused(route, caller)) await tryRoute(route, caller);
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
    },
    /** Walks the endpoint of MCP clients, which is no operation of the contract. */
    async walkMcp(callers: readonly Caller[]): Promise<void> {
      for (const caller of callers)
        for (const answer of await walkMcp(origin, caller)) look(caller, 'mcp', 'POST /mcp', answer);
    },
    sightings: () => [...sightings.values()],
    count: () => count,
  };
}
