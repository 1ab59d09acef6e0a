import { conflict, notFound, unavailable } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Terminal, TerminalOpen, TerminalQuery, TerminalSize } from '@atrium/contract/sandboxes/terminals.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import type { SandboxEngines } from '../../../drivers/sandboxes/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { errorFields } from '../../../lib/log.ts';
import { omit } from '../../../lib/omit.ts';
import type { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { sseAnswer } from '../../../lib/responses/sse.ts';
import type { Scope } from '../../../lib/scope.ts';
import { directoryOf } from '../command-of.ts';
import type { FilesHold, StoredFiles } from '../files/stored-files.ts';
import type { Opened, Sandboxes } from '../service.ts';
import type { StopNotifier } from '../stop-notifier.ts';
import { makeKeyedSlots } from './keyed-slots.ts';
import type { OpenTerminals } from './open-terminals.ts';
import * as store from './store.ts';
import { terminalFrames } from './terminal-frames.ts';
import { startTerminalSession } from './terminal-session.ts';
import { insertInput, markInput, type Typed } from './transfer-store.ts';

/** Terminals in sandboxes. Each belongs to the caller that opened it; for all others it does not exist. */
export interface Terminals {
  open(scope: Scope, sandbox_id: string, request: TerminalOpen): Promise<Terminal>;
  list(scope: Scope, sandbox_id: string, query: TerminalQuery): Promise<Paged<Terminal>>;
  get(scope: Scope, sandbox_id: string, id: string): Promise<Terminal>;
  follow(scope: Scope, sandbox_id: string, id: string, last_event_id: string | undefined): Promise<RawAnswer>;
  write<T>(scope: Scope, sandbox_id: string, id: string, text: string, answer: T): Promise<T>;
  resize(scope: Scope, sandbox_id: string, id: string, size: TerminalSize): Promise<Terminal>;
  end(scope: Scope, sandbox_id: string, id: string): Promise<void>;
  /** Ends the terminals of this node, and the streams of those who follow one. */
  close(): Promise<void>;
}

interface Needs {
  db: Database;
  notifier: Notifier;
  engines: SandboxEngines;
  sandboxes: Sandboxes;
  stopNotifier: StopNotifier;
  open_terminals: OpenTerminals;
  files: StoredFiles;
  /** The most terminals that this node runs at once. */
  most: number;
  /** Seconds without input after which a terminal ends. */
  idle_seconds: number;
}

const [inputTopic, outputTopic] = ['terminal-input', 'terminal-output'];
const mostInSandbox = 4;
/** The most clients that follow a terminal through this node: each of them reads its output from the database. */
const mostFollowers = 8;
/** How long a terminal waits for another node that uses the files of the sandbox. */
const filesWithinMs = 20_000;
/** How long a shutdown waits for starting terminals. Their files may take longer to come from a bucket. */
const startsWithinMs = 5000;
const mostWaitingBytes = 256 * 1024;

export function makeTerminals(needs: Needs): Terminals {
  const { db, notifier, engines, sandboxes, open_terminals } = needs;
  const workspaceShare = Math.max(1, Math.ceil(needs.most / 2));
  const slots = makeKeyedSlots({ most: needs.most, most_of_key: workspaceShare });
  const followers = makeKeyedSlots({ most: Number.POSITIVE_INFINITY, most_of_key: mostFollowers });
  const closing = new AbortController();
  const starting = new Set<Promise<unknown>>();
  notifier.on(inputTopic, (id) => open_terminals.get(id)?.look());
  needs.stopNotifier.on((sandbox_id) => open_terminals.end(sandbox_id));

  const notify = async (topic: string, id: string) => {
    notifier.notifyLocal(topic, id);
    await notifier.notify(db, topic, id);
  };
  const ownerOf = (scope: Scope, sandbox_id: string): store.TerminalOwner => ({
    workspace_id: scope.workspace_id,
    sandbox_id,
    created_by: scope.actor.id,
  });

  async function find(scope: Scope, sandbox_id: string, id: string): Promise<Terminal> {
    const terminal = await store.findTerminal(db, ownerOf(scope, sandbox_id), id);
    if (!terminal) throw notFound('terminal');
    return terminal;
  }

  async function findOpen(scope: Scope, sandbox_id: string, id: string): Promise<store.TerminalKey> {
    const { status } = await find(scope, sandbox_id, id);
    if (status === 'ended') throw conflict('The terminal has ended; open another', 'terminal_ended');
    return { workspace_id: scope.workspace_id, id };
  }

  async function send(tx: Db, key: store.TerminalKey, typed: Typed, most: number): Promise<void> {
    if (!(await insertInput(tx, key, typed, { input_id: newId(), most })))
      throw conflict('The program in the terminal does not read what is typed; wait, or end it', 'terminal_busy');
    await notifier.notify(tx, inputTopic, key.id);
  }

  /** A slot for a terminal, from before it is opened until it has ended. */
  function takeSlot(workspace_id: string): { release(): void } {
    const slot = closing.signal.aborted ? 'all_taken' : slots.take(workspace_id);
    if (slot === 'all_taken')
      throw unavailable('The server runs as many terminals as it may; try again later', 'terminals_busy');
    if (slot === 'key_at_limit')
      throw conflict(`A workspace has at most ${workspaceShare} open terminals on a server`, 'terminal_limit_reached');
    return slot;
  }

  function takeFollower(id: string): { release(): void } {
    const follower = followers.take(id);
    if (typeof follower === 'string')
      throw conflict(`At most ${mostFollowers} clients follow a terminal at once`, 'terminal_followers_reached');
    return follower;
  }

  /** The row of a new terminal. Terminals of one sandbox are counted and added one after another. */
  async function insert(owner: store.TerminalOwner, row: TerminalSize & { id: string }): Promise<Terminal> {
    const terminal = await db.transaction(undefined, async (tx) => {
      if (!(await store.lockSandbox(tx, owner))) throw notFound('sandbox');
      return store.insertTerminal(tx, owner, { ...row, most: mostInSandbox });
    });
    if (!terminal) throw conflict(`A sandbox has at most ${mostInSandbox} open terminals`, 'terminal_limit_reached');
    return terminal;
  }

  /** Wakes the sandbox, with its files here for as long as they are held. */
  async function prepare(scope: Scope, found: Opened): Promise<{ hold: FilesHold; opened: Opened }> {
    const signal = AbortSignal.any([closing.signal, ...(scope.signal ? [scope.signal] : [])]);
    const hold = await needs.files.take(found, filesWithinMs, signal);
    if (!hold) throw unavailable('Another node uses the files of the sandbox; try again later', 'terminals_busy');
    try {
      if (closing.signal.aborted) throw unavailable('The server shuts down; try again later', 'terminals_busy');
      return { hold, opened: await sandboxes.wake(scope, found) };
    } catch (error) {
      await hold.release().catch(() => {});
      throw await sandboxes.explain(scope, found, error);
    }
  }

  async function start(scope: Scope, found: Opened, size: TerminalSize, cwd: string) {
    const sandbox_id = found.row.id;
    const { hold, opened } = await prepare(scope, found);
    const id = newId();
    const terminal = await insert(ownerOf(scope, sandbox_id), { id, ...size }).catch(async (error) => {
      await hold.release().catch(() => {});
      throw error;
    });
    const session = startTerminalSession({
      ...{ db, engines, log: scope.log, opened, size, cwd, idle_seconds: needs.idle_seconds },
      key: { workspace_id: scope.workspace_id, id },
      onOutput: () => notify(outputTopic, id),
      onActivity: () => sandboxes.touch(scope, sandbox_id),
      async authorize() {
        const principal = await scope.authorize?.();
        // The access log has the terminal already.
        await sandboxes.requireVisible({ ...omit(scope, ['noteRead']), ...principal }, sandbox_id);
      },
    });
    // It is over when its files are stored, which a shutdown waits for.
    const ended = session.ended
      .then(() => hold.release())
      .catch((error: unknown) =>
        scope.log.warn('terminal.files_not_stored', { terminal_id: id, ...errorFields(error) }),
      );
    const whole = { ...session, ended };
    open_terminals.add(id, whole);
    return { terminal, session: whole };
  }

  return {
    async open(scope, sandbox_id, { cwd, ...size }) {
      const directory = directoryOf(cwd);
      const found = await sandboxes.open(scope, sandbox_id);
      if (!found.driver.has_terminals)
        throw conflict('The engine of this sandbox offers no terminal; run commands instead', 'terminal_unavailable');
      const slot = takeSlot(scope.workspace_id);
      const started = start(scope, found, size, directory);
      starting.add(started);
      try {
        const { terminal, session } = await started;
        void session.ended.then(slot.release);
        return terminal;
      } catch (error) {
        slot.release();
        throw error;
      } finally {
        starting.delete(started);
      }
    },

    async list(scope, sandbox_id, query) {
      await sandboxes.requireExisting(scope, sandbox_id);
      const page = pageOf(query);
      const { rows, total, last } = await store.listTerminals(db, ownerOf(scope, sandbox_id), query, page);
      return pageAnswer(rows, total, page, last);
    },

    get: find,

    async follow(scope, sandbox_id, id, last_event_id = '0') {
      await find(scope, sandbox_id, id);
      const last = /^\d{1,9}$/.test(last_event_id) ? Number(last_event_id) : 0;
      const follower = takeFollower(id);
      const frames = terminalFrames({
        ...{ db, last, owner: ownerOf(scope, sandbox_id), key: { workspace_id: scope.workspace_id, id } },
        signal: scope.signal,
        isClosing: () => closing.signal.aborted,
        onEnd: follower.release,
        onOutput: (listener) => notifier.on(outputTopic, (note) => (note === id || note === '') && listener()),
      });
      return sseAnswer(frames);
    },

    async write(scope, sandbox_id, id, text, answer) {
      const key = await findOpen(scope, sandbox_id, id);
      await db.transaction(scope, async (tx) => {
        // `markInput` locks the row of the terminal, so that one request at a time counts the bytes that wait.
        await markInput(tx, key);
        await send(tx, key, { kind: 'text', text: text.replaceAll('\0', '') }, mostWaitingBytes);
        return answer;
      });
      open_terminals.get(id)?.look();
      return answer;
    },

    async resize(scope, sandbox_id, id, size) {
      const key = await findOpen(scope, sandbox_id, id);
      const text = `${size.rows} ${size.cols}`;
      const resized = await db.transaction(scope, async (tx) => {
        // The update locks the row of the terminal, as `markInput` does in `write`.
        const terminal = await store.setSize(tx, key, size);
        if (!terminal) throw notFound('terminal');
        await send(tx, key, { kind: 'size', text }, mostWaitingBytes);
        return terminal;
      });
      open_terminals.get(id)?.look();
      return resized;
    },

    async end(scope, sandbox_id, id) {
      if ((await find(scope, sandbox_id, id)).status === 'ended') return;
      await send(db, { workspace_id: scope.workspace_id, id }, { kind: 'end', text: '' }, Number.MAX_SAFE_INTEGER);
      open_terminals.get(id)?.end('stopped');
      await open_terminals.get(id)?.ended;
    },

    async close() {
      closing.abort();
      notifier.notifyLocal(outputTopic);
      const ended = open_terminals.endAll();
      // A start that takes longer is refused when its files are here.
      const late = new Promise((resolve) => setTimeout(resolve, startsWithinMs).unref());
      await Promise.race([Promise.allSettled(starting), late]);
      await Promise.all([ended, open_terminals.endAll()]);
    },
  };
}
