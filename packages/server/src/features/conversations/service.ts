import { isDeepStrictEqual } from 'node:util';
import type { ConversationCreate, ConversationPatch, MessagesQuery } from '@atrium/contract/conversations/schema.ts';
import { notFound } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Database, Db } from '../../db/database.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import { namesOf, type Scope } from '../../lib/scope.ts';
import type { AgentSettings } from '../agents/ports.ts';
import { explainLocks } from '../agents/service.ts';
import type { Keyring } from '../keyring/service.ts';
import type { FindHiddenRuns } from '../ownership/service.ts';
import type { SettingsAuthority, SettingsWarnings } from '../settings/ports.ts';
import {
  exemptLocksAfter,
  joinInherited,
  requireSettingsSize,
  warnOfSettingsWithoutEffect,
  withWarnings,
} from '../settings/service.ts';
import type { SecretSetting } from '../tools/ports.ts';
import { canSeeLink, isExpired } from './can-see-link.ts';
import { makeConversationCreator, type Origin } from './create/create-conversation.ts';
import type { FreshConversations } from './create/fresh-conversations.ts';
import { mayUsePreview, onlyChangedBy, onlyOf, requireVisible, requireWritable } from './is-visible.ts';
import { type ConversationLists, type ListSources, makeConversationLists } from './list/list-conversations.ts';
import { changeTags } from './marks/marks.ts';
import { type MessageRow, readMessages } from './message-store.ts';
import { nameConversation, nameWriters } from './name-actors.ts';
import type { MessagePage, WholeConversation } from './ports.ts';
import { tokenPurpose, variablesPurpose } from './sealed-purposes.ts';
import { auditedFields } from './settings/audited-fields.ts';
import { makeChangeSettings } from './settings/change-settings.ts';
import { dropEchoedSettings } from './settings/drop-echoed-settings.ts';
import { hasInstructions } from './settings/has-instructions.ts';
import { makeRestrictedSettings } from './settings/restricted-settings.ts';
import { layersOf } from './settings/settings-layers.ts';
import { withoutMasks } from './settings/without-masks.ts';
import { hideAnswers } from './shares/hide-answers.ts';
import * as store from './store.ts';

export { endUserId } from './end-user-store.ts';
export { narrowerOf, onlyOf } from './is-visible.ts';
export { tokenPurpose, variablesPurpose } from './sealed-purposes.ts';
export { dropHiddenAnswers } from './shares/hide-answers.ts';
export { findReaders, sharedWith } from './shares/share-store.ts';
export { conversationTitle, defaultTitle, firstMessageTitle } from './titles.ts';

/** The most messages in the answer of a conversation; `/messages` pages through all. */
const maxMessages = 200;

export interface Conversations extends ConversationLists {
  /** Locks the row, applies the change and answers the conversation as it is then. */
  change(
    scope: Scope,
    id: string,
    apply: (tx: Db, before: store.ConversationRow) => Promise<unknown>,
  ): Promise<WholeConversation>;
  find(scope: Scope, id: string): Promise<store.ConversationRow>;
  /** With its newest messages: all that an answer has, or this many. */
  get(scope: Scope, id: string, messages?: number): Promise<WholeConversation>;
  /** The same, with a warning for each record that its own settings name and that is gone. */
  show(scope: Scope, id: string, messages?: number): Promise<WholeConversation>;
  /** Conversations whose own settings name a record; `hidden` are those that the caller may not see. */
  bySettings(
    scope: Scope,
    record: { mentions: readonly string[]; pattern: string },
    limit: number,
  ): Promise<{ id: string; name: string | null; hidden: boolean }[]>;
  /** The values for {{name}} that were sent when the conversation was created. */
  variables(scope: Scope, id: string): Promise<Record<string, unknown>>;
  /** The settings that apply in it and were saved by a caller without variables_read. */
  restrictedSettings(scope: Scope, id: string): Promise<SecretSetting[]>;
  create(
    scope: Scope,
    assistant_id: string | undefined,
    input: ConversationCreate,
    chat_transport?: string | null,
    id?: string,
    origin?: Origin,
  ): Promise<WholeConversation>;
  update(scope: Scope, id: string, patch: ConversationPatch): Promise<WholeConversation>;
  /** Makes a conversation as strict as the run that now asks in it. */
  inherit(scope: Scope, id: string): Promise<void>;
  remove(scope: Scope, id: string): Promise<void>;
  messages(scope: Scope, id: string, query: MessagesQuery): Promise<MessagePage>;
}

export interface ConversationsOptions {
  db: Database;
  keyring: Keyring;
  agentSettings: AgentSettings;
  authority: SettingsAuthority;
  warnings: SettingsWarnings;
  listSources: ListSources;
  findHiddenRuns: FindHiddenRuns;
  /** Where new conversations are remembered for their first message. */
  fresh?: FreshConversations;
  /** Whether names are stored encrypted, so that they cannot be searched. */
  encrypt: boolean;
}

export function makeConversations(options: ConversationsOptions): Conversations {
  const { db, keyring, agentSettings, authority, warnings } = options;
  const at = ['body', 'settings'];
  const changeSettings = makeChangeSettings(authority);
  const restricted = makeRestrictedSettings({ db, agentSettings });
  async function openLink<T extends store.ConversationRow>(scope: Scope, row: T) {
    const sealed = canSeeLink(scope, row) && !isExpired(row) ? row.public_token : null;
    // The terms of a link are shown with it.
    if (sealed === null)
      return { ...row, public_access_token: null, public_access_expires_at: null, public_access_read_only: false };
    return { ...row, public_access_token: await keyring.open(row.group_id, tokenPurpose, sealed) };
  }

  async function listNewest(from: Db, row: store.ConversationRow, limit = maxMessages): Promise<MessageRow[]> {
    if (row.message_count === 0 || limit === 0) return [];
    const window = { after: undefined, order: 'newest', limit } as const;
    return (await readMessages(from, row.group_id, row.id, window)).reverse();
  }

  async function find(from: Db, scope: Scope, id: string): Promise<store.ConversationRow> {
    return requireVisible(scope, await store.findConversation(from, scope.workspace_id, id));
  }

  async function change(
    scope: Scope,
    id: string,
    apply: (tx: Db, before: store.ConversationRow) => Promise<unknown>,
    warned: () => readonly RequestWarning[] = () => [],
  ): Promise<WholeConversation> {
    // Opens the link once before the transaction: loading its key inside would take a second connection.
    const known = await find(db, scope, id);
    if (known.public_token !== null) await openLink(scope, known);
    return db.transaction(scope, async (tx) => {
      const before = await store.lockConversation(tx, scope.workspace_id, id);
      if (!before) throw notFound('conversation');
      await apply(tx, before);
      const after = await find(tx, scope, id);
      scope.audit?.note({ before: auditedFields(before), after: auditedFields(after) });
      const open = withWarnings(await openLink(scope, after), warned());
      return nameConversation(tx, scope, open, await listNewest(tx, after));
    });
  }

  return {
    change,
    find: (scope, id) => find(db, scope, id),

    async get(scope, id, limit) {
      const row = await find(db, scope, id);
      const [open, messages] = await Promise.all([openLink(scope, row), listNewest(db, row, limit)]);
      return nameConversation(db, scope, open, await hideAnswers(scope, row, messages, options.findHiddenRuns));
    },

    async show(scope, id, limit) {
      const whole = await this.get(scope, id, limit);
      const [, own] = layersOf(whole.row);
      if (own === null || !allows(scope.permissions, 'agents_edit')) return whole;
      return { ...whole, row: withWarnings(whole.row, await authority.warnOfGone(scope, own, ['settings'])) };
    },

    async bySettings(scope, record, limit) {
      const owner_id = onlyOf(scope);
      const isHidden = (row: Pick<store.ConversationRow, 'owner_id' | 'preview'>) =>
        !mayUsePreview(scope, row) || (owner_id !== undefined && row.owner_id !== owner_id);
      const rows = await store.findBySettings(db, scope.workspace_id, record, limit);
      return rows.map((row) => ({ id: row.id, name: row.name, hidden: isHidden(row) }));
    },

    async variables(scope, id) {
      const sealed = await store.findVariables(db, scope.workspace_id, id);
      if (!sealed) return {};
      return JSON.parse(await keyring.open(scope.workspace_id, variablesPurpose, sealed));
    },

    restrictedSettings: restricted.inConversation,

    ...makeConversationLists({ db, sources: options.listSources, openLink, encrypt: options.encrypt }),

    create: makeConversationCreator({ ...options, restricted }),

    async update(scope, id, patch) {
      const layers = patch.settings ? layersOf(await find(db, scope, id)) : [];
      const gone = patch.settings ? await authority.check(scope, patch.settings, at, { layers }) : [];
      const warned = patch.settings ? [...gone, ...(await warnings(scope, patch.settings, at))] : [];
      let withoutEffect: RequestWarning[] = [];
      const apply = async (tx: Db, before: store.ConversationRow) => {
        requireWritable(scope, before);
        const version = patch.assistant_version_id
          ? await agentSettings.version(tx, scope, before.assistant_id, patch.assistant_version_id)
          : undefined;
        const layers = layersOf(before);
        const unmasked = patch.settings && withoutMasks(scope, patch.settings, effectiveSettings(...layers));
        const sent = unmasked && dropEchoedSettings(unmasked, layers, before);
        const own = await explainLocks(tx, scope, before.assistant_id, () =>
          changeSettings(tx, scope, layers, { version, sent }),
        );
        if (own) requireSettingsSize(own, at);
        const [base, , locked] = layers;
        if (sent) withoutEffect = warnOfSettingsWithoutEffect([version?.settings ?? base, own, locked], sent, at);
        const unlocked = exemptLocksAfter(before.unlocked, layers, sent ?? {});
        const after = {
          name: patch.name ?? before.name,
          // Settings that were all left out are no settings.
          settings: before.settings === null && isDeepStrictEqual(own, {}) ? null : own && JSON.stringify(own),
          assistant_version_id: version?.id ?? before.assistant_version_id,
          manual: patch.manual ?? before.manual,
          tags: changeTags(before.tags, patch.tags),
          unlocked: isDeepStrictEqual(unlocked, before.unlocked) ? before.unlocked : unlocked,
        };
        const left = sent && (await restricted.afterPatch(tx, scope, id, sent));
        const fields = keysOf(after);
        // A patch without a new value keeps the etag and the place in the list.
        if (left?.isChanged || fields.some((field) => after[field] !== before[field]))
          await store.updateConversation(
            tx,
            scope.workspace_id,
            id,
            { ...after, name: after.name === before.name ? undefined : after.name },
            left?.settings,
          );
        if (hasInstructions(sent)) await store.addShapers(tx, scope.workspace_id, id, namesOf(scope.actor));
      };
      return change(scope, id, apply, () => [...warned, ...withoutEffect]);
    },

    async inherit(scope, id) {
      const { workspace_id, inherits } = scope;
      if (!inherits) return;
      await find(db, scope, id);
      await db.transaction(undefined, async (tx) => {
        const before = await store.lockConversation(tx, workspace_id, id);
        if (before) await store.setInherited(tx, workspace_id, id, joinInherited(before.inherits, inherits));
      });
    },

    async remove(scope, id) {
      if (onlyChangedBy(scope) !== undefined)
        requireWritable(scope, await store.findConversation(db, scope.workspace_id, id));
      const remove = async (tx: Db) => {
        if (!(await store.deleteConversation(tx, scope.workspace_id, id))) throw notFound('conversation');
      };
      await retryOnDeadlock(() => db.write(scope, remove));
    },

    async messages(scope, id, { cursor, size, order, format }) {
      const row = await find(db, scope, id);
      const rows = await readMessages(db, scope.workspace_id, id, { after: cursor, order, limit: size + 1 });
      const shown = await hideAnswers(scope, row, rows.slice(0, size), options.findHiddenRuns);
      const items = await nameWriters(db, scope, id, shown);
      return { row, items, format, next_cursor: rows.length > size ? (items.at(-1)?.seq ?? null) : null };
    },
  };
}
