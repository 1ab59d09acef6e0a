import { keysOf } from '@atrium/contract/keys-of.ts';
import { guardrailCategories } from '@atrium/contract/settings/keys/safety.ts';
import { type SettingName, settingKeys } from '@atrium/contract/settings/settings.ts';
import { required } from '../../lib/required.ts';

/** Ids of records that settings of the rights matrix refer to. */
export interface RightsSampleIds {
  knowledge_base: string;
  workflow: string;
  agent: string;
  table: string;
  variable: string;
  file: string;
}

/** Two values of a key: the looser and the stricter one, or any two where the key has no direction. */
export interface Sample {
  loose: unknown;
  strict: unknown;
  /** The permission that the looser value needs besides `agents_edit`, as the refusal names it. */
  needs?: string;
}

const pair = (loose: unknown, strict: unknown, needs?: string): Sample => ({
  loose,
  strict,
  ...(needs !== undefined && { needs }),
});

const numbers: Partial<Record<SettingName, [number, number]>> = {
  temperature: [1.5, 1],
  top_p: [0.9, 0.5],
  compaction_threshold: [0.9, 0.5],
  insights_csat_sampling_rate: [0.9, 0.5],
  block_after_violations: [0, 3],
  usage_limits_maximum_tokens: [200_000, 100_000],
  usage_limits_max_messages: [50, 40],
};

const choices: Partial<Record<SettingName, [string, string]>> = {
  auto_model_preference: ['speed', 'quality'],
  parameter_preset: ['creative', 'precise'],
  reasoning_effort: ['High', 'Low'],
  compaction_strategy: ['truncate', 'summarize'],
  tool_display_preset: ['execution', 'minimal'],
  citation_style: ['footnote', 'none'],
  agent_title_mode: ['first_message', 'off'],
  guardrails_output_mode: ['post_stream', 'pre_stream'],
  tool_grant_scope: ['workspace', 'user'],
  guardrail_action: ['warn', 'fail'],
  ...Object.fromEntries(guardrailCategories.map((name) => [name, ['Off', 'High']])),
};

const listsOf = (ids: RightsSampleIds): Partial<Record<SettingName, Sample>> => ({
  model: pair(['openai/a', 'openai/b'], ['openai/a']),
  pii_anonimization: pair([], ['PERSON']),
  pii_allow: pair(['Docker', 'Podman'], ['Docker']),
  allowed_hosts: pair(['*.example.com'], ['desk.example.com']),
  chatflow_tools: pair([], ['files']),
  retry_on_status_codes: pair([500], [429]),
  knowledge_bases: pair([ids.knowledge_base], [], 'kbs_query'),
  workflows: pair([ids.workflow], [], 'flows_run'),
  coworkers: pair([ids.agent], []),
  subagents: pair([ids.agent], []),
  tables: pair([{ id: ids.table, access: 'write' }], [{ id: ids.table, access: 'read' }], 'tables_edit'),
  variables: pair([ids.variable], [], 'variables_read'),
  agent_files: pair([ids.file], [], 'files_read'),
  databases: pair([{ name: 'crm', dsn_variable: 'CRM' }], [], 'variables_read'),
  skills: pair([{ name: 's', instructions: 'i', file_ids: [ids.file] }], [], 'files_read'),
  actions: pair([{ name: 'a', url: 'https://a.example/{{secret.CRM}}' }], [], 'variables_read'),
  mcp_servers: pair([{ name: 'm', url: 'https://m.example/mcp' }], []),
  // No selector: beside one, fewer knowledge bases are not always stricter.
  tools: pair([{ type: 'kb_qa', kb_id: ids.knowledge_base }], [], 'kbs_query'),
  base_tools: pair(
    [{ type: 'code_execution', enabled: true }],
    [{ type: 'code_execution', enabled: false }],
    'sandboxes_run',
  ),
  guidelines: pair([{ condition: 'a', action: 'b' }], []),
  glossary: pair([{ term: 'a', definition: 'b' }], []),
  memories: pair([{ text: 'a' }], []),
  insights_custom_definitions: pair([{ name: 'a', question: 'b' }], []),
});

/** Samples for every key; a key of a kind that is not known here has none, and fails the matrix. */
export function rightsSamples(ids: RightsSampleIds): Map<SettingName, Sample> {
  const lists: Partial<Record<SettingName, Sample>> = {
    ...listsOf(ids),
    agent_flow_id: pair(ids.workflow, null, 'flows_run'),
    capability_versions: pair({ a: 1 }, { a: 2 }),
    egress_approval: pair({ mode: 'never', reason: 'Sends to our desk only' }, 'always', 'workspace_admin'),
  };
  const sampleOf = (name: SettingName): Sample | undefined => {
    const { fallback, stricter } = settingKeys[name];
    const given = lists[name];
    if (given) return given;
    const two = numbers[name] ?? choices[name];
    if (two) return pair(two[0], two[1]);
    if (typeof fallback === 'boolean') return stricter?.direction === 'on' ? pair(false, true) : pair(true, false);
    if (typeof fallback === 'number') return pair(2, 1);
    if (typeof fallback === 'string' || fallback === null) return pair('one', 'two');
    const isText = Array.isArray(fallback) && fallback.every((item) => typeof item === 'string' || 'text' in item);
    return isText ? pair(['one'], ['two']) : undefined;
  };
  const names = keysOf(settingKeys);
  return new Map(names.flatMap((name) => (sampleOf(name) ? [[name, required(sampleOf(name))] as const] : [])));
}
