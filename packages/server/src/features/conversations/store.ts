import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../../db/database.ts';
import { nextEtag } from '../../db/etag.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../db/stored-text/stored-text.ts';
import type { InheritedSettings } from '../../lib/scope.ts';
import type { SecretSetting } from '../tools/ports.ts';

export interface Todo {
  /** Counted from 1 in each conversation; never used twice while a later one is there. */
  id: string;
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** The to-do that this one is a part of. */
  parent_id: string | null;
}

/** A conversation as stored, with the settings of what it follows. Settings are JSON text of the keys that were set. */
export interface ConversationRow {
  id: string;
  group_id: string;
  user_id: string | null;
  api_key_id: string | null;
  created_by: string | null;
  /** The person behind its creator. */
  person_id: string | null;
  /** The person or service account that it belongs to; null: a visitor's, or not known. */
  owner_id: string | null;
  /** The delivery of a trigger whose run made it. */
  delivery_id: string | null;
  name: string | null;
  created_at: string;
  last_updated_at: string;
  etag: string;
  assistant_id: string | null;
  status: RunStatus;
  manual: boolean;
  preview: boolean;
  assistant_version_id: string | null;
  chat_transport: string | null;
  channel_ref: Record<string, unknown> | null;
  deployment_id: string | null;
  todos: Todo[];
  tags: string[];
  is_locked: boolean;
  lock_message: string | null;
  message_count: number;
  tokens_used: number;
  /** Tokens that calls in progress may still use. */
  tokens_reserved: number;
  /** The conversations that asked for this one, from the first on. */
  charged_to: string[] | null;
  /** The sources that it has read: untrusted, private. */
  brought: Taint[];
  /** Whether a summary stands for its oldest messages. */
  summarized: boolean;
  /** Limits inherited from the conversation that asked for this one. */
  inherits: InheritedSettings | null;
  /** Sealed; opened where it is shown. */
  public_token: string | null;
  public_access_expires_at: string | null;
  public_access_read_only: boolean;
  /** The conversation's own settings. */
  settings: string | null;
  /** Settings of the pinned version, or of the agent's draft for a preview. */
  base_settings: string | null;
  /** Settings of the published version, where it has locks. */
  lock_settings: string | null;
  /** The locks that an administrator has turned off for it. */
  unlocked: string[];
  /** In lists of shared conversations: what the caller may do with it. */
  shared_access?: 'read' | 'write';
}

/** The columns of a conversation `c` by themselves. */
export const ownColumns = sql`c.id, c.workspace_id as group_id, c.user_id, c.api_key_id,
  coalesce(c.created_by, c.api_key_id, c.deployment_id) as created_by, c.person_id, c.owner_id, c.delivery_id, c.name, c.created_at, c.last_updated_at,
  c.etag_ms || '-' || c.etag_seq as etag, c.assistant_id, c.status, c.manual, c.preview, c.assistant_version_id,
  c.chat_transport, c.channel_ref, c.deployment_id, c.todos, c.is_locked, c.lock_message, c.message_count,
  c.tokens_used, c.tokens_reserved, c.charged_to, c.brought, c.public_token, c.settings, c.unlocked, c.inherits, c.tags,
  c.public_until as public_access_expires_at, c.public_read_only as public_access_read_only,
  c.summary_message_id is not null as summarized`;

/** A pinned conversation reads its version; a preview follows the draft, or what is published when there is none. */
export const baseColumns = sql`case when c.assistant_version_id is null then coalesce(a.draft_definition, p.definition)
    else v.definition end as base_settings,
  case when p.has_locks then p.definition end as lock_settings`;
export const withBase = sql`
  left join agent_versions v on v.workspace_id = c.workspace_id and v.id = c.assistant_version_id
  left join agents a on a.workspace_id = c.workspace_id and a.id = c.assistant_id
  left join agent_versions p on p.workspace_id = a.workspace_id and p.id = a.published_version_id`;

export interface NewConversation {
  id: string;
  user_id: string | null;
  api_key_id: string | null;
  created_by: string | null;
  person_id: string | null;
  /** The person or service account that it belongs to; null: a visitor's, or not known. */
  owner_id: string | null;
  delivery_id?: string | null;
  name: string | null;
  assistant_id: string | null;
  assistant_version_id: string | null;
  preview: boolean;
  chat_transport?: string | null;
  channel_ref?: Record<string, unknown> | null;
  deployment_id?: string | null;
  settings: string | null;
  variables: string | null;
  unlocked?: string[];
  restricted_settings: readonly SecretSetting[];
  charged_to?: readonly string[] | null;
  shaped_by?: readonly string[];
}

export const storedName = (workspace_id: string, id: string, name: string | null) =>
  storedTextOrNull('conversations.name', workspace_id, id, name);

/** The new row without the agent's settings, which the caller has just read. `row_version` changes with every change of the row. */
export const insertConversation = async (db: Db, workspace_id: string, row: NewConversation) =>
  await db.one<Omit<ConversationRow, 'base_settings' | 'lock_settings'> & { row_version: string }>(sql`
    insert into conversations as c (workspace_id, id, user_id, api_key_id, created_by, person_id, owner_id, delivery_id, name, assistant_id, assistant_version_id,
      preview, chat_transport, channel_ref, deployment_id, settings, variables, unlocked,
      restricted_settings, charged_to, shaped_by, etag_ms)
    values (${workspace_id}, ${row.id}, ${row.user_id}, ${row.api_key_id}, ${row.created_by}, ${row.person_id}, ${row.owner_id}, ${row.delivery_id ?? null}, ${storedName(workspace_id, row.id, row.name)}, ${row.assistant_id},
      ${row.assistant_version_id}, ${row.preview}, ${row.chat_transport ?? null},
      ${row.channel_ref ? JSON.stringify(row.channel_ref) : null}, ${row.deployment_id ?? null}, ${row.settings},
      ${row.variables}, ${row.unlocked ?? []}, ${row.restricted_settings}::text[],
      ${row.charged_to ? [...row.charged_to] : null}::uuid[], ${row.shaped_by ?? []}::text[], ${Date.now()})
    returning ${ownColumns}, c.xmin::text as row_version`);

export const findConversation = (db: Db, workspace_id: string, id: string) =>
  db.row<ConversationRow>(sql`
    select ${ownColumns}, ${baseColumns} from conversations c ${withBase} where c.workspace_id = ${workspace_id} and c.id = ${id}`);

/** The values for {{name}} that were sent with it, sealed. */
export const findVariables = async (db: Db, workspace_id: string, id: string) =>
  (
    await db.row<{ variables: string | null }>(sql`
      select variables from conversations where workspace_id = ${workspace_id} and id = ${id}`)
  )?.variables;

/** Both layers of settings, and the keys of each that were saved without variables_read. */
export const findRestricted = (db: Db, workspace_id: string, id: string) =>
  db.row<{
    settings: string | null;
    base_settings: string | null;
    restricted: SecretSetting[];
    base_restricted: SecretSetting[] | null;
  }>(sql`
    select c.settings, ${baseColumns}, c.restricted_settings as restricted,
      case when c.assistant_version_id is not null then v.restricted_settings
        when a.draft_definition is not null then a.draft_restricted_settings
        else p.restricted_settings end as base_restricted
    from conversations c ${withBase} where c.workspace_id = ${workspace_id} and c.id = ${id}`);

/**
 * Conversations whose settings name one of these (`settings_mentions`) and match the pattern. The first condition is that of
 * the index.
 */
export const findBySettings = (
  db: Db,
  workspace_id: string,
  { mentions, pattern }: { mentions: readonly string[]; pattern: string },
  limit: number,
) =>
  db.rows<Pick<ConversationRow, 'id' | 'name' | 'owner_id' | 'preview'>>(sql`
    select id, name, owner_id, preview from conversations
    where settings ~ '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|[{][{]|"(url|dsn_variable)":"'
      and settings_mentions(settings) && ${[...mentions]}::text[]
      and workspace_id = ${workspace_id} and settings ~ ${pattern}
    order by id limit ${limit}`);

/**
 * Locks the conversation until the transaction ends, then reads it: the agent may have changed before the lock. Rows that
 * refer to it can still be inserted, so that batch writers do not wait.
 */
export async function lockConversation(db: Db, workspace_id: string, id: string): Promise<ConversationRow | undefined> {
  await db.run(sql`select 1 from conversations where workspace_id = ${workspace_id} and id = ${id} for no key update`);
  return findConversation(db, workspace_id, id);
}

export const findByToken = (db: Db, hash: Buffer) =>
  db.row<ConversationRow>(sql`
    select ${ownColumns}, ${baseColumns} from conversations c ${withBase} where c.public_token_hash = ${hash}`);

export const findTenantId = async (db: Db, workspace_id: string) =>
  (await db.row<{ tenant_id: string }>(sql`select tenant_id from workspaces where id = ${workspace_id}`))?.tenant_id;

/** Whether the workspace has this agent, deleted or not: the conversations of a deleted one can still be listed. */
export const hasAgent = async (db: Db, workspace_id: string, id: string) =>
  (await db.row(sql`select 1 from agents where workspace_id = ${workspace_id} and id = ${id}`)) !== undefined;

/** Sets these columns and moves the etag on. */
const change = (db: Db, workspace_id: string, id: string, columns: Sql) =>
  db.run(sql`
    update conversations set ${columns}, last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${id}`);

export const updateConversation = (
  db: Db,
  workspace_id: string,
  id: string,
  /** A name that stays is left out: sealed again it would be another value, and pass for a renaming. */
  row: Pick<ConversationRow, 'settings' | 'assistant_version_id' | 'manual' | 'unlocked' | 'tags'> & {
    name: string | null | undefined;
  },
  restricted?: readonly SecretSetting[],
) =>
  change(
    db,
    workspace_id,
    id,
    sql`${row.name === undefined ? nothing : sql`name = ${storedName(workspace_id, id, row.name)},`} settings = ${row.settings}, assistant_version_id = ${row.assistant_version_id},
      manual = ${row.manual}, unlocked = ${row.unlocked}, tags = ${row.tags}::text[],
      restricted_settings = coalesce(${restricted ?? null}::text[], restricted_settings)`,
  );

export const setLock = (db: Db, workspace_id: string, id: string, message: string) =>
  change(db, workspace_id, id, sql`is_locked = true, lock_message = ${message}`);

/** Unlocking resets the count of violations. */
export const clearLock = (db: Db, workspace_id: string, id: string) =>
  change(db, workspace_id, id, sql`is_locked = false, lock_message = null, violations = 0`);

/** One statement counts and locks, so that exactly the n-th of concurrent ones locks. An existing lock keeps its message. */
export const addViolation = (db: Db, workspace_id: string, id: string, block_after: number, block_message: string) => {
  const locks = sql`(not is_locked and ${block_after}::bigint > 0 and violations + 1 >= ${block_after}::bigint)`;
  return db.row<{ violations: number; is_locked: boolean }>(sql`
    update conversations set violations = violations + 1, is_locked = is_locked or ${locks},
      lock_message = case when ${locks} then ${block_message} else lock_message end,
      last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${id}
    returning violations, is_locked`);
};

export const setTodos = (db: Db, workspace_id: string, id: string, todos: readonly Todo[]) =>
  change(
    db,
    workspace_id,
    id,
    sql`todos = ${storedText('conversations.todos', workspace_id, id, JSON.stringify(todos))}`,
  );

/** A new link, or none, has no terms. */
export const setToken = (db: Db, workspace_id: string, id: string, hash: Buffer | null, sealed: string | null) =>
  change(
    db,
    workspace_id,
    id,
    sql`public_token_hash = ${hash}, public_token = ${sealed}, public_until = null, public_read_only = false`,
  );

export const setLinkTerms = (db: Db, workspace_id: string, id: string, until: string | null, read_only: boolean) =>
  change(db, workspace_id, id, sql`public_until = ${until}, public_read_only = ${read_only}`);

export const deleteConversation = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from conversations where workspace_id = ${workspace_id} and id = ${id}`);

export const setStatus = (db: Db, workspace_id: string, id: string, status: RunStatus) =>
  change(db, workspace_id, id, sql`status = ${status}`);

/** A run begins: its model calls are counted from here on. */
export const beginAnswer = (db: Db, workspace_id: string, id: string, status: RunStatus) =>
  change(db, workspace_id, id, sql`status = ${status}, run_calls = 0`);

/** Renames it only while its name is still `before`. */
export async function setTitle(db: Db, workspace_id: string, id: string, before: string | null, name: string) {
  const whose = sql`workspace_id = ${workspace_id} and id = ${id}`;
  // Sealed names of one text differ, so the name is compared here, and then by the value that is stored.
  const row = await db.row<{ name: string | null; stored: string | null }>(sql`
    select name, name || '' as stored from conversations where ${whose}`);
  if (!row || row.name !== before) return 0;
  return db.run(sql`
    update conversations set name = ${storedName(workspace_id, id, name)}, ${nextEtag()}
    where ${whose} and name is not distinct from ${row.stored}`);
}

/** Stored without a new etag: a client that has read the conversation may still patch it. */
export const setInherited = (db: Db, workspace_id: string, id: string, inherits: InheritedSettings) =>
  db.run(sql`
    update conversations set inherits = ${JSON.stringify(inherits)}::jsonb
    where workspace_id = ${workspace_id} and id = ${id}`);

/** Adds taint, which is never removed. Keeps the etag, since answers do not show it. */
export const addTaint = (db: Db, workspace_id: string, id: string, brought: readonly Taint[]) =>
  db.run(sql`
    update conversations set brought = array(select distinct unnest(brought || ${[...brought]}::text[]))
    where workspace_id = ${workspace_id} and id = ${id}`);

/** Adds the names of actors that wrote its prompts. Keeps the etag, since answers do not show them. */
export const addShapers = (db: Db, workspace_id: string, id: string, names: readonly string[]) =>
  db.run(sql`
    update conversations set shaped_by = array(select distinct unnest(shaped_by || ${names}::text[]))
    where workspace_id = ${workspace_id} and id = ${id} and not shaped_by @> ${names}::text[]`);
