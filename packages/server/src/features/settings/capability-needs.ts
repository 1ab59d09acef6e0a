import { isDeepStrictEqual } from 'node:util';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings, type SettingName, type Settings } from '@atrium/contract/settings/settings.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import type { StoredLogins } from './ports.ts';

type Fields = Readonly<Record<string, unknown>>;
type Needs = (entry: Fields, settings: Settings, logins: StoredLogins) => Permission[];

const template = /\{\{[^{}]+\}\}/;
const handle = /\{\{\s*secret\./;
const textOf = (entry: Fields) => JSON.stringify(entry);

/** Arguments of an action look like variables: where the agent has variables, one may be meant. */
const usesVariables = (entry: Fields, { variables_enabled }: Settings) =>
  handle.test(textOf(entry)) || (variables_enabled && template.test(textOf(entry)));

/** Only a caller that could write into a record itself may vouch for its content. */
const toVouch = ({ trusted }: Fields, ...permission: Permission[]) => (trusted === true ? permission : []);

const ofAction: Needs = (entry, settings) => (usesVariables(entry, settings) ? ['variables_read'] : []);

const ofTool: Needs = (entry, settings, logins) => {
  const { type } = entry;
  if (type === 'kb_qa' || type === 'kb_selector') return ['kbs_query', ...toVouch(entry, 'kbs_edit')];
  if (type === 'workflow') return ['flows_run'];
  if (type === 'agent_tool' || type === 'subagent') return ['agents_run'];
  if (type === 'sandbox' || type === 'code_execution') return ['sandboxes_run'];
  if (type === 'files' && entry['enable_python_sandbox'] === true) return ['sandboxes_run'];
  return ofAction(entry, settings, logins);
};

/** All ten base tools are always listed, so only an enabled one needs permissions. */
const ofBaseTool: Needs = (entry, settings, logins) =>
  entry['enabled'] === true ? ofTool(entry, settings, logins) : [];

const needsOf: Partial<Record<SettingName, Needs>> = {
  knowledge_bases: (entry) => ['kbs_query', ...toVouch(entry, 'kbs_edit')],
  workflows: () => ['flows_run'],
  coworkers: () => ['agents_run'],
  subagents: () => ['agents_run'],
  tables: (entry) => [entry['access'] === 'write' ? 'tables_edit' : 'tables_read', ...toVouch(entry, 'tables_edit')],
  variables: () => ['variables_read'],
  databases: () => ['variables_read'],
  agent_files: () => ['files_read'],
  skills: (entry) =>
    Array.isArray(entry['file_ids']) && entry['file_ids'].length ? ['files_read', ...toVouch(entry, 'files_edit')] : [],
  actions: ofAction,
  mcp_servers: (entry, _, logins) => [
    ...(template.test(textOf(entry)) ? (['variables_read'] as const) : []),
    ...toVouch(entry, 'integrations_edit'),
    ...(logins.has(String(entry['url'])) ? (['integrations_edit'] as const) : []),
  ],
  tools: ofTool,
  base_tools: ofBaseTool,
};

const entriesOf = (value: unknown): Fields[] =>
  (Array.isArray(value) ? value : []).map((entry) => (typeof entry === 'string' ? { id: entry } : fieldsOf(entry)));

const isOn = (entry: Fields) => entry['enabled'] !== false;

/** A selector searches the agent's knowledge bases, and without any all of the workspace. */
function searchesAll({ knowledge_bases, tools }: Settings): boolean {
  const used = tools.filter(isOn);
  const hasOwn = entriesOf(knowledge_bases).some(isOn) || used.some(({ type }) => type === 'kb_qa');
  return !hasOwn && used.some(({ type }) => type === 'kb_selector');
}

/** Whether a change of this key makes a selector search all knowledge bases, so that fewer entries allow more. */
export const opensAllKnowledgeBases = (name: SettingName, was: Settings, will: Settings): boolean =>
  (name === 'knowledge_bases' || name === 'tools') && searchesAll(will) && !searchesAll(was);

/** The permissions that a key needs with these settings, as if it were newly set. */
export const permissionsToUse = (name: SettingName, settings: Settings): Permission[] =>
  permissionsForChange(name, effectiveSettings(), settings, new Set());

/** The permissions of the records that a changed key newly refers to. Unchanged entries need none. */
export function permissionsForChange(
  name: SettingName,
  was: Settings,
  will: Settings,
  logins: StoredLogins,
): Permission[] {
  if (name === 'agent_flow_id' || name === 'agentflow_enabled') return will.agent_flow_id === null ? [] : ['flows_run'];
  if (name === 'egress_approval') return will.egress_approval.mode === 'never' ? ['workspace_admin'] : [];
  // Variables that are listed become readable by being turned on.
  if (name === 'variables_enabled') return will.variables.length > 0 ? ['variables_read'] : [];
  if (opensAllKnowledgeBases(name, was, will)) return ['kbs_query'];
  const own = needsOf[name];
  if (!own) return [];
  const before = entriesOf(was[name]);
  const added = entriesOf(will[name]).filter((entry) => !before.some((other) => isDeepStrictEqual(other, entry)));
  // A base tool that could do this before gains nothing by a change of its looks.
  const had = (type: unknown) =>
    before.filter((entry) => entry['type'] === type).flatMap((one) => own(one, was, logins));
  const needed = added.flatMap((entry) => {
    const known = name === 'base_tools' ? had(entry['type']) : [];
    return own(entry, will, logins).filter((one) => !known.includes(one));
  });
  return [...new Set(needed)];
}
