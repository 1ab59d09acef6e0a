import { type Atrium, AtriumError, makeIdempotencyKey, type StreamState } from '@atrium/sdk';
import { isOnline } from '../../lib/online.ts';
import { markWaiting, mergeMessages, prependMessages } from './merge-messages.ts';
import { type ChatMessage, type Chunk, type SentMessage, storedMessage, textOf } from './message-types.ts';
import { ownMessage } from './own-message.ts';
import { type Painter, paintOncePerFrame } from './paint-once-per-frame.ts';
import { reduceChunk } from './reduce-chunk.ts';
import { keepRefusal, readRefusal, refusalOf } from './refusal.ts';
import type { ConversationState, MessageExtras, SendOptions, ThreadOptions, ThreadSnapshot } from './thread-types.ts';
import { keepUnsent, readUnsent, stillUnsent } from './unsent.ts';

export type { ConversationState, MessageExtras, ThreadSnapshot } from './thread-types.ts';

const pageSize = 40;
const isActive = (status: string) => status === 'running' || status === 'queued';
let localKeys = 0;

export type Thread = ReturnType<typeof makeThread>;

/** One conversation as the page shows it: its messages, and the answer that is being written. Lives outside of React. */
export function makeThread({ client, conversationId, onSettled, onRefused }: ThreadOptions) {
  let snapshot: ThreadSnapshot = {
    ...{ phase: 'new', messages: [], hasOlder: false, stream: 'idle', answering: false, waiting: false },
  };
  const listeners = new Set<() => void>();
  let cursor: number | null = null;
  let etag: string | null = null;
  let control: AbortController | undefined;
  let lastEventId: string | undefined;
  let loadingOlder: Promise<void> | undefined;
  let writing: string | undefined;
  /** What the server said of the conversation while an answer was written. */
  let missed: ConversationState | undefined;

  function set(change: Partial<ThreadSnapshot>): void {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  }
  const setMessages = (messages: readonly ChatMessage[]): void => {
    if (messages !== snapshot.messages) set({ messages });
  };

  const readPage = async (from: number | null) => {
    const query = { size: pageSize, format: 'ui', ...(from !== null && { cursor: from }) } as const;
    const page = await client.conversations.listMessages(conversationId, query);
    return { next: page.next_cursor, items: (page.items as unknown as SentMessage[]).map(storedMessage).toReversed() };
  };

  async function load(state: ConversationState): Promise<void> {
    set({ phase: 'loading' });
    const kept = onRefused ? readUnsent(conversationId) : [];
    try {
      const { items, next } = await readPage(null);
      cursor = next;
      etag = state.etag;
      const messages = mergeMessages([], items);
      // What was said while it was loading is on its way.
      const local = [...stillUnsent(kept, messages), ...snapshot.messages.filter(({ id }) => !id)];
      const last = messages.at(-1);
      const stopped = state.status === 'stopped' && last?.role === 'assistant';
      set({
        ...{ phase: 'ready', hasOlder: next !== null, error: undefined },
        messages: [...(stopped ? messages.with(-1, { ...last, state: 'stopped' }) : messages), ...local],
        refusal: onRefused && readRefusal(conversationId),
      });
      if (isActive(state.status) || state.status === 'awaiting_human_feedback') join(state.etag ?? undefined);
    } catch (error) {
      set({ phase: 'failed', error });
    }
  }

  /** Reads the newest messages again: their ids, and what other windows did. */
  async function readTail(state: ConversationState): Promise<void> {
    const { items, next } = await readPage(null);
    if (snapshot.answering) return;
    etag = state.etag;
    const merged = mergeMessages(snapshot.messages, items);
    const isWhole = items[0] === undefined || merged[0]?.id === items[0].id;
    if (isWhole) cursor = next;
    const waiting = state.status === 'awaiting_human_feedback';
    set({ messages: markWaiting(merged, waiting), waiting, ...(isWhole && { hasOlder: next !== null }) });
  }

  /** The messages with one that is being written in its place: that of the stored one with its id, or the end. */
  function placed(before: ChatMessage, after: ChatMessage): readonly ChatMessage[] {
    const { messages } = snapshot;
    const own = messages.findIndex(({ key }) => key === before.key);
    if (own >= 0 && before.id === after.id) return messages.with(own, after);
    const others = messages.filter(({ key }) => key !== before.key);
    const stored = others.findIndex(({ id }) => id === after.id);
    const known = others[stored];
    if (!known) return [...others, after];
    writing = known.key;
    return others.with(stored, { ...after, key: known.key });
  }

  /** Applies all chunks that came since the last frame. */
  function show(chunks: readonly Chunk[]): void {
    const before = snapshot.messages.find(({ key }) => key === writing);
    if (!before) return;
    const after = chunks.reduce(reduceChunk, before);
    if (after !== before) setMessages(placed(before, after));
  }

  function beginWriting(resume: boolean): void {
    const last = snapshot.messages.at(-1);
    const now = Date.now();
    if (resume && last?.role === 'assistant') {
      writing = last.key;
      setMessages(snapshot.messages.with(-1, { ...last, state: 'writing', started: now }));
      return;
    }
    writing = `local-${++localKeys}`;
    const created_at = new Date(now).toISOString();
    const blank = { key: writing, id: '', role: 'assistant', created_at, parts: [], metadata: null } as const;
    setMessages([...snapshot.messages, { ...blank, state: 'writing', started: now }]);
  }

  /** The answer's message once nothing more comes. One that never began is taken away. */
  function endWriting(state: 'waiting' | 'failed' | undefined): void {
    const at = snapshot.messages.findIndex(({ key }) => key === writing);
    const message = snapshot.messages[at];
    writing = undefined;
    if (!message) return;
    const empty = message.id === '' && message.parts.length === 0;
    if (empty) setMessages(snapshot.messages.toSpliced(at, 1));
    else if (message.state === 'writing') {
      const { state: _, ...rest } = message;
      setMessages(snapshot.messages.with(at, state ? { ...rest, state } : rest));
    }
  }

  type Stream = ReturnType<Atrium['conversations']['events']>;
  type Options = { signal: AbortSignal; onState: (state: StreamState) => void };

  /** The server has taken the message. */
  function markTaken(): void {
    takeRefusalBack();
    if (onRefused)
      keepUnsent(
        conversationId,
        snapshot.messages.filter(({ state }) => state === 'unsent'),
      );
  }

  function takeRefusalBack(): void {
    if (!snapshot.refusal) return;
    keepRefusal(conversationId, undefined);
    set({ refusal: undefined });
  }

  /** The words of a message did not arrive: they go back to the composer, or stay with a way to send them again. */
  function keepWords(key: string, error: unknown): void {
    const at = snapshot.messages.findIndex((message) => message.key === key);
    const own = snapshot.messages[at];
    if (!own) return;
    const refusal = refusalOf(error);
    if (refusal && onRefused && own.parts.every(({ type }) => type === 'text')) {
      keepRefusal(conversationId, refusal);
      set({ messages: snapshot.messages.toSpliced(at, 1), refusal });
      keepUnsent(conversationId, snapshot.messages);
      onRefused(textOf(own));
      return;
    }
    const failure = error instanceof AtriumError ? error.detail : '';
    setMessages(snapshot.messages.with(at, { ...own, state: 'unsent', failure }));
    if (onRefused) keepUnsent(conversationId, snapshot.messages);
  }

  /** Reads a stream to its end, and throws if it never began. */
  async function follow(open: (options: Options) => Stream, resume: boolean, hold = false): Promise<void> {
    const own = new AbortController();
    control?.abort();
    control = own;
    let began = false;
    set({ answering: true, waiting: false, stream: 'joining' });
    beginWriting(resume);
    const painter: Painter<Chunk> = paintOncePerFrame(show);
    const onState = (state: StreamState) => {
      if (control === own) set({ stream: state });
      if (state === 'lost' && hold && !began && !isOnline()) own.abort();
    };
    const stream = open({ signal: own.signal, onState });
    let failure: unknown;
    try {
      for await (const chunk of stream) {
        if (control !== own) return;
        if (!began) markTaken();
        began = true;
        painter.add(chunk as Chunk);
      }
    } catch (error) {
      failure = error;
    } finally {
      painter.flush();
    }
    if (control !== own) return;
    if (own.signal.aborted) failure = new AtriumError(0, { code: 'network' });
    control = undefined;
    lastEventId = stream.lastEventId ?? lastEventId;
    const waiting = stream.state === 'waiting';
    endWriting(waiting ? 'waiting' : failure && began ? 'failed' : undefined);
    set({ answering: false, waiting, stream: stream.state });
    if (failure && !began) throw failure;
    readMissed();
    onSettled();
  }

  /** The page may know the end of an answer before the stream has brought it, and is then not told of it again. */
  function readMissed(): void {
    const state = missed;
    missed = undefined;
    if (state && !isActive(state.status) && state.etag !== etag) void readTail(state).catch(() => {});
  }

  function join(since: string | undefined): void {
    if (snapshot.answering) return;
    const resume = snapshot.waiting && lastEventId !== undefined;
    const from = resume ? { lastEventId } : { etag: since };
    // What can't be joined is read once it is stored.
    follow((options) => client.conversations.events(conversationId, { ...options, ...from }), resume).catch(() => {});
  }

  /** Finds the messages that are shown among the stored ones, where the conversation may be as it was before. */
  async function readStored(): Promise<void> {
    const { items } = await readPage(null);
    if (!snapshot.answering) setMessages(mergeMessages(snapshot.messages, items));
  }

  function addOwn(content: string, sendKey: string, extras: MessageExtras = {}): string {
    const own = ownMessage(`local-${++localKeys}`, content, sendKey, extras);
    setMessages([...snapshot.messages, own]);
    if (onRefused) keepUnsent(conversationId, snapshot.messages);
    return own.key;
  }

  /** Streams an answer to words that are shown already; they are marked when they do not arrive. */
  async function answer(
    key: string,
    open: (options: Options) => Stream,
    { hold = false, again = false }: SendOptions = {},
  ): Promise<'answered' | 'held'> {
    try {
      await follow(open, false, hold);
      if (again) await readStored().catch(() => {});
      return 'answered';
    } catch (error) {
      if (hold && !isOnline() && error instanceof AtriumError && error.status === 0) {
        discard(key);
        return 'held';
      }
      keepWords(key, error);
      throw error;
    }
  }

  function discard(key: string): void {
    setMessages(snapshot.messages.filter((message) => message.key !== key));
    if (onRefused) keepUnsent(conversationId, snapshot.messages);
  }

  const indexOf = (id: string) => snapshot.messages.findIndex((message) => message.id === id);

  return {
    conversationId,
    snapshot: () => snapshot,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Brings the thread to what the server says of the conversation. */
    async sync(state: ConversationState): Promise<void> {
      const { phase, answering, waiting } = snapshot;
      if (phase === 'new') return load(state);
      if (answering) missed = state;
      if (phase !== 'ready' || answering) return;
      const changed = state.etag !== etag;
      if (isActive(state.status) || (changed && waiting && state.status === 'awaiting_human_feedback')) {
        const since = etag ?? undefined;
        etag = state.etag;
        join(since);
      } else if (changed) await readTail(state).catch(() => {});
    },

    retryLoad: (state: ConversationState) => load(state),

    /** Loads the page before the first message that is shown. */
    loadOlder(): Promise<void> {
      if (cursor === null || snapshot.phase !== 'ready') return Promise.resolve();
      loadingOlder ??= readPage(cursor)
        .then(({ items, next }) => {
          cursor = next;
          set({ messages: prependMessages(snapshot.messages, items), hasOlder: next !== null });
        })
        .finally(() => {
          loadingOlder = undefined;
        });
      return loadingOlder;
    },

    /** Loads back to a message; false when the conversation does not show it. */
    async loadTo(messageId: string): Promise<boolean> {
      while (indexOf(messageId) < 0 && snapshot.hasOlder) await this.loadOlder();
      return indexOf(messageId) >= 0;
    },

    /** `held`: there is no network, and the message is not in the thread any more. */
    send(content: string, extras: MessageExtras = {}, options: SendOptions = {}): Promise<'answered' | 'held'> {
      if (snapshot.phase === 'new') set({ phase: 'ready' });
      const { key: idempotencyKey = makeIdempotencyKey() } = options;
      const sent = (stream: Options) => ({ ...stream, idempotencyKey });
      return answer(
        addOwn(content, idempotencyKey, extras),
        (stream) => client.conversations.stream(conversationId, { content, ...extras }, sent(stream)),
        options,
      );
    },

    /** The person has read why a message was not taken. */
    forgetRefusal: takeRefusalBack,

    /** Takes words away that were not sent. */
    discard,

    async edit(messageId: string, content: string): Promise<void> {
      const before = snapshot.messages;
      const at = indexOf(messageId);
      if (at >= 0) setMessages(before.slice(0, at));
      const key = addOwn(content, makeIdempotencyKey());
      try {
        await answer(key, (options) =>
          client.conversations.streamEdit(conversationId, messageId, { content }, options),
        );
      } catch (error) {
        // The branch that was left is still the one of the server.
        setMessages([...before, ...snapshot.messages.filter((message) => message.key === key)]);
        throw error;
      }
    },

    /** Another answer to the message of a person that this one is, or answers; of these models, if any are given. */
    async regenerate(messageId: string, modelSelection?: string[]): Promise<void> {
      const at = indexOf(messageId);
      const asked = snapshot.messages.findLastIndex((message, index) => index <= at && message.role === 'user');
      const before = snapshot.messages;
      if (asked >= 0) setMessages(before.slice(0, asked + 1));
      try {
        await follow(
          (options) => client.conversations.streamRegenerate(conversationId, messageId, { ...options, modelSelection }),
          false,
        );
      } catch (error) {
        setMessages(before);
        throw error;
      }
    },

    async choose(messageId: string): Promise<void> {
      const { etag: now, status } = await client.branches.choose(conversationId, messageId);
      const { items, next } = await readPage(null);
      cursor = next;
      etag = now;
      set({
        messages: mergeMessages([], items),
        hasOlder: next !== null,
        waiting: status === 'awaiting_human_feedback',
      });
      onSettled();
    },

    stop: () => client.messages.stop(conversationId),

    close(): void {
      control?.abort();
      control = undefined;
      listeners.clear();
    },
  };
}
