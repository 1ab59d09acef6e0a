import type { AgentLock } from '@atrium/contract/agents/lock-schema.ts';
import type { AgentCreate, AgentListQuery, AgentPatch } from '@atrium/contract/agents/schema.ts';
import { invalid, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import { overlay, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { pick } from '../../lib/pick.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import { restrictedSettingsAfter } from '../restricted-settings/service.ts';
import type { SettingsAuthority, SettingsWarnings } from '../settings/ports.ts';
import {
  requireSettingsSize,
  restoreMaskedSettings,
  warnOfSettingsWithoutEffect,
  withWarnings,
} from '../settings/service.ts';
import type { SecretSetting } from '../tools/ports.ts';
import { explainLocks, nameLockers, recordLocks } from './locks/record-locks.ts';
import type { PublishGate } from './ports.ts';
import type { LoadedStartingPoint } from './starting-points/load-starting-points.ts';
import * as store from './store.ts';
import { insertVersion, recordOverride, restrictedOfAgent } from './versions/version-store.ts';

export { explainLocks } from './locks/record-locks.ts';
export { agentNames, findAgentFaces } from './store.ts';

/** The agents of workspaces. */
export interface Agents {
  /** With the names of those who turned its locks on. */
  get(scope: Scope, id: string): Promise<store.AgentRow & { locks: AgentLock[] }>;
  /** The same, with a warning for each record that its settings name and that is gone, for callers that may edit agents. */
  show(scope: Scope, id: string): Promise<store.AgentRow & { locks: AgentLock[] }>;
  list(scope: Scope, query: AgentListQuery): Promise<Paged<store.AgentRow>>;
  create(scope: Scope, input: AgentCreate): Promise<store.AgentRow>;
  /** With `preview` the settings go to the draft; without, they are published as a new version and the draft ends. */
  update(scope: Scope, id: string, patch: AgentPatch, options: { preview: boolean }): Promise<store.AgentRow>;
  /** A deleted agent answers no more. It is kept, so that its conversations stay readable and it can be restored. */
  remove(scope: Scope, id: string): Promise<void>;
  /** An agent that is not deleted stays as it is. */
  restore(scope: Scope, id: string): Promise<void>;
  /** The agents whose settings, published or drafted, match a pattern of text. */
  bySettings(scope: Scope, pattern: string, limit: number): Promise<{ id: string; name: string }[]>;
  /** Which of these ids are agents of the workspace. */
  exists(scope: Scope, ids: string[]): Promise<Set<string>>;
}

export const readSettings = (text: string) => parseStored<SparseSettings>(text);

/** The published settings of an agent and those of its draft. */
export const settingsOf = (agent: Pick<store.AgentRow, 'definition' | 'draft_definition'> | undefined) =>
  [agent?.definition, agent?.draft_definition].flatMap((text) => (text ? [readSettings(text)] : []));

/** A reason without a lock that it is for would be lost silently. */
const warnOfUnusedReason = (reason: string | undefined, locked: readonly string[]): RequestWarning[] =>
  reason === undefined || locked.length
    ? []
    : [{ loc: ['body', 'lock_reason'], msg: 'No lock was turned on, so the reason was not stored', type: 'no_effect' }];

export interface AgentsOptions {
  db: Database;
  authority: SettingsAuthority;
  warnings: SettingsWarnings;
  startingPoints(): readonly LoadedStartingPoint[];
  /** Made after agents, whose versions it tries. */
  gate(): PublishGate;
}

/** What the audit log says of an agent: its fields, and the settings that changed. */
const auditedFields = (row: store.AgentRow) => ({
  ...pick(row, ['name', 'description', 'visible', 'image_url', 'allow_public_access', 'version_id']),
  definition: readSettings(row.definition),
  has_draft: row.draft_definition !== null,
});

export function makeAgents({ db, authority, warnings, startingPoints, gate }: AgentsOptions): Agents {
  function findStartingPoint(key: string): LoadedStartingPoint {
    const point = startingPoints().find(({ shown }) => shown.key === key);
    if (!point) throw invalid(['body', 'starting_point'], 'there is no such starting point', key);
    return point;
  }

  const at = ['body', 'definition'];

  async function find(from: Db, scope: Scope, id: string) {
    const row = await store.findAgent(from, scope.workspace_id, id);
    if (!row) throw notFound('agent');
    return required((await nameLockers(from, scope, [row]))[0]);
  }

  async function lock(tx: Db, scope: Scope, id: string): Promise<store.AgentRow> {
    const row = await store.lockAgent(tx, scope.workspace_id, id);
    if (!row) throw notFound('agent');
    return row;
  }

  return {
    get: (scope, id) => find(db, scope, id),

    async show(scope, id) {
      const agent = await find(db, scope, id);
      if (!allows(scope.permissions, 'agents_edit')) return agent;
      const [published = {}, draft = {}] = settingsOf(agent);
      const warned = [
        ...(await authority.warnOfGone(scope, published, ['definition'])),
        ...(await authority.warnOfGone(scope, draft, ['draft_definition'])),
      ];
      return withWarnings(agent, warned);
    },

    async list(scope, query) {
      const window = pageOf(query);
      const filter = { ...query, summary: query.view === 'summary' };
      const { rows, total, last, facets } = await store.listAgents(db, scope.workspace_id, filter, window);
      const named = await nameLockers(db, scope, rows);
      // Summaries are made of these rows as they are.
      const listed = named.map((row) => ({ ...row, draft: store.draftOf(row) }));
      return { ...pageAnswer(listed, total, window, last), ...(facets && { facets }) };
    },

    async create(scope, { definition: given = {}, starting_point, ...input }) {
      const point = starting_point === undefined ? undefined : findStartingPoint(starting_point);
      const definition = point ? overlay(point.settings, given) : given;
      await authority.check(scope, definition, at);
      await authority.requireChange(db, scope, [], [definition]);
      const warned = [
        ...(await warnings(scope, definition, at)),
        ...warnOfSettingsWithoutEffect([definition], definition, at),
      ];
      const id = newId();
      return db.transaction(scope, async (tx) => {
        await store.insertAgent(tx, scope.workspace_id, {
          id,
          version_id: newId(),
          name: input.name,
          description: input.description ?? point?.shown.description ?? null,
          visible: input.visible ?? true,
          image_url: input.image_url ?? null,
          allow_public_access: input.allow_public_access ?? false,
          definition: JSON.stringify(definition),
          created_by: scope.actor.id,
          rights: [...scope.permissions],
          restricted_settings: restrictedSettingsAfter(scope, { settings: null, restricted: [] }, definition),
        });
        const locked = await recordLocks(
          tx,
          scope,
          { id, locks: [] },
          { published: definition, draft: null },
          input.lock_reason,
        );
        const made = await find(tx, scope, id);
        scope.audit?.note({ after: auditedFields(made), target: { kind: 'agent', id, name: made.name } });
        return withWarnings(made, [...warned, ...warnOfUnusedReason(input.lock_reason, locked)]);
      });
    },

    async update(scope, id, { definition: sent, lock_reason, override_reason, ...patch }, { preview }) {
      const known = sent && (await store.findAgent(db, scope.workspace_id, id));
      const gone = sent ? await authority.check(scope, sent, at, { layers: settingsOf(known) }) : [];
      const warned = sent ? [...gone, ...(await warnings(scope, sent, at))] : [];
      return gate().guard(scope, () =>
        db.transaction(scope, async (tx) => {
          const before = await lock(tx, scope, id);
          let overridden: string | undefined;
          let { version_id, draft_definition } = before;
          let restricted_settings: readonly SecretSetting[] | undefined;
          let withoutEffect: RequestWarning[] = [];
          let changed: SparseSettings = {};
          if (sent) {
            const base = readSettings(preview ? (before.draft_definition ?? before.definition) : before.definition);
            const definition = restoreMaskedSettings(sent, base, at);
            const after = overlay(base, definition);
            changed = after;
            requireSettingsSize(after, at);
            withoutEffect = warnOfSettingsWithoutEffect([after], definition, at);
            await explainLocks(tx, scope, id, () => authority.requireChange(tx, scope, [base], [after]));
            const text = JSON.stringify(after);
            const known = await restrictedOfAgent(tx, scope.workspace_id, id);
            const restricted = preview ? known.draft : known.published;
            restricted_settings = restrictedSettingsAfter(scope, { settings: base, restricted }, definition);
            if (preview) draft_definition = text;
            else {
              const candidate = { agent_id: id, settings: after, restricted: restricted_settings, published: base };
              overridden = await gate().requirePassed(tx, scope, candidate, override_reason);
              version_id = newId();
              draft_definition = null;
              const version = { id: version_id, agent_id: id, name: undefined, description: undefined };
              await insertVersion(tx, scope.workspace_id, {
                ...{ ...version, definition: text, created_by: scope.actor.id },
                rights: [...scope.permissions],
                restricted_settings,
              });
              if (overridden !== undefined)
                await recordOverride(tx, scope.workspace_id, version_id, overridden, scope.actor.id);
            }
          }
          const after = {
            name: patch.name ?? before.name,
            description: patch.description ?? before.description,
            visible: patch.visible ?? before.visible,
            image_url: patch.image_url ?? before.image_url,
            allow_public_access: patch.allow_public_access ?? before.allow_public_access,
            version_id,
            draft_definition,
          };
          await store.updateAgent(tx, scope.workspace_id, id, after, preview ? restricted_settings : undefined);
          const locked = sent
            ? await recordLocks(
                tx,
                scope,
                before,
                {
                  published: preview ? readSettings(before.definition) : changed,
                  draft: draft_definition === null ? null : readSettings(draft_definition),
                },
                lock_reason,
              )
            : [];
          const updated = await find(tx, scope, id);
          scope.audit?.note({
            before: auditedFields(before),
            after: { ...auditedFields(updated), ...(overridden !== undefined && { override_reason: overridden }) },
            target: { kind: 'agent', id, name: updated.name },
          });
          return withWarnings(updated, [...warned, ...withoutEffect, ...warnOfUnusedReason(lock_reason, locked)]);
        }),
      );
    },

    async remove(scope, id) {
      await db.write(scope, async (tx) => {
        if (!(await store.setDeleted(tx, scope.workspace_id, id, true))) throw notFound('agent');
      });
    },

    async restore(scope, id) {
      await db.write(scope, async (tx) => {
        if (!(await store.setDeleted(tx, scope.workspace_id, id, false))) await find(tx, scope, id);
      });
    },

    bySettings: (scope, pattern, limit) => store.agentsBySettings(db, scope.workspace_id, pattern, limit),

    exists: async (scope, ids) => new Set((await store.agentsById(db, scope.workspace_id, ids)).map((row) => row.id)),
  };
}
