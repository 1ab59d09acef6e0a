import { isDeepStrictEqual } from 'node:util';
import type {
  ConversationCreate,
  ConversationListQuery,
  ConversationPatch,
  MessagesQuery,
} from '@atrium/contract/conversations/schema.ts';
import { notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { effectiveSettings, shownSettings } from '@atrium/contract/settings/settings.ts';
import type { Database, Db } from '../../db/database.ts';
import { requireEtag } from '../../db/etag.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import { newId } from '../../lib/ids.ts';
import { namesOf, type Scope } from '../../lib/scope.ts';
import type { AgentSettings } from '../agents/ports.ts';
import type { Keyring } from '../keyring/service.ts';
import { requireSettingsSize } from '../settings/check-settings.ts';
import { joinInherited } from '../settings/inherited-settings.ts';
import { exemptLocksAfter } from '../settings/locks.ts';
import { dropMaskedValues } from '../settings/mask-settings.ts';
import type { SettingsAuthority } from '../settings/service.ts';
import { type SettingsWarnings, withWarnings } from '../settings/warnings.ts';
import { canSeeLink } from './can-see-link.ts';
import { type EndUser, endUserId, upsertEndUser } from './end-user-store.ts';
import { type MessageRow, readMessages } from './message-store.ts';
import type { OpenConversation, WholeConversation } from './present-conversation.ts';
import { makeChangeSettings } from './settings/change-settings.ts';
import { dropEchoedSettings } from './settings/drop-echoed-settings.ts';
import { hasInstructions } from './settings/has-instructions.ts';
import { makeRestrictedSettings } from './settings/restricted-settings.ts';
import { layersOf } from './settings/settings-layers.ts';
import { makeStartSettings, type StartOrigin } from './settings/start-settings.ts';
import * as store from './store.ts';

export type Conversations = ReturnType<typeof makeConversations>;

/** How many messages come with a conversation; the rest is paged. */
const withConversation = 200;

export const tokenPurpose = 'conversation link';
export const variablesPurpose = 'conversation variables';

/** Whoever a conversation comes from, and the channel that it comes through. */
export interface Origin extends StartOrigin {
  user?: EndUser | undefined;
  deployment_id?: string;
  channel_ref?: Record<string, unknown>;
}

export interface ConversationsOptions {
  db: Database;
  keyring: Keyring;
  agentSettings: AgentSettings;
  authority: SettingsAuthority;
  warnings: SettingsWarnings;
}

export function makeConversations({ db, keyring, agentSettings, authority, warnings }: ConversationsOptions) {
  const changeSettings = makeChangeSettings(authority);
  const startSettings = makeStartSettings(authority);
  const restricted = makeRestrictedSettings({ db, agentSettings });

  async function opened(scope: Scope, row: store.ConversationRow): Promise<OpenConversation> {
    const sealed = canSeeLink(scope, row) ? row.public_token : null;
    return { ...row, public_access_token: sealed && (await keyring.open(row.group_id, tokenPurpose, sealed)) };
  }

  async function newestOf(from: Db, row: store.ConversationRow): Promise<MessageRow[]> {
    if (row.message_count === 0) return [];
    const window = { after: undefined, order: 'newest', limit: withConversation } as const;
    return (await readMessages(from, row.group_id, row.id, window)).reverse();
  }

  async function find(from: Db, scope: Scope, id: string): Promise<store.ConversationRow> {
    const row = await store.findConversation(from, scope.workspace_id, id);
    if (!row) throw notFound('conversation');
    return row;
  }

  /** Holds the row, lets it be changed, and answers what came of it. */
  async function changing(
    scope: Scope,
    id: string,
    change: (tx: Db, before: store.ConversationRow) => Promise<unknown>,
    warned: Awaited<ReturnType<SettingsWarnings>> = [],
  ): Promise<WholeConversation> {
    // The keys to a link are at hand before a connection is held, since fetching them takes another.
    const known = await find(db, scope, id);
    if (known.public_token !== null) await opened(scope, known);
    return db.transaction(scope, async (tx) => {
      const before = await store.lockConversation(tx, scope.workspace_id, id);
      if (!before) throw notFound('conversation');
      await change(tx, before);
      const after = await find(tx, scope, id);
      return { row: withWarnings(await opened(scope, after), warned), messages: await newestOf(tx, after) };
    });
  }

  return {
    changing,
    find: (scope: Scope, id: string) => find(db, scope, id),

    async get(scope: Scope, id: string): Promise<WholeConversation> {
      const row = await find(db, scope, id);
      const [open, messages] = await Promise.all([opened(scope, row), newestOf(db, row)]);
      return { row: open, messages };
    },

    /** Those whose own settings match a pattern of text. */
    bySettings: (scope: Scope, pattern: string, limit: number) =>
      store.findBySettings(db, scope.workspace_id, pattern, limit),

    /** The values for {{name}} that were sent with it. */
    async variables(scope: Scope, id: string): Promise<Record<string, unknown>> {
      const sealed = await store.findVariables(db, scope.workspace_id, id);
      if (!sealed) return {};
      return JSON.parse(await keyring.open(scope.workspace_id, variablesPurpose, sealed)) as Record<string, unknown>;
    },

    /** The settings that hold in it, of those whose saver lacked variables_read. */
    restrictedSettings: restricted.inConversation,

    async list(scope: Scope, query: ConversationListQuery): Promise<Paged<OpenConversation>> {
      const window = pageOf(query);
      const { assistant_id, status, search, created_after, created_before, include_empty } = query;
      const filter = { assistant_id, status, search, created_after, created_before, include_empty };
      const { rows, total } = await store.listConversations(db, scope.workspace_id, filter, window);
      if (total === 0 && assistant_id && !(await store.hasAgent(db, scope.workspace_id, assistant_id)))
        throw notFound('agent');
      return pageAnswer(await Promise.all(rows.map((row) => opened(scope, row))), total, window);
    },

    async create(
      scope: Scope,
      assistant_id: string | undefined,
      input: ConversationCreate,
      chat_transport: string | null = null,
      id: string = newId(),
      origin?: Origin,
    ): Promise<WholeConversation> {
      const base = await agentSettings.forConversation(scope, assistant_id, input);
      const shownBase = () => shownSettings(effectiveSettings(base.settings));
      const sent = input.settings ? dropMaskedValues(scope, input.settings, shownBase()) : null;
      if (sent) await authority.check(scope, sent, ['body', 'settings']);
      const settings = await startSettings(db, scope, base, { ...input, settings: sent ?? undefined }, origin);
      const warned = sent ? await warnings(scope, sent) : [];
      const variables = input.variables && JSON.stringify(input.variables);
      const row: store.NewConversation = {
        id,
        user_id: origin?.user ? endUserId(scope.workspace_id, origin.user) : null,
        api_key_id: scope.actor.kind === 'api_key' ? scope.actor.id : null,
        name: input.name ?? null,
        assistant_id: base.assistant_id,
        assistant_version_id: base.assistant_version_id,
        preview: input.preview,
        chat_transport,
        channel_ref: origin?.channel_ref ?? null,
        charged_to: scope.accounts?.map(({ conversation_id }) => conversation_id) ?? null,
        deployment_id: origin?.deployment_id ?? null,
        settings: settings && JSON.stringify(settings),
        variables: variables ? await keyring.seal(scope.workspace_id, variablesPurpose, variables) : null,
        unlocked: exemptLocksAfter([], [base.published], sent ?? {}),
        shaped_by: hasInstructions(sent) || variables ? namesOf(scope.actor) : [],
        restricted_settings: await restricted.atStart(scope, base, { ...input, settings: sent ?? undefined }),
      };
      return db.write(scope, async (tx) => {
        if (origin?.user) await upsertEndUser(tx, scope.workspace_id, origin.user);
        const made = await store.insertConversation(tx, scope.workspace_id, row);
        const inherits = scope.inherits ?? null;
        if (inherits) await store.setInherited(tx, scope.workspace_id, id, inherits);
        const whole = { ...made, inherits, base_settings: base.text, lock_settings: null, public_access_token: null };
        return { row: withWarnings(whole, warned), messages: [] };
      });
    },

    async update(scope: Scope, id: string, patch: ConversationPatch, if_match: string | undefined) {
      if (patch.settings) await authority.check(scope, patch.settings, ['body', 'settings']);
      const warned = patch.settings ? await warnings(scope, patch.settings) : [];
      const change = async (tx: Db, before: store.ConversationRow) => {
        requireEtag(before.etag, if_match);
        const version = patch.assistant_version_id
          ? await agentSettings.version(tx, scope, before.assistant_id, patch.assistant_version_id)
          : undefined;
        const layers = layersOf(before);
        const unmasked =
          patch.settings && dropMaskedValues(scope, patch.settings, shownSettings(effectiveSettings(...layers)));
        const sent = unmasked && dropEchoedSettings(unmasked, layers, before);
        const own = await changeSettings(tx, scope, layers, { version, sent });
        if (own) requireSettingsSize(own, ['body', 'settings']);
        const unlocked = exemptLocksAfter(before.unlocked, layers, sent ?? {});
        const after = {
          name: patch.name ?? before.name,
          settings: own && JSON.stringify(own),
          assistant_version_id: version?.id ?? before.assistant_version_id,
          manual: patch.manual ?? before.manual,
          unlocked: isDeepStrictEqual(unlocked, before.unlocked) ? before.unlocked : unlocked,
        };
        const left = sent && (await restricted.afterPatch(tx, scope, id, sent));
        const fields = Object.keys(after) as (keyof typeof after)[];
        // A patch that says nothing new is no change: neither the etag nor the place in the list moves.
        if (left?.isChanged || fields.some((field) => after[field] !== before[field]))
          await store.updateConversation(tx, scope.workspace_id, id, after, left?.settings);
        if (hasInstructions(sent)) await store.addShapers(tx, scope.workspace_id, id, namesOf(scope.actor));
      };
      return changing(scope, id, change, warned);
    },

    /** Holds a conversation that goes on to what the run that asks now is held to. */
    async inherit({ workspace_id, inherits }: Scope, id: string): Promise<void> {
      if (!inherits) return;
      await db.transaction(undefined, async (tx) => {
        const before = await store.lockConversation(tx, workspace_id, id);
        if (before) await store.setInherited(tx, workspace_id, id, joinInherited(before.inherits, inherits));
      });
    },

    async remove(scope: Scope, id: string): Promise<void> {
      const removed = await retryOnDeadlock(() => store.deleteConversation(db, scope.workspace_id, id));
      if (!removed) throw notFound('conversation');
    },

    async messages(scope: Scope, id: string, { cursor, size, order }: MessagesQuery) {
      await find(db, scope, id);
      const rows = await readMessages(db, scope.workspace_id, id, { after: cursor, order, limit: size + 1 });
      const items = rows.slice(0, size);
      return { items, next_cursor: rows.length > size ? (items.at(-1) as MessageRow).seq : null };
    },
  };
}
