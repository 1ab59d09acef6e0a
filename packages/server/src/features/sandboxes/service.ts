import { AppError, conflict, forbidden, InvalidRequest, notFound, unavailable } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Sandbox, SandboxCreate, SandboxQuery, SandboxWithUsage } from '@atrium/contract/sandboxes/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { EngineFailed, type SandboxDriver, type SandboxEngines, SandboxGone } from '../../drivers/sandboxes/driver.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields } from '../../lib/log.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { onlyOf } from '../conversations/service.ts';
import { runReach } from '../ownership/service.ts';
import type { Lanes } from './command-slots.ts';
import { makeDiskUsage } from './files/disk-usage.ts';
import type { FilesHold, StoredFiles } from './files/stored-files.ts';
import type { StopNotifier } from './stop-notifier.ts';
import * as store from './store.ts';

export interface Sandboxes {
  open(scope: Scope, id: string): Promise<Opened>;
  explain(scope: Scope, opened: Opened, error: unknown): Promise<unknown>;
  create(
    scope: Scope,
    input: SandboxCreate,
    options?: {
      conversation_id?: string | null;
      run_id?: string | null;
    },
  ): Promise<Sandbox>;
  list(scope: Scope, query: SandboxQuery): Promise<Paged<Sandbox>>;
  get(scope: Scope, id: string): Promise<SandboxWithUsage>;
  /** Fails as not found for a sandbox that the workspace does not have. */
  requireExisting(scope: Scope, id: string): Promise<void>;
  /** Fails as not found for a sandbox of a conversation or run that the caller may not read. */
  requireVisible(scope: Scope, id: string): Promise<void>;
  /** Keeps other nodes from changing the files, which are stored when the hold is released. */
  holdFiles(scope: Scope, opened: Opened): Promise<FilesHold>;
  /** Starts a stopped sandbox that is about to be used. */
  wake(scope: Scope, opened: Opened): Promise<Opened>;
  touch(scope: Scope, id: string): Promise<void>;
  /** Measures the disk usage anew at the next `get`, since files were changed. */
  forgetUsage(id: string): void;
  start(scope: Scope, id: string): Promise<Sandbox>;
  /**
   * Ends the commands that run in the sandbox. Its files stay; an idle sandbox that is not persistent is deleted later.
   */
  stop(scope: Scope, id: string): Promise<Sandbox>;
  /** Deletes the row first, so that the sandbox is not found any more; its files follow, if need be after a restart. */
  remove(scope: Scope, id: string): Promise<void>;
  /** The error as an event of a stream, whose status is sent already. */
  toldOf(
    scope: Scope,
    error: unknown,
  ): Promise<{
    detail: string;
    code: string;
  }>;
}

/** How long a change of files waits for a command on another node. */
const busyMs = 15_000;

/** A sandbox that can be used, with its engine. */
export interface Opened {
  row: store.SandboxRow;
  driver: SandboxDriver;
  ref: string;
}

interface Needs {
  db: Database;
  stopNotifier: StopNotifier;
  engines: SandboxEngines;
  lanes: Pick<Lanes, 'idle'>;
  files: StoredFiles;
  /** Whether the operator allows sandboxes to reach the internet. */
  network_allowed: boolean;
  max_per_workspace: number;
  /** Enqueues the removal of a sandbox whose row is deleted, so that it also happens after a crash. */
  destroyLater(tx: Db, place: store.SandboxRef): Promise<void>;
}

const reachOf = (scope: Scope): store.SandboxReach => ({ conversations_of: onlyOf(scope), runs: runReach(scope) });

export function makeSandboxes(needs: Needs): Sandboxes {
  const { db, stopNotifier, engines, lanes, files } = needs;
  const usage = makeDiskUsage(engines);

  const presentSandbox = (row: store.SandboxRow): Sandbox => {
    const known = engines.known();
    const terminal = engines.driver(row.engine)?.has_terminals === true;
    return { ...omit(row, ['ref', 'files_id']), terminal, advice: known?.engine === row.engine ? known.advice : '' };
  };

  async function find(scope: Scope, id: string): Promise<store.SandboxRow> {
    const row = await store.findSandbox(db, scope.workspace_id, id);
    if (!row) throw notFound('sandbox');
    return row;
  }

  async function open(scope: Scope, id: string): Promise<Opened> {
    const row = await find(scope, id);
    if (row.status === 'error') throw conflict(row.error ?? 'The sandbox is broken', 'sandbox_error');
    if (row.ref === null) throw conflict('The sandbox is still being made', 'sandbox_creating');
    const driver = engines.driver(row.engine);
    if (!driver)
      throw unavailable(`This sandbox needs the engine ${row.engine}, which is not configured`, 'engine_missing');
    return { row, driver, ref: row.ref };
  }

  /**
   * Translates an error of an engine. A sandbox that its engine no longer has stays listed, with the status `error`.
   */
  async function explain(scope: Scope, { row }: Opened, error: unknown): Promise<unknown> {
    if (error instanceof SandboxGone) {
      const told = 'The sandbox is gone from its engine; delete it and make another';
      await store.setStatus(db, scope.workspace_id, row.id, { status: 'error', error: told });
      return conflict(told, 'sandbox_error');
    }
    if (!(error instanceof EngineFailed)) return error;
    scope.log.error('An engine for sandboxes failed', { engine: row.engine, ...errorFields(error) });
    return unavailable('The engine of this sandbox does not work at the moment', 'sandbox_engine_failed');
  }

  /** Ends what runs in a sandbox, on every node, and waits for the commands and terminals of this node. */
  async function quiet(id: string): Promise<void> {
    await stopNotifier.notify(id);
    await lanes.idle(id);
  }

  async function chosenFor(input: SandboxCreate) {
    if (input.network && !needs.network_allowed)
      throw forbidden(
        'Sandboxes may not use the network here; ATRIUM_SANDBOX_NETWORK allows it',
        'network_not_allowed',
      );
    const chosen = await engines.chosen();
    const driver = chosen.usable ? engines.driver(chosen.engine) : undefined;
    if (!driver) throw unavailable(`No sandbox can be made here: ${chosen.advice}`, 'sandbox_unavailable');
    if (input.network && !chosen.network)
      throw conflict(`The engine ${chosen.engine} can't give a sandbox the network`, 'network_unavailable');
    return { chosen, driver };
  }

  return {
    open,
    explain,

    async create(
      scope: Scope,
      input: SandboxCreate,
      { conversation_id = null, run_id = null }: { conversation_id?: string | null; run_id?: string | null } = {},
    ): Promise<Sandbox> {
      const { chosen, driver } = await chosenFor(input);
      const { engine, isolation } = chosen;
      const id = newId();
      const row = { ...input, id, engine, isolation, created_by: scope.actor.id, conversation_id, run_id };
      const inserted = await db.transaction(undefined, async (tx) => {
        await store.lockSandboxes(tx, scope.workspace_id);
        return store.insertSandbox(tx, scope.workspace_id, row, needs.max_per_workspace);
      });
      if (!inserted)
        throw conflict(`A workspace has at most ${needs.max_per_workspace} sandboxes`, 'sandbox_limit_reached');
      let ref: string | undefined;
      try {
        ref = await driver.create({ id, persistent: input.persistent, network: input.network });
        const made = ref;
        const running = await db.write(scope, (tx) =>
          store.setStatus(tx, scope.workspace_id, id, { status: 'running', ref: made }),
        );
        if (!running) throw notFound('sandbox');
        // Another node finds it from now on.
        await (await files.take({ row: running, driver, ref: made }, 0))?.release();
        return presentSandbox(running);
      } catch (error) {
        await store.deleteSandbox(db, scope.workspace_id, id);
        if (ref !== undefined)
          await driver
            .destroy(ref)
            .catch((failure) => scope.log.warn('sandbox.destroy_failed', { sandbox_id: id, ...errorFields(failure) }));
        if (!(error instanceof EngineFailed)) throw error;
        scope.log.error('A sandbox could not be made', { engine, ...errorFields(error) });
        throw unavailable('The engine for sandboxes does not work at the moment', 'sandbox_engine_failed');
      }
    },

    async list(scope: Scope, query: SandboxQuery): Promise<Paged<Sandbox>> {
      const page = pageOf(query);
      const filter = { ...query, reach: reachOf(scope), status: query.status };
      const { rows, total, last } = await store.listSandboxes(db, scope.workspace_id, filter, page);
      return pageAnswer(rows.map(presentSandbox), total, page, last);
    },

    async requireVisible(scope, id) {
      if (!(await store.isVisible(db, scope.workspace_id, id, reachOf(scope)))) throw notFound('sandbox');
    },

    async get(scope, id) {
      const row = await find(scope, id);
      return { ...presentSandbox(row), ...(await usage.read(row)) };
    },

    requireExisting: async (scope, id) => void (await find(scope, id)),

    async holdFiles(scope, opened) {
      const hold = await files.take(opened, busyMs, scope.signal).catch(async (error) => {
        throw await explain(scope, opened, error);
      });
      if (!hold) throw conflict('A command runs in the sandbox; try again when it has ended', 'sandbox_busy');
      return hold;
    },

    async wake(scope: Scope, opened: Opened): Promise<Opened> {
      await opened.driver.start(opened.ref);
      const row = await store.setStatus(db, scope.workspace_id, opened.row.id, { status: 'running' });
      if (!row) throw notFound('sandbox');
      return { ...opened, row };
    },

    touch: async (scope: Scope, id: string) => void (await store.touchSandbox(db, scope.workspace_id, id)),

    forgetUsage: usage.forget,

    async start(scope: Scope, id: string): Promise<Sandbox> {
      const opened = await open(scope, id);
      await files
        .look(opened)
        .then(() => opened.driver.start(opened.ref))
        .catch(async (error) => {
          throw await explain(scope, opened, error);
        });
      const row = await store.setStatus(db, scope.workspace_id, id, { status: 'running' });
      if (!row) throw notFound('sandbox');
      return presentSandbox(row);
    },

    async stop(scope: Scope, id: string): Promise<Sandbox> {
      const opened = await open(scope, id);
      await quiet(id);
      await opened.driver.stop(opened.ref).catch(async (error) => {
        throw await explain(scope, opened, error);
      });
      const row = await store.setStatus(db, scope.workspace_id, id, { status: 'stopped' });
      if (!row) throw notFound('sandbox');
      return presentSandbox(row);
    },

    async remove(scope: Scope, id: string): Promise<void> {
      const place = await db.transaction(scope, async (tx) => {
        const gone = await store.deleteSandbox(tx, scope.workspace_id, id);
        if (!gone) throw notFound('sandbox');
        await needs.destroyLater(tx, gone);
        return gone;
      });
      await quiet(id);
      await engines
        .driver(place.engine)
        ?.destroy(place.ref ?? id)
        .then(() => files.forget(place))
        .catch((error) => scope.log.warn('A sandbox will be removed later', { sandbox_id: id, ...errorFields(error) }));
    },

    async toldOf(scope: Scope, error: unknown): Promise<{ detail: string; code: string }> {
      if (error instanceof AppError) return { detail: error.message, code: error.code };
      if (error instanceof InvalidRequest) return { detail: error.message, code: 'invalid' };
      scope.log.error('A command failed', errorFields(error));
      return { detail: 'Something went wrong on our side', code: 'internal_error' };
    },
  };
}
