import { randomBytes } from 'node:crypto';
import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type {
  ChannelTriggerCreate,
  ChannelType,
  StoredDefinition,
  Trigger,
  TriggerCreate,
  TriggerPatch,
} from '@atrium/contract/triggers/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { pick } from '../../lib/pick.ts';
import { lacksPermission, namesOf, type Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import type { ReferenceCheckers } from '../settings/ports.ts';
import { restoreMasked, withWarnings } from '../settings/service.ts';
import { checkDefinition, timetableIn, warnOfGoneSubjects } from './check-definition.ts';
import type { Targets } from './deliver/deliveries.ts';
import { schedulesTopic } from './fire/fire-schedules.ts';
import { routingHash, secretPurpose } from './hooks/hooks.ts';
import type { RestoredTrigger, TargetKind, Triggers } from './ports.ts';
import { pausedReasonOf, presentTrigger } from './present.ts';
import { previewSchedule } from './preview-schedule.ts';
import * as store from './store.ts';
import { warnOfMissingInputs } from './warn-of-missing-inputs.ts';

export { pauseTriggersOf } from './store.ts';

/** The most triggers of one agent or workflow; those of an agent are listed without pages. */
const mostOfOne = 1000;

const newRoutingKey = () => randomBytes(32).toString('base64url');

const principalOf = (scope: Scope): store.StoredPrincipal => ({
  tenant_id: scope.tenant_id,
  home_workspace_id: scope.home_workspace_id,
  permissions: [...scope.permissions],
  tenant_admin: scope.tenant_admin,
  made_by: namesOf(scope.actor),
});

/** The routes accept either permission; which of them a trigger needs depends on its target. */
export const neededFor = (target_kind: 'agent' | 'workflow', verb: 'run' | 'edit') =>
  target_kind === 'agent' ? (`agents_${verb}` as const) : (`flows_${verb}` as const);

function requireFor(scope: Scope, { target_kind }: store.TriggerRow, verb: 'run' | 'edit'): void {
  const needed = neededFor(target_kind, verb);
  if (!allows(scope.permissions, needed)) throw forbidden(lacksPermission(scope, needed));
}

/** What the audit log says of a trigger. */
const auditedFields = (row: store.TriggerRow) =>
  pick(row, ['name', 'enabled', 'type', 'definition', 'version_id', 'secret']);
const auditNoteOf = (row: store.TriggerRow) => ({
  ...{ target: { kind: 'trigger', id: row.id, name: row.name }, after: auditedFields(row) },
});

export function makeTriggers(deps: {
  db: Database;
  notifier: Notifier;
  clock: Clock;
  keyring: Keyring;
  targets: Targets;
  references: ReferenceCheckers;
}): Triggers {
  const { db, notifier, clock, keyring, targets, references } = deps;

  /** A trigger is not found while its workflow or agent is deleted. */
  async function find(scope: Scope, id: string, verb: 'run' | 'edit'): Promise<store.TriggerRow> {
    const row = await store.findTrigger(db, scope.workspace_id, id);
    if (!row || !(await targets.exists(scope, row))) throw notFound('trigger');
    requireFor(scope, row, verb);
    return row;
  }

  function nextFire(enabled: boolean, definition: StoredDefinition): string | null {
    const next = enabled ? timetableIn(definition)?.after(clock.now()) : undefined;
    return next === undefined ? null : new Date(next).toISOString();
  }

  async function insert(
    scope: Scope,
    row: Omit<store.NewTrigger, 'principal' | 'owner_id' | 'routing_hash' | 'next_fire_at'>,
  ) {
    const { workspace_id } = scope;
    const whole = {
      ...row,
      principal: principalOf(scope),
      owner_id: scope.owner_id ?? null,
      routing_hash: row.type === 'webhook' ? routingHash(row.routing_key) : null,
      next_fire_at: nextFire(row.enabled, row.definition),
    };
    const { total } = await store.listTriggers(
      db,
      workspace_id,
      row.target_kind,
      row.target_id,
      {},
      {
        size: 1,
        offset: 0,
      },
    );
    if (total >= mostOfOne) throw conflict(`It has ${mostOfOne} triggers already`);
    return whole;
  }

  async function presentAll(scope: Scope, rows: readonly store.TriggerRow[]): Promise<Trigger[]> {
    const ids = rows.map(({ id }) => id);
    const counts = await store.countRuns(db, scope.workspace_id, ids);
    return rows.map((row) => presentTrigger(scope, row, undefined, counts.get(row.id)));
  }

  /** With what a run would miss: the trigger is stored all the same, since its workflow may be changed later. */
  async function presentOne(on: Db, scope: Scope, row: store.TriggerRow, secret?: string): Promise<Trigger> {
    const counts = await store.countRuns(on, scope.workspace_id, [row.id]);
    const shown = presentTrigger(scope, row, secret, counts.get(row.id));
    const gone = await warnOfGoneSubjects(scope, row.definition, references);
    return withWarnings(shown, [...gone, ...(await warnOfMissingInputs(scope, row, targets))]);
  }

  const triggers: Triggers = {
    find,

    takeOver: (scope, id) => triggers.update(scope, id, { follow_newest: false }),

    async list(
      scope: Scope,
      target_kind: TargetKind,
      target_id: string,
      query: PageQuery & ListFilter,
    ): Promise<Paged<Trigger>> {
      await targets.require(scope, { target_kind, target_id });
      const window = pageOf(query);
      const { rows, total, last } = await store.listTriggers(
        db,
        scope.workspace_id,
        target_kind,
        target_id,
        query,
        window,
      );
      return pageAnswer(await presentAll(scope, rows), total, window, last);
    },

    async listOfWorkspace(scope, { target, ...query }) {
      const window = pageOf(query);
      const kinds = (['agent', 'workflow'] as const).filter(
        (kind) => (target ?? kind) === kind && allows(scope.permissions, neededFor(kind, 'run')),
      );
      const { rows, total, last } = await store.listOfWorkspace(db, scope.workspace_id, { ...query, kinds }, window);
      return pageAnswer(await presentAll(scope, rows), total, window, last);
    },

    preview: (body) => previewSchedule(body, clock.now()),

    async all(scope: Scope, target_kind: TargetKind, target_id: string): Promise<Trigger[]> {
      await targets.require(scope, { target_kind, target_id });
      const window = { size: mostOfOne, offset: 0 };
      const { rows } = await store.listTriggers(db, scope.workspace_id, target_kind, target_id, {}, window);
      return presentAll(scope, rows);
    },

    async create(scope: Scope, target_kind: TargetKind, target_id: string, input: TriggerCreate): Promise<Trigger> {
      await targets.require(scope, { target_kind, target_id });
      if (input.version_id) await targets.requireVersion(scope, { target_kind, target_id }, input.version_id);
      const settled = await checkDefinition(scope, input.definition, references, false);
      const { definition, secret, made_secret, event, subject_id } = settled;
      const { type } = definition;
      const id = newId();
      const row = await insert(scope, {
        ...{ id, target_kind, target_id, type, definition, event, subject_id },
        version_id: input.version_id ?? null,
        name: input.name ?? type,
        enabled: input.enabled,
        secret: secret === undefined ? null : await keyring.seal(scope.workspace_id, secretPurpose(id), secret),
        routing_key: type === 'webhook' ? newRoutingKey() : `${type}:${id}`,
      });
      return db.transaction(scope, async (tx) => {
        const made = await store.insertTrigger(tx, scope.workspace_id, row);
        if (type === 'schedule') await notifier.notify(tx, schedulesTopic);
        scope.audit?.note(auditNoteOf(made));
        return presentOne(tx, scope, made, made_secret ? secret : undefined);
      });
    },

    async restore(scope: Scope, { definition: given, ...trigger }: RestoredTrigger): Promise<void> {
      // The next change of one that asks for a secret makes or takes one.
      const asksForSecret = given.type === 'webhook' && given.auth !== 'none';
      const { definition, event, subject_id } = await checkDefinition(scope, given, references, asksForSecret);
      const { type, team_id, channel } = definition;
      const place = channel ? `${team_id}:${channel}` : team_id;
      const isOfChannel = type === 'slack' || type === 'teams';
      const row = await insert(scope, {
        ...{ ...trigger, type, definition, event, subject_id, secret: null, enabled: false },
        routing_key: type === 'webhook' ? newRoutingKey() : `${type}:${isOfChannel ? place : trigger.id}`,
      });
      await store.insertTrigger(db, scope.workspace_id, row);
    },

    async createForChannel(scope: Scope, target_id: string, type: ChannelType, given: ChannelTriggerCreate) {
      const target_kind = 'agent';
      await targets.require(scope, { target_kind, target_id });
      const { team_id, channel = null, keyword = null } = given;
      const place = channel === null ? team_id : `${team_id}:${channel}`;
      const row = await insert(scope, {
        ...{ id: newId(), target_kind, target_id, type, version_id: null, secret: null, event: null, subject_id: null },
        name: `${type} ${place}`,
        enabled: true,
        definition: { type, team_id, channel, keyword },
        routing_key: `${type}:${place}`,
      });
      return db.write(scope, async (on) => {
        const made = await store.insertTrigger(on, scope.workspace_id, row);
        scope.audit?.note(auditNoteOf(made));
        return presentTrigger(scope, made);
      });
    },

    async chooses(
      workspace_id: string,
      agent_id: string,
      type: ChannelType,
      { team_id, channel, text }: { team_id: string; channel: string; text: string },
    ): Promise<boolean> {
      const rows = await store.channelTriggers(db, workspace_id, agent_id, type);
      const fits = ({ definition: { team_id: team, channel: place, keyword } }: (typeof rows)[number]) =>
        team === team_id &&
        (!place || place === channel) &&
        (!keyword || text.toLowerCase().includes(String(keyword).toLowerCase()));
      return rows.length === 0 || rows.some((row) => row.enabled && !pausedReasonOf(row) && fits(row));
    },

    get: async (scope: Scope, id: string): Promise<Trigger> => presentOne(db, scope, await find(scope, id, 'run')),

    async update(scope: Scope, id: string, patch: TriggerPatch): Promise<Trigger> {
      const known = await find(scope, id, 'edit');
      const pinned = known.target_kind === 'agent' ? patch.assistant_version_id : patch.workflow_version_id;
      const other = known.target_kind === 'agent' ? patch.workflow_version_id : patch.assistant_version_id;
      if (other !== undefined) throw notFound('version');
      if (pinned) await targets.requireVersion(scope, known, pinned);
      if (patch.definition?.type !== undefined && patch.definition.type !== known.type)
        throw invalid(['body', 'definition', 'type'], 'the type of a trigger does not change', patch.definition.type);
      const { secret, ...sent } = patch.definition ?? {};
      const shown = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
      const given = {
        ...restoreMasked(shown, known.definition, ['body', 'definition']),
        ...(secret !== undefined && { secret }),
      };
      const settled = await checkDefinition(
        scope,
        { ...known.definition, ...given },
        references,
        known.secret !== null,
        known.definition,
      );
      const sealed = settled.secret && (await keyring.seal(scope.workspace_id, secretPurpose(id), settled.secret));
      return db.transaction(scope, async (tx) => {
        const before = await store.lockTrigger(tx, scope.workspace_id, id);
        if (!before) throw notFound('trigger');
        const enabled = patch.enabled ?? before.enabled;
        const { definition, event, subject_id } = settled;
        // An unchanged schedule keeps its next slot, so that a new name skips none.
        const same = (['cron', 'timezone'] as const).every((key) => definition[key] === before.definition[key]);
        const kept = same && enabled && before.enabled ? before.next_fire_at : nextFire(enabled, definition);
        const after = await store.updateTrigger(tx, scope.workspace_id, id, {
          ...{ enabled, definition, event, subject_id, next_fire_at: kept, principal: principalOf(scope) },
          owner_id: scope.owner_id ?? null,
          name: patch.name ?? before.name,
          version_id: pinned ?? (patch.follow_newest ? null : before.version_id),
          secret: sealed || before.secret,
        });
        if (before.type === 'schedule') await notifier.notify(tx, schedulesTopic);
        scope.audit?.note({ ...auditNoteOf(after), before: auditedFields(before) });
        return presentOne(tx, scope, after, settled.made_secret ? settled.secret : undefined);
      });
    },

    async remove(scope: Scope, id: string): Promise<void> {
      await find(scope, id, 'edit');
      await db.write(scope, async (tx) => {
        if (!(await store.deleteTrigger(tx, scope.workspace_id, id))) throw notFound('trigger');
      });
    },
  };
  return triggers;
}
