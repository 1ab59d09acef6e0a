import { Readable } from 'node:stream';
import { forbidden, invalid, unavailable } from '@atrium/contract/errors.ts';
import { eventKindNames } from '@atrium/contract/events/kinds.ts';
import type { LiveEventsQuery } from '@atrium/contract/events/schema.ts';
import type { Notifier } from '../../db/notifier.ts';
import { errorFields } from '../../lib/log.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import { sseAnswer } from '../../lib/responses/sse.ts';
import { isOutsider, type Scope } from '../../lib/scope.ts';
import { eventsTopic } from './constants.ts';
import { type Feed, type FeedDeps, makeFeed, type Reader } from './feed.ts';
import { makeReaderQueue } from './reader.ts';
import { watchFeed } from './store.ts';

/** The live events of workspaces. */
export interface LiveEvents {
  follow(scope: Scope, query: LiveEventsQuery, last_event_id: string | undefined): Promise<RawAnswer>;
  /** Ends all streams, so that clients connect to another node. */
  close(): void;
}

/** A workspace counts as watched for longer than this. */
const watchAgainAfter = 120_000;
/** A notification may be lost. */
const lookAgainAfter = 2000;

interface OpenFeed {
  feed: Feed;
  watched_at: number;
  /** How often in a row it was found without readers; a reader may be about to join. */
  empty: number;
}

/** The events that a client asks for by kind or by name. */
function parseTypes(types: string | undefined): Reader['wants'] {
  if (types === undefined) return () => true;
  const wanted = new Set(types.split(',').map((type) => type.trim()));
  for (const type of wanted)
    if (!eventKindNames.some((kind) => type === kind || type.startsWith(`${kind}.`)))
      throw invalid(['query', 'types'], `there are no events of ${type.slice(0, 50)}`, type);
  return ({ event, kind }) => wanted.has(kind) || wanted.has(event);
}

export function makeLiveEvents(deps: FeedDeps & { notifier: Notifier }): LiveEvents {
  const { db, notifier, log } = deps;
  const feeds = new Map<string, Promise<OpenFeed>>();
  const queues = new Set<ReturnType<typeof makeReaderQueue>>();
  let isClosed = false;

  const wakeAll = () => {
    for (const open of feeds.values()) open.then(({ feed }) => feed.wake()).catch(() => {});
  };
  notifier.on(eventsTopic, (workspace_id) => {
    feeds
      .get(workspace_id)
      ?.then(({ feed }) => feed.wake())
      .catch(() => {});
  });
  notifier.onMissed(wakeAll);

  const openFeed = async (workspace_id: string): Promise<OpenFeed> => {
    const position = await watchFeed(db, workspace_id);
    return { feed: makeFeed(deps, workspace_id, position), watched_at: Date.now(), empty: 0 };
  };

  /** Feeds with readers stay watched; others are forgotten here and run out in the database. */
  async function tend(): Promise<void> {
    for (const [workspace_id, opening] of [...feeds]) {
      const open = await opening;
      open.empty = open.feed.size === 0 ? open.empty + 1 : 0;
      if (open.empty > 1) feeds.delete(workspace_id);
      if (open.empty > 0) continue;
      if (Date.now() - open.watched_at > watchAgainAfter) {
        await watchFeed(db, workspace_id);
        open.watched_at = Date.now();
      }
      open.feed.wake();
    }
  }
  const timer = setInterval(() => {
    tend().catch((error) => log.warn('events.not-watched', errorFields(error)));
  }, lookAgainAfter).unref();

  async function feedOf(workspace_id: string): Promise<Feed> {
    const opening = feeds.get(workspace_id) ?? openFeed(workspace_id);
    feeds.set(workspace_id, opening);
    try {
      return (await opening).feed;
    } catch (error) {
      feeds.delete(workspace_id);
      throw error;
    }
  }

  return {
    async follow(scope, { types, seconds, ...query }, header) {
      if (isOutsider(scope)) throw forbidden('Guests do not follow the events of a workspace');
      if (isClosed) throw unavailable('The server is being stopped; ask again in a moment');
      const wants = parseTypes(types);
      const last = header ?? query.last_event_id;
      let ending: NodeJS.Timeout | undefined;
      const queue = makeReaderQueue(() => {
        clearTimeout(ending);
        queues.delete(queue);
        feed.leave(reader);
      });
      const reader: Reader = { scope, queue, wants, seq: 0 };
      const feed = await feedOf(scope.workspace_id);
      queues.add(queue);
      scope.signal.addEventListener('abort', () => queue.cutOff('The client is gone'), { once: true });
      await feed.join(reader, last);
      if (scope.signal.aborted) queue.cutOff('The client is gone');
      if (seconds === 0) queue.end();
      else if (seconds !== undefined) ending = setTimeout(() => queue.end(), seconds * 1000);
      const answer = sseAnswer(queue.frames());
      if (answer.body instanceof Readable) answer.body.once('close', () => queue.cutOff('The client is gone'));
      return answer;
    },

    close() {
      isClosed = true;
      clearInterval(timer);
      for (const queue of queues) queue.cutOff('The server is being stopped');
    },
  };
}
