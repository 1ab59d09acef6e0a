import { isDeepStrictEqual } from 'node:util';
import { notFound } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import { pageOf } from '@atrium/contract/page.ts';
import { effectiveSettings, overlay, settingKeys, shownSettings } from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../../db/database.ts';
import { renewDefinitionPermissions } from '../../../execution/effective-permissions.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActor, withActors } from '../../actors/service.ts';
import { restrictedSettingsAfter } from '../../restricted-settings/service.ts';
import {
  maskSettings,
  mustMaskCredentials,
  requireSettingsSize,
  restoreMaskedSettings,
  warnOfSettingsWithoutEffect,
  withWarnings,
} from '../../settings/service.ts';
import { explainLocks, recordLocks } from '../locks/record-locks.ts';
import type { AgentVersions } from '../ports.ts';
import { type AgentsOptions, readSettings, settingsOf } from '../service.ts';
import { type AgentRow, findAgent, lockAgent, updateAgent } from '../store.ts';
import * as store from './version-store.ts';

export function makeAgentVersions({
  db,
  authority,
  warnings,
  gate,
}: Omit<AgentsOptions, 'startingPoints'>): AgentVersions {
  const at = ['body', 'definition'];

  async function requireAgent(scope: Scope, id: string): Promise<AgentRow> {
    const agent = await findAgent(db, scope.workspace_id, id);
    if (!agent) throw notFound('agent');
    return agent;
  }

  async function find(from: Db, scope: Scope, agent_id: string, id: string): Promise<store.VersionRow> {
    const version = await store.findVersion(from, scope.workspace_id, id, agent_id);
    if (!version) throw notFound('version');
    return withActor(from, scope, version, 'created_by', 'override_by');
  }

  async function publishIn(
    tx: Db,
    scope: Scope,
    agent: AgentRow,
    version: store.VersionRow,
    override_reason: string | undefined,
  ): Promise<void> {
    const [before, after] = [readSettings(agent.definition), readSettings(version.definition)];
    await explainLocks(tx, scope, agent.id, () => authority.requireChange(tx, scope, [before], [after]));
    const restricted = await store.restrictedOfVersion(tx, scope.workspace_id, version.id);
    const candidate = { agent_id: agent.id, settings: after, restricted, published: before };
    const overridden = await gate().requirePassed(tx, scope, candidate, override_reason);
    scope.audit?.note({
      before: { published_version_id: agent.version_id, definition: before },
      after: {
        ...{ published_version_id: version.id, definition: after },
        ...(overridden !== undefined && { override_reason: overridden }),
      },
    });
    if (overridden !== undefined)
      await store.recordOverride(tx, scope.workspace_id, version.id, overridden, scope.actor.id);
    await updateAgent(tx, scope.workspace_id, agent.id, { ...agent, version_id: version.id, draft_definition: null });
    await recordLocks(tx, scope, agent, { published: after, draft: null }, undefined);
    const rights = renewDefinitionPermissions(await store.rightsOf(tx, scope.workspace_id, version.id), scope);
    // The key that publishes a version answers for all of its settings.
    const left = restrictedSettingsAfter(scope, { settings: after, restricted }, after);
    await store.answerFor(tx, scope.workspace_id, version.id, rights, left);
  }

  return {
    async list(scope, agent_id, page) {
      await requireAgent(scope, agent_id);
      const rows = await store.listVersions(db, scope.workspace_id, agent_id, pageOf(page));
      return withActors(db, scope, rows, 'created_by', 'override_by');
    },

    async get(scope, agent_id, id) {
      await requireAgent(scope, agent_id);
      return find(db, scope, agent_id, id);
    },

    async create(scope, agent_id, input) {
      const { definition: given } = input;
      const layers = given ? settingsOf(await findAgent(db, scope.workspace_id, agent_id)) : [];
      const gone = given ? await authority.check(scope, given, at, { layers }) : [];
      const warned = given ? [...gone, ...(await warnings(scope, given, at))] : [];
      const id = newId();
      return gate().guard(scope, () =>
        db.transaction(scope, async (tx) => {
          const agent = await lockAgent(tx, scope.workspace_id, agent_id);
          if (!agent) throw notFound('agent');
          const published = readSettings(agent.definition);
          const base = agent.draft_definition === null ? published : readSettings(agent.draft_definition);
          const sent = input.definition && restoreMaskedSettings(input.definition, published, at);
          const definition = sent ? overlay(published, sent) : base;
          requireSettingsSize(definition, at);
          const withoutEffect = warnOfSettingsWithoutEffect([definition], sent ?? {}, at);
          // Conversations can name a version that is not published, so the locks hold for it from the start.
          await explainLocks(tx, scope, agent_id, () => authority.requireChange(tx, scope, [published], [definition]));
          const known = await store.restrictedOfAgent(tx, scope.workspace_id, agent_id);
          const restricted = input.definition ? known.published : known.draft;
          const before = { settings: input.definition ? published : base, restricted };
          await store.insertVersion(tx, scope.workspace_id, {
            id,
            agent_id,
            name: input.name,
            description: input.description,
            definition: JSON.stringify(definition),
            created_by: scope.actor.id,
            rights: [...scope.permissions],
            // A version without settings of its own is a copy of the draft; its creator answers for all of them.
            restricted_settings: restrictedSettingsAfter(scope, before, sent ?? base),
          });
          scope.audit?.note({
            target: { kind: 'agent_version', id, name: input.name ?? null },
            ...{ before: { definition: published }, after: { name: input.name ?? null, definition } },
          });
          if (input.publish)
            await publishIn(tx, scope, agent, await find(tx, scope, agent_id, id), input.override_reason);
          return withWarnings(await find(tx, scope, agent_id, id), [...warned, ...withoutEffect]);
        }),
      );
    },

    async publish(scope, agent_id, id, override_reason) {
      return gate().guard(scope, () =>
        db.transaction(scope, async (tx) => {
          const agent = await lockAgent(tx, scope.workspace_id, agent_id);
          if (!agent) throw notFound('agent');
          const version = await find(tx, scope, agent_id, id);
          scope.audit?.note({ target: { kind: 'agent_version', id, name: version.name } });
          await publishIn(tx, scope, agent, version, override_reason);
          return find(tx, scope, agent_id, id);
        }),
      );
    },

    async diff(scope, agent_id, from, to) {
      await requireAgent(scope, agent_id);
      const settingsOf = async (id: string) =>
        shownSettings(effectiveSettings(readSettings((await find(db, scope, agent_id, id)).definition)));
      const [before, after] = [await settingsOf(from), await settingsOf(to)];
      const changed = keysOf(settingKeys).filter((key) => !isDeepStrictEqual(before[key], after[key]));
      const [shownBefore, shownAfter] = mustMaskCredentials(scope)
        ? [maskSettings(before), maskSettings(after)]
        : [before, after];
      return { from, to, changes: changed.map((key) => ({ key, before: shownBefore[key], after: shownAfter[key] })) };
    },
  };
}
