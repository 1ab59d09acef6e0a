import type { Settings } from '@atrium/contract/settings/settings.ts';

import { grantedVariables, namesIn } from '../variable-templates/service.ts';
import type { ReachRoot } from './ports.ts';

type Entry = string | { id?: unknown; enabled?: unknown; [key: string]: unknown };

const text = (value: unknown) => (typeof value === 'string' && value ? value.toLowerCase() : undefined);

const entriesOf = (list: readonly Entry[]) =>
  list.flatMap((entry) => {
    const fields = typeof entry === 'string' ? { id: entry } : entry;
    const id = text(fields.id);
    return id === undefined || ('enabled' in fields && fields.enabled === false) ? [] : [{ ...fields, id }];
  });

const workflowOf = (id: string, version_id: unknown): ReachRoot => ({
  kind: 'workflow',
  id,
  version_id: text(version_id) ?? null,
});

/** The workflows and agents that an agent with these settings can start. */
export function startedBy(settings: Settings): ReachRoot[] {
  const listed = entriesOf(settings.workflows).map((entry) =>
    workflowOf(entry.id, (entry as Entry & object).version_id),
  );
  const agents = [...settings.coworkers, ...(settings.subagents_enabled ? settings.subagents : [])];
  const tools = settings.tools.flatMap((entry): ReachRoot[] => {
    if (entry['enabled'] === false) return [];
    const [workflow_id, agent_id] = [text(entry['workflow_id']), text(entry['agent_id'])];
    if (entry.type === 'workflow' && workflow_id) return [workflowOf(workflow_id, entry['version_id'])];
    return entry.type === 'agent_tool' && agent_id ? [{ kind: 'agent', id: agent_id }] : [];
  });
  const flow = settings.agentflow_enabled ? text(settings.agent_flow_id) : undefined;
  return [
    ...listed,
    ...tools,
    ...entriesOf(agents).map(({ id }) => ({ kind: 'agent' as const, id })),
    ...(flow ? [workflowOf(flow, null)] : []),
  ];
}

/** The variables that the settings of an agent use: those that they list, by the names that stand in their texts, and those of databases. */
export function variablesOf(settings: Settings): Extract<ReachRoot, { kind: 'variables' }> {
  const { plain, handles } = namesIn(settings);
  const granted = grantedVariables(settings);
  const ids = settings.variables_enabled ? entriesOf(settings.variables).map(({ id }) => id) : [];
  return { kind: 'variables', names: [...plain, ...handles], ids, granted };
}

/** The entries of settings that send something out, each with its address where it has one. */
export const sendersIn = (settings: Settings) => [
  ...[...settings.actions, ...settings.tools.filter(({ type }) => type === 'action')].map((entry) => {
    const { name, url } = entry as { name?: unknown; url?: unknown };
    return { kind: 'action' as const, name: String(name), url: String(url) };
  }),
  ...settings.mcp_servers.map(({ name, url }) => ({ kind: 'mcp_server' as const, name, url })),
  ...settings.databases.map(({ name }) => ({ kind: 'database' as const, name, url: undefined })),
];
