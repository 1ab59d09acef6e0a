import { type Database, type Db, isDuplicate } from '../../db/database.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { isOutsider, type Scope } from '../../lib/scope.ts';
import type { Brought } from '../../lib/tool.ts';
import type { Attachments } from '../attachments/service.ts';
import type { Held, NewMessage, Transcript } from '../conversations/transcript.ts';
import type { Settings } from '../settings/settings.ts';
import { lastPause, withdrawRun } from './event-store.ts';
import type { Executor } from './executor.ts';
import type { RunLog } from './log.ts';
import type { UserPart } from './message-parts.ts';
import type { MessageRequest } from './message-request.ts';
import { placeInLine, requireEndInSight } from './nesting.ts';
import type { People } from './people.ts';
import type { IfRunning, RunAnswer } from './schema.ts';
import * as store from './store.ts';
import { broughtBy, broughtIn } from './taint.ts';
import { placeholderTitle } from './titles.ts';

export type Runs = ReturnType<typeof makeRuns>;

/** A run that a request began, or that an earlier one with the same Idempotency-Key did. */
export interface Begun {
  run: store.RunRow;
  joined: boolean;
  /** The conversation as it was when it took the message, where that is known. */
  held?: Held | undefined;
}

/** How long a blocking call waits for the end before it answers with what there is. */
const longestWait = 110_000;

const shown = (row: store.RunRow): RunAnswer => {
  const { user_message_id: _, stop_requested: __, last_seq: ___, principal: ____, said: _____, ...rest } = row;
  const over = row.finished_at !== null;
  return {
    ...rest,
    workflow_id: row.conversation_id,
    progress: over ? 100 : 0,
    progress_details: null,
    node_ids: null,
  };
};

function partOf(request: MessageRequest, files: UserPart['files']): UserPart {
  const { content, tool, kb_id, workflow_id, model_selection } = request;
  return {
    role: 'user',
    type: 'user',
    content,
    ...(tool !== undefined && { tool }),
    ...(kb_id !== undefined && { kb_id }),
    ...(workflow_id !== undefined && { workflow_id }),
    ...(model_selection !== undefined && { model_selection }),
    ...(files?.length && { files }),
  };
}

export interface RunsOptions {
  db: Database;
  transcript: Transcript;
  attachments: Attachments;
  executor: Executor<store.RunRow, Held>;
  people: Pick<People, 'stop'>;
  log: RunLog;
  /** Whether the models of these settings take images. */
  sees(scope: Scope, settings: Settings): Promise<boolean>;
}

export function makeRuns({ db, transcript, attachments, executor, people, log, sees }: RunsOptions) {
  /** What a user says is stored at once when nothing is being answered, else when its turn comes. */
  async function say(tx: Db, workspace_id: string, conversation_id: string, id: string, part: UserPart, named = false) {
    await transcript.append(tx, workspace_id, conversation_id, {
      ...{ id, role: 'user', parts: JSON.stringify([part]), brought: broughtBy(part) },
    });
    if (!named) await transcript.rename(tx, workspace_id, conversation_id, null, placeholderTitle());
  }

  function newRun(
    scope: Scope,
    conversation_id: string,
    part: UserPart,
    status: store.NewRun['status'],
    said: boolean,
  ) {
    const { tenant_id, home_workspace_id, actor, permissions, tenant_admin, request_key } = scope;
    const place = placeInLine(scope);
    const principal = { tenant_id, home_workspace_id, actor, permissions: [...permissions], tenant_admin, ...place };
    const ids = { id: newId(), conversation_id, user_message_id: newId(), message_id: newId() };
    return { ...ids, status, said, input: { ...part }, actor_id: actor.id, principal, request_key };
  }

  async function insert(
    tx: Db,
    scope: Scope,
    conversation_id: string,
    part: UserPart,
    where: { said: boolean; begun: boolean; named: boolean },
  ) {
    const { workspace_id } = scope;
    const run = newRun(scope, conversation_id, part, where.begun ? 'running' : 'queued', where.said);
    if (where.said) {
      await say(tx, workspace_id, conversation_id, run.user_message_id, part, where.named);
      await transcript.setStatus(tx, workspace_id, conversation_id, run.status);
    }
    return store.insertRun(tx, workspace_id, executor.node_id, run);
  }

  /**
   * The usual case in one statement: the conversation is as it was read, nothing is being answered, and there is room.
   * Otherwise nothing is done; whoever asked looks closer.
   */
  async function insertAtOnce(scope: Scope, conversation_id: string, part: UserPart) {
    const { workspace_id } = scope;
    const held = await transcript.readForMessage(scope, conversation_id);
    const run = newRun(scope, conversation_id, part, 'running', true);
    const message = {
      id: run.user_message_id,
      role: 'user' as const,
      parts: JSON.stringify([part]),
      brought: broughtBy(part),
    };
    const idle = store.nothingRuns(workspace_id, conversation_id);
    const saying = transcript.saying(held, message, placeholderTitle(), idle);
    try {
      const row = await store.insertWith(db, saying, workspace_id, executor.node_id, run);
      return row && { run: row, held };
    } catch (error) {
      // Another run of this conversation, or an old one with this Idempotency-Key.
      if (isDuplicate(error)) return undefined;
      throw error;
    }
  }

  /** The run of the first request with this Idempotency-Key; another request under the same key is refused. */
  async function earlier(scope: Scope): Promise<store.RunRow | undefined> {
    if (!scope.request_key) return undefined;
    const { key, fingerprint } = scope.request_key;
    const run = await store.runOfRequest(db, scope.workspace_id, scope.actor.id, key);
    if (run && !run.request_fingerprint.equals(fingerprint))
      throw conflict('This Idempotency-Key was used for another request', 'idempotency_key_reused');
    return run;
  }

  /** Begins a run once for each Idempotency-Key. Of two requests at the same moment the second is joined to the first. */
  async function once(scope: Scope, begin: () => Promise<Omit<Begun, 'joined'>>): Promise<Begun> {
    const before = await earlier(scope);
    if (before) return { run: before, joined: true };
    try {
      return { ...(await begin()), joined: false };
    } catch (error) {
      const first = await earlier(scope);
      if (first) return { run: first, joined: true };
      throw error;
    }
  }

  async function find(scope: Scope, id: string): Promise<store.RunRow> {
    const row = await store.findRun(db, scope.workspace_id, id);
    if (!row) throw notFound('run');
    return row;
  }

  /** A run that has waited has its turn; undefined when another was quicker. */
  const beginWaiting = ({ id, group_id, conversation_id }: store.RunRow): Promise<store.RunRow | undefined> =>
    db.transaction(undefined, async (tx) => {
      if (!(await transcript.hold(tx, group_id, conversation_id))) return undefined;
      if (await store.activeRun(tx, group_id, conversation_id)) return undefined;
      const run = await store.startRun(tx, group_id, id, executor.node_id);
      if (!run) return undefined;
      if (!run.said) await say(tx, group_id, conversation_id, run.user_message_id, run.input as unknown as UserPart);
      await transcript.setStatus(tx, group_id, conversation_id, 'running');
      return run;
    });

  /**
   * A run that waits ends at once and not at its turn. What was not said yet is taken back; what stands in the
   * conversation already gets its end there.
   */
  async function stopWaiting(run: store.RunRow): Promise<boolean> {
    if (!run.said) {
      const { id: run_id, conversation_id, user_message_id, message_id } = run;
      const withdrawn = await withdrawRun(db, run.group_id, run_id, [
        { type: 'run-start', run_id, conversation_id, user_message_id, message_id },
        { type: 'run-end', status: 'stopped', error: null },
      ]);
      if (withdrawn) log.tell(run_id);
      return withdrawn;
    }
    const begun = await beginWaiting(run);
    if (begun) executor.start({ ...begun, stop_requested: true }, executor.beyond(run.group_id));
    return begun !== undefined;
  }

  async function stopOne(scope: Scope, run: store.RunRow): Promise<void> {
    const stopped = run.status === 'queued' && (await stopWaiting(run));
    // One that waited and was begun in the meantime is stopped like any other.
    const status = stopped ? undefined : await executor.stop(run.group_id, run.id);
    // Nobody carries one that waits for people, or has just begun to.
    if (status === 'awaiting_human_feedback') await people.stop(scope, run);
  }

  /** Asks for the stop of the run that goes on, or else of the next one, and answers which one that is. */
  async function stop(scope: Scope, conversation_id: string): Promise<store.RunRow | undefined> {
    await transcript.read(scope, conversation_id);
    const run =
      (await store.activeRun(db, scope.workspace_id, conversation_id)) ??
      (await store.unfinishedRun(db, scope.workspace_id, conversation_id));
    if (!run) return undefined;
    await stopOne(scope, run);
    return store.findRun(db, scope.workspace_id, run.id);
  }

  /** Stops the answer that is being given, and nothing that waits. */
  async function interrupt(scope: Scope, conversation_id: string): Promise<void> {
    const active = await store.activeRun(db, scope.workspace_id, conversation_id);
    if (active) await stopOne(scope, active);
  }

  /**
   * Begins a run, with what is said or with what comes of a transaction that goes before; a conversation that is busy
   * refuses, or lets it wait in line.
   */
  async function begin(
    scope: Scope,
    conversation_id: string,
    if_running: IfRunning,
    said: UserPart | ((tx: Db) => Promise<UserPart>),
    /** Not kept waiting for a place: a run that holds one may wait for this one. */
    beyond = false,
  ): Promise<Omit<Begun, 'joined'>> {
    requireEndInSight(scope);
    const slot = beyond ? executor.beyond(scope.workspace_id) : executor.take(scope.workspace_id);
    try {
      const begun = slot && typeof said !== 'function' && (await insertAtOnce(scope, conversation_id, said));
      if (begun) {
        executor.start(begun.run, slot, begun.held);
        return begun;
      }
      const run = await db.transaction(undefined, async (tx) => {
        const { row } = await transcript.holdForMessage(tx, scope, conversation_id);
        if (scope.request_key)
          await store.forgetOldRequest(tx, scope.workspace_id, scope.actor.id, scope.request_key.key);
        const active = await store.unfinishedRun(tx, scope.workspace_id, conversation_id);
        if (active && if_running === 'reject')
          throw conflict('The agent is still answering; stop it or wait', 'run_in_progress');
        const where = { said: !active, begun: !active && slot !== undefined, named: row.name !== null };
        return insert(tx, scope, conversation_id, typeof said === 'function' ? await said(tx) : said, where);
      });
      if (run.status === 'running' && slot) executor.start(run, slot);
      else {
        slot?.release();
        await executor.waits();
        if (if_running === 'interrupt') await interrupt(scope, conversation_id);
      }
      return { run };
    } catch (error) {
      slot?.release();
      throw error;
    }
  }

  return {
    find,
    stop,
    earlier,
    beginWaiting,

    /** Stores what the user says and has it answered. The run goes on by itself from here. */
    send: (
      scope: Scope,
      conversation_id: string,
      request: MessageRequest,
      if_running: IfRunning,
      /** What went into the words of the message, where that is known; those of an outsider are a stranger's. */
      {
        brings = isOutsider(scope) ? ['untrusted'] : [],
        beyond = false,
      }: { brings?: readonly Brought[]; beyond?: boolean } = {},
    ) =>
      once(scope, async () => {
        const said = { ...partOf(request, []), ...(brings.length > 0 && { brings }) };
        if (!request.files?.length) return begin(scope, conversation_id, if_running, said, beyond);
        // Refused before any file is fetched or stored; looked at again when the row is held.
        const { settings } = await transcript.read(scope, conversation_id);
        const files = await attachments.attach(scope, request.files);
        try {
          if (!settings.convert_unsupported_files_to_text) {
            const asked = { ...settings, model: request.model_selection ?? settings.model };
            attachments.check(files, { vision: await sees(scope, asked), convert_unsupported_files_to_text: false });
          }
          return await begin(scope, conversation_id, if_running, { ...said, files }, beyond);
        } catch (error) {
          await attachments.discard(scope, files);
          throw error;
        }
      }),

    /** A turn that brings its history along: that is stored before it, as if it had been said here. */
    async converse(
      scope: Scope,
      conversation_id: string,
      history: readonly NewMessage[],
      part: UserPart,
      { beyond = false }: { beyond?: boolean } = {},
    ) {
      if (part.files?.length) {
        const { settings } = await transcript.read(scope, conversation_id);
        const vision = await sees(scope, settings);
        if (!settings.convert_unsupported_files_to_text)
          attachments.check(part.files, { vision, convert_unsupported_files_to_text: false });
      }
      const before = async (tx: Db) => {
        for (const message of history)
          await transcript.append(tx, scope.workspace_id, conversation_id, {
            ...{ ...message, brought: broughtIn(message.parts) },
          });
        // Looked at again: what came along counts too.
        await transcript.holdForMessage(tx, scope, conversation_id);
        return part;
      };
      const { run } = await begin(scope, conversation_id, 'reject', history.length ? before : part, beyond);
      return run;
    },

    /** The user says something else in place of a message: from there on the conversation takes another way. */
    edit: (scope: Scope, conversation_id: string, message_id: string, content: string) =>
      once(scope, () =>
        begin(scope, conversation_id, 'reject', async (tx) => {
          const message = await transcript.message(tx, scope, conversation_id, message_id);
          if (message.role !== 'user') throw conflict('Only what a user said can be edited');
          await transcript.branchFrom(tx, scope.workspace_id, conversation_id, message.seq, newId());
          return { ...(JSON.parse(message.parts)[0] as UserPart), content };
        }),
      ),

    /** Another answer to the same message. */
    regenerate: (scope: Scope, conversation_id: string, message_id: string) =>
      once(scope, () =>
        begin(scope, conversation_id, 'reject', async (tx) => {
          const reply = await transcript.message(tx, scope, conversation_id, message_id);
          const question = await transcript.questionOf(tx, scope, conversation_id, reply);
          await transcript.branchFrom(tx, scope.workspace_id, conversation_id, question.seq, newId());
          return JSON.parse(question.parts)[0] as UserPart;
        }),
      ),

    /** Resolves at the run's end, or when a blocking call must answer anyway. */
    async settled(scope: Scope, run: store.RunRow): Promise<void> {
      if (run.finished_at !== null || run.status === 'awaiting_human_feedback') return;
      const enough = AbortSignal.any([scope.signal, AbortSignal.timeout(longestWait)]);
      for await (const _ of log.follow(scope.workspace_id, run.id, run.last_seq, enough));
    },

    async stopRun(scope: Scope, id: string): Promise<RunAnswer> {
      const run = await find(scope, id);
      if (run.finished_at === null) await stopOne(scope, run);
      return shown(await find(scope, id));
    },

    get: async (scope: Scope, id: string): Promise<RunAnswer> => shown(await find(scope, id)),

    async newest(scope: Scope, window: { size: number; offset: number }) {
      const { rows, total } = await store.listRuns(db, scope.workspace_id, window);
      return { items: rows.map(shown), total };
    },

    /** The event with which a run last began to wait for people; 0 when it never has. */
    pausedAt: ({ group_id, id }: store.RunRow) => lastPause(db, group_id, id),

    /** The run that goes on, or else the last one. */
    current: async (scope: Scope, conversation_id: string) =>
      (await store.activeRun(db, scope.workspace_id, conversation_id)) ??
      store.latestRun(db, scope.workspace_id, conversation_id),
  };
}
