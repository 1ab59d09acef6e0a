import { agentFields } from '@atrium/contract/agents/schema.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { type SparseSettings, settingsInput } from '@atrium/contract/settings/settings.ts';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { explainRefusal } from '../../../lib/explain-refusal.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { removeUrlCredentials } from '../../../lib/secrets/mask-url.ts';
import { defineWorkspaceRecords, type ImportTarget } from '../../personal-data/ports.ts';
import type { ReferenceCheckers, SettingsAuthority } from '../../settings/ports.ts';
import { checkPrograms, requireSettingsSize, stripSettings } from '../../settings/service.ts';
import { recordLocks } from '../locks/record-locks.ts';
import { readSettings } from '../service.ts';
import { findAgent, insertAgent, listAgentIds, updateAgent } from '../store.ts';
import { insertVersion, listVersions } from '../versions/version-store.ts';
import { rewriteSettings } from './rewrite-settings.ts';

const version = z.object({
  id: z.guid(),
  name: z.string().max(1000),
  description: z.string().max(10_000).nullable(),
  definition: settingsInput,
});
const { definition: _, ...fields } = agentFields;
const agentRecord = s.object({
  id: z.guid(),
  ...fields,
  published_version_id: z.guid(),
  /** The oldest first. */
  versions: z.array(version).min(1),
  draft_definition: s.optional(settingsInput),
  /** The places of secrets that were left out of the published settings and the draft. */
  secrets: z.array(z.string().max(1000)).max(10_000),
});
type AgentRecord = z.output<typeof agentRecord>;

const pageSize = 100;

/** The agents of a workspace with all of their versions, as an archive of the workspace has them. */
export function makeAgentRecords(deps: { db: Database; authority: SettingsAuthority; references: ReferenceCheckers }) {
  const { db, authority, references } = deps;

  async function read(workspace_id: string, id: string) {
    const agent = await findAgent(db, workspace_id, id);
    if (!agent) return undefined;
    const rows: Awaited<ReturnType<typeof listVersions>> = [];
    for (let offset = 0; offset === rows.length; offset += pageSize)
      rows.push(...(await listVersions(db, workspace_id, id, { size: pageSize, offset })));
    const strip = (text: string, at: string) => stripSettings(readSettings(text), [at]);
    const draft = agent.draft_definition === null ? null : strip(agent.draft_definition, 'draft_definition');
    const places = [...strip(agent.definition, 'definition').places, ...(draft?.places ?? [])];
    const { name, description, visible, image_url, allow_public_access, version_id } = agent;
    return {
      ...{ id, name, description, visible, allow_public_access, published_version_id: version_id },
      image_url: image_url && removeUrlCredentials(image_url),
      versions: rows
        .toReversed()
        .map((row) => ({ ...row, definition: strip(row.definition, '').value }))
        .map((row) => ({ id: row.id, name: row.name, description: row.description, definition: row.definition })),
      draft_definition: draft?.value ?? null,
      secrets: places.map((path) => path.join('.')),
    };
  }

  async function restore({ scope, ...target }: ImportTarget, record: AgentRecord): Promise<void> {
    const idOf = (kind: string, id: string) => required(target.idOf(kind, id));
    const rewrite = (settings: SparseSettings, at?: string) => rewriteSettings(target, settings, record.name, at);
    const published = record.versions.find(({ id }) => id === record.published_version_id);
    const versions = record.versions.map((one) => ({
      ...{ id: idOf('agent_version', one.id), name: one.name, description: one.description ?? undefined },
      settings: rewrite(one.definition, one === published ? 'definition' : undefined),
    }));
    const draft = record.draft_definition ? rewrite(record.draft_definition, 'draft_definition') : null;
    const id = idOf('agent', record.id);
    const version_id = idOf('agent_version', record.published_version_id);
    const image = record.image_url ?? null;
    const shown = {
      ...{ name: record.name, description: record.description ?? null, visible: record.visible ?? true },
      image_url: image && target.rewriteIds(image),
      allow_public_access: record.allow_public_access ?? false,
    };
    // The one who imports answers for all settings, as if they had saved them.
    const saved = { created_by: scope.actor.id, rights: [...scope.permissions], restricted_settings: [] };
    await db.transaction(scope, async (tx) => {
      for (const [at, { settings, ...one }] of versions.entries()) {
        const definition = JSON.stringify(settings);
        if (at === 0) {
          const first = { version_id: one.id, version_name: one.name, version_description: one.description };
          await insertAgent(tx, scope.workspace_id, { ...shown, ...saved, ...first, id, definition });
        } else await insertVersion(tx, scope.workspace_id, { ...one, ...saved, agent_id: id, definition });
      }
      const draft_definition = draft && JSON.stringify(draft);
      await updateAgent(tx, scope.workspace_id, id, { ...shown, version_id, draft_definition });
      const live = required(versions.find((one) => one.id === version_id)).settings;
      await recordLocks(tx, scope, { id, locks: [] }, { published: live, draft }, undefined);
    });
    for (const detail of record.secrets) target.note({ what: 'secret', kind: 'agent', name: record.name, detail });
  }

  async function refuse(scope: Scope, record: AgentRecord): Promise<string | undefined> {
    if (!record.versions.some(({ id }) => id === record.published_version_id))
      return 'Its published version is missing';
    const all = [...record.versions.map(({ definition }) => definition), record.draft_definition ?? {}];
    try {
      for (const settings of all) {
        requireSettingsSize(settings, ['definition']);
        await checkPrograms(scope, settings, references, ['definition']);
        await authority.requireChange(db, scope, [], [settings]);
      }
      return undefined;
    } catch (error) {
      const why = explainRefusal(error);
      if (why === undefined) throw error;
      return why;
    }
  }

  return defineWorkspaceRecords<AgentRecord>({
    kind: 'agents',
    schema: agentRecord,
    async *list(workspace_id) {
      for (const id of await listAgentIds(db, workspace_id)) {
        const record = await read(workspace_id, id);
        if (record) yield record as unknown as AgentRecord;
      }
    },
    nameOf: ({ name }) => name,
    idsOf: ({ id, versions }) => [
      { kind: 'agent', id },
      ...versions.map((one) => ({ kind: 'agent_version', id: one.id })),
    ],
    refuse,
    async restore(target, records) {
      for (const record of records) await restore(target, record);
    },
  });
}
