import type { AgentImport, ImportReport } from '@atrium/contract/agents/exchange-schema.ts';
import { notFound } from '@atrium/contract/errors.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { findMissingSecrets } from '../../../lib/secrets/mask-secrets.ts';
import { restrictedSettingsAfter } from '../../restricted-settings/service.ts';
import type { ReferenceCheckers, ReferenceLookups, SettingsAuthority, SettingsWarnings } from '../../settings/ports.ts';
import {
  checkPrograms,
  makeResolver,
  referenceKey,
  referencesIn,
  restoreMaskedSettings,
  warnOfSettingsWithoutEffect,
} from '../../settings/service.ts';
import { explainLocks, nameLockers, recordLocks } from '../locks/record-locks.ts';
import type { PublishGate } from '../ports.ts';
import { readSettings } from '../service.ts';
import { type AgentRow, findAgent, insertAgent, lockAgent, updateAgent } from '../store.ts';
import { insertVersion } from '../versions/version-store.ts';
import { relink } from './relink-references.ts';
import { restoreStripped } from './restore-stripped.ts';

export interface Imported {
  agent: AgentRow;
  report: ImportReport;
  warnings: RequestWarning[];
}
export type AgentImporter = (scope: Scope, file: AgentImport, agent_id: string | undefined) => Promise<Imported>;

interface Content {
  definition: SparseSettings;
  draft: SparseSettings | null;
}

/** An entry that comes back to its agent as it was exported, or as an answer showed it, keeps its credentials. */
function restoreExported(file: AgentImport, current: SparseSettings): AgentImport {
  const listed = new Set(file.secrets.map(({ path }) => JSON.stringify(['body', ...path])));
  const isListed = (path: readonly string[]) => listed.has(JSON.stringify(path));
  const restored = (definition: SparseSettings | undefined, name: string) =>
    definition &&
    restoreMaskedSettings(restoreStripped(definition, current), current, ['body', 'agent', name], isListed);
  const { definition, draft_definition } = file.agent;
  return {
    ...file,
    agent: {
      ...file.agent,
      definition: restored(definition, 'definition'),
      draft_definition: restored(draft_definition, 'draft_definition'),
    },
  };
}

/** Imports an agent's file. The file is only data: nothing that it names is called or started. */
export function makeAgentImport(options: {
  db: Database;
  authority: SettingsAuthority;
  references: ReferenceCheckers;
  lookups: ReferenceLookups;
  warnings: SettingsWarnings;
  gate(): PublishGate;
}): AgentImporter {
  const { db, authority, references, warnings, gate } = options;
  const resolve = makeResolver(options);

  /** The settings of the file with the references of this workspace, and a report about the references. */
  async function fit(scope: Scope, file: AgentImport): Promise<{ content: Content; report: ImportReport }> {
    const { definition = {}, draft_definition = null } = file.agent;
    await checkPrograms(scope, definition, references, ['body', 'agent', 'definition']);
    await checkPrograms(scope, draft_definition ?? {}, references, ['body', 'agent', 'draft_definition']);
    const used = [definition, draft_definition ?? {}].flatMap(referencesIn);
    const names = new Map(file.references.map((one) => [referenceKey(one), one.name ?? null]));
    const nameOf = (one: { kind: string; id: string }) => names.get(referenceKey(one)) ?? null;
    const targetOf = await resolve(scope, used, { mapping: file.mapping, nameOf });
    const main = relink(definition, ['agent', 'definition'], targetOf);
    const draft = draft_definition && relink(draft_definition, ['agent', 'draft_definition'], targetOf);
    const mapped = new Map<string, ImportReport['mapped'][number]>();
    for (const { kind, id } of used) {
      const to = targetOf(kind, id);
      if (to !== null && to !== id) mapped.set(referenceKey({ kind, id }), { kind, from: id, to });
    }
    const missing = [...main.missing, ...(draft?.missing ?? [])].map((one) => ({ ...one, name: nameOf(one) }));
    return {
      content: { definition: main.settings, draft: draft?.settings ?? null },
      report: { mapped: [...mapped.values()], missing, secrets: findMissingSecrets(file, file.secrets) },
    };
  }

  /** Warns about the settings as they are after references were dropped. */
  async function warnOf(scope: Scope, { definition, draft }: Content): Promise<RequestWarning[]> {
    const parts = [
      { settings: definition, at: ['body', 'agent', 'definition'] },
      ...(draft ? [{ settings: draft, at: ['body', 'agent', 'draft_definition'] }] : []),
    ];
    const found = parts.map(async ({ settings, at }) => [
      ...(await authority.warnOfGone(scope, settings, at)),
      ...(await warnings(scope, settings, at)),
      ...(await authority.warnOfGone(scope, settings, at)),
      ...warnOfSettingsWithoutEffect([settings], settings, at),
    ]);
    return (await Promise.all(found)).flat();
  }

  async function insert(tx: Db, scope: Scope, { agent }: AgentImport, { definition, draft }: Content): Promise<string> {
    const [id, version_id] = [newId(), newId()];
    await authority.requireChange(tx, scope, [], [definition]);
    if (draft) await authority.requireChange(tx, scope, [definition], [draft]);
    const fields = {
      name: agent.name,
      description: agent.description ?? null,
      visible: agent.visible ?? true,
      image_url: agent.image_url ?? null,
      allow_public_access: agent.allow_public_access ?? false,
      version_id,
    };
    const text = JSON.stringify(definition);
    const made = { ...fields, id, definition: text, created_by: scope.actor.id, rights: [...scope.permissions] };
    const none = { settings: null, restricted: [] };
    const restricted_settings = restrictedSettingsAfter(scope, none, definition);
    await insertAgent(tx, scope.workspace_id, { ...made, restricted_settings });
    if (draft) {
      const drafted = { ...fields, draft_definition: JSON.stringify(draft) };
      await updateAgent(tx, scope.workspace_id, id, drafted, restrictedSettingsAfter(scope, none, draft));
    }
    await recordLocks(tx, scope, { id, locks: [] }, { published: definition, draft }, undefined);
    return id;
  }

  /** Publishes only the settings: the agent keeps its name and its other fields. Its locks apply as for any change. */
  async function publish(
    tx: Db,
    scope: Scope,
    id: string,
    name: string,
    { definition, draft }: Content,
  ): Promise<void> {
    const agent = await lockAgent(tx, scope.workspace_id, id);
    if (!agent) throw notFound('agent');
    await explainLocks(tx, scope, id, () =>
      authority.requireChange(tx, scope, [readSettings(agent.definition)], [definition]),
    );
    if (draft) await authority.requireChange(tx, scope, [definition], [draft]);
    const version = { id: newId(), agent_id: id, name: undefined, description: `Imported from ${name}` };
    const text = JSON.stringify(definition);
    const made = { ...version, definition: text, created_by: scope.actor.id, rights: [...scope.permissions] };
    const none = { settings: null, restricted: [] };
    const restricted_settings = restrictedSettingsAfter(scope, none, definition);
    const published = readSettings(agent.definition);
    const candidate = { agent_id: id, settings: definition, restricted: restricted_settings, published };
    await gate().requirePassed(tx, scope, candidate, undefined);
    await insertVersion(tx, scope.workspace_id, { ...made, restricted_settings });
    const draft_definition = draft && JSON.stringify(draft);
    const after = { ...agent, version_id: version.id, draft_definition };
    await updateAgent(tx, scope.workspace_id, id, after, restrictedSettingsAfter(scope, none, draft));
    await recordLocks(tx, scope, agent, { published: definition, draft }, undefined);
  }

  return async (scope, given, agent_id) => {
    const current = agent_id ? await findAgent(db, scope.workspace_id, agent_id) : undefined;
    if (agent_id && !current) throw notFound('agent');
    const file = current ? restoreExported(given, readSettings(current.definition)) : given;
    const { content, report } = await fit(scope, file);
    const warned = await warnOf(scope, content);
    return gate().guard(scope, () =>
      db.transaction(scope, async (tx) => {
        const id = agent_id ?? (await insert(tx, scope, file, content));
        if (agent_id) await publish(tx, scope, agent_id, file.agent.name, content);
        const [agent] = await nameLockers(tx, scope, [required(await findAgent(tx, scope.workspace_id, id))]);
        scope.audit?.note({ target: { kind: 'agent', id, name: required(agent).name } });
        return { agent: required(agent), report, warnings: warned };
      }),
    );
  };
}
