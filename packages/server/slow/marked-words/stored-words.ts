import assert from 'node:assert/strict';
import type { Planting } from './planting.ts';

const figures = 'figures and ids';
const secrets = 'hashes and sealed secrets';
const own = 'what the server keeps about itself';

/** Tables in which no user writes, and why. */
const withoutWords: Readonly<Record<string, string>> = {
  agent_followers: 'ids',
  agent_pictures: 'the bytes of pictures',
  audit_chains: 'hashes',
  audit_links: 'hashes',
  audit_unlinked: 'ids',
  blob_keys: secrets,
  budget_holds: figures,
  budget_nodes: figures,
  budget_periods: figures,
  byte_accounts: figures,
  channel_rates: figures,
  conversation_files: 'ids, and the name of a tool',
  conversation_marks: figures,
  conversation_sandboxes: 'ids',
  conversation_shares: 'ids',
  csat_facts: figures,
  data_jobs: 'figures, and ids of files',
  data_keys: secrets,
  delegated_runs: 'ids and hashes',
  delegations: 'ids',
  ended_sessions: 'hashes, and one of a few reasons',
  event_feeds: figures,
  file_previews: 'ids of pictures',
  file_texts: 'ids, and why a file could not be read',
  file_uploads: figures,
  identity_provider_mappings: 'claims of an identity provider, as administrators set them',
  insight_days: figures,
  insight_due: figures,
  insight_hours: figures,
  insight_mark: figures,
  insight_steps: figures,
  insight_weeks: figures,
  instance: own,
  job_workers: own,
  kb_index_changes: figures,
  kb_index_writers: figures,
  kb_passage_changes: figures,
  kb_rights: 'ids',
  mcp_program_grants: 'names of programs that the operator has configured',
  mcp_sessions: 'ids and levels of logs',
  member_groups: 'ids',
  members: 'ids',
  model_calls: 'figures, and names of models',
  model_defaults: 'names of models',
  model_health: 'names of models',
  model_presets: 'names of models',
  notifications: 'ids and kinds',
  oidc_logins: 'hashes and addresses of the console',
  outbox: 'ids of events',
  publish_gates: figures,
  push_keys: secrets,
  record_versions: figures,
  recovery_codes: secrets,
  run_facts: figures,
  run_totals: figures,
  said_facts: figures,
  sandbox_terminals: figures,
  schema_migrations: own,
  second_factors: secrets,
  sign_in_policies: figures,
  sign_in_steps: secrets,
  storage_places: own,
  stored_bytes: figures,
  table_changes: figures,
  table_spaces: 'names that the server makes',
  tenant_blob_keys: secrets,
  tenant_keys: secrets,
  tenants: 'the name of the organization, which its members see',
  text_conversions: own,
  tool_calls: 'ids, names of tools and hashes',
  topic_days: figures,
  topic_weeks: figures,
  upload_parts: figures,
  user_group_members: 'ids',
  webhook_deliveries: 'ids and states of records',
  workflow_callback_keys: secrets,
  workspace_events: 'ids and kinds',
};

/** Tables whose words are encrypted, with the field of a planted record that they hold. */
const sealed: Readonly<Record<string, string>> = {
  call_prompts: 'message of a conversation',
  conversation_placeholders: 'what the anonymizer replaced in a conversation',
  idempotency_keys: 'the answer to a request',
  mcp_authorizations: 'a secret',
  memories: 'memory of a conversation',
  oidc_sessions: 'a secret',
  outgoing_mails: 'a link of a person',
};

/** Every table of the schema holds a planted word, or is listed as one in which no user writes. */
export async function checkStoredWords({ query, words }: Planting): Promise<void> {
  const tables = await query(
    `select distinct table_name as name from information_schema.columns join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and t.table_type = 'BASE TABLE' and udt_name in ('text', 'varchar', 'json', 'jsonb', 'bytea', '_text', 'xml')
     order by 1`,
  );
  const wrong: string[] = [];
  for (const { name } of tables) {
    const [{ all }] = await query(`select coalesce(string_agg(t::text, ' '), '') as all from ${name} t`);
    const found = words.find(({ text }) => all.includes(text));
    const isListed = Boolean(withoutWords[name] ?? sealed[name]);
    if (isListed && found)
      wrong.push(`${name} is listed as one without users' words, and has ${found.kind}: ${found.field}`);
    if (!isListed && !found)
      wrong.push(`${name} has no marked word: plant one, or list the table in stored-words.ts with a reason`);
  }
  assert.deepEqual(wrong, []);
}
