import { isDeepStrictEqual } from 'node:util';
import type { ConversationCreate, ConversationPatch, MessagesQuery } from '@atrium/contract/conversations/schema.ts';
import { notFound } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import {
  effectiveSettings,
  type Settings,
  type SparseSettings,
  shownSettings,
} from '@atrium/contract/settings/settings.ts';
import type { Database, Db } from '../../db/database.ts';
import { groupCalls } from '../../db/group-calls.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import { newId } from '../../lib/ids.ts';
import { actorId, namesOf, personBehind, recordOwner, type Scope } from '../../lib/scope.ts';
import type { AgentSettings } from '../agents/ports.ts';
import { explainLocks } from '../agents/service.ts';
import type { Keyring } from '../keyring/service.ts';
import type { FindHiddenRuns } from '../ownership/service.ts';
import type { SettingsAuthority, SettingsWarnings } from '../settings/ports.ts';
import {
  dropMaskedValues,
  exemptLocksAfter,
  holdsMask,
  joinInherited,
  maskedKeys,
  mustMaskCredentials,
  requireSettingsSize,
  restoreMaskedSettings,
  warnOfSettingsWithoutEffect,
  withWarnings,
} from '../settings/service.ts';
import type { SecretSetting } from '../tools/ports.ts';
import { canSeeLink, isExpired } from './can-see-link.ts';
import { type EndUser, endUserId, upsertEndUser } from './end-user-store.ts';
import type { FreshConversations } from './fresh-conversations.ts';
import { insertConversations, isUsual, type UsualConversation } from './groups/insert-group-store.ts';
import { mayUsePreview, onlyChangedBy, onlyOf, requireVisible, requireWritable } from './is-visible.ts';
import { type ConversationLists, type ListSources, makeConversationLists } from './list/list-conversations.ts';
import { changeTags } from './marks/marks.ts';
import { type MessageRow, readMessages } from './message-store.ts';
import { nameConversation, nameWriters } from './name-actors.ts';
import type { MessagePage, WholeConversation } from './ports.ts';
import { auditedFields } from './settings/audited-fields.ts';
import { makeChangeSettings } from './settings/change-settings.ts';
import { dropEchoedSettings } from './settings/drop-echoed-settings.ts';
import { hasInstructions } from './settings/has-instructions.ts';
import { makeRestrictedSettings } from './settings/restricted-settings.ts';
import { layersOf } from './settings/settings-layers.ts';
import { makeStartSettings, type StartOrigin } from './settings/start-settings.ts';
import { hideAnswers } from './shares/hide-answers.ts';
import * as store from './store.ts';

export { endUserId } from './end-user-store.ts';
export { narrowerOf, onlyOf } from './is-visible.ts';
export { dropHiddenAnswers } from './shares/hide-answers.ts';
export { findReaders, sharedWith } from './shares/share-store.ts';
export { conversationTitle, defaultTitle, firstMessageTitle } from './titles.ts';

/** The most messages in the answer of a conversation; `/messages` pages through all. */
const maxMessages = 200;

export const tokenPurpose = 'conversation link';
export const variablesPurpose = 'conversation variables';

/** The end user and the channel that a conversation comes from. */
export interface Origin extends StartOrigin {
  user?: EndUser | undefined;
  deployment_id?: string;
  channel_ref?: Record<string, unknown>;
}

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

/** Settings that were sent, without the masks of credentials. A caller that may not see these may not change them either. */
function withoutMasks(scope: Scope, sent: SparseSettings, stored: Settings): SparseSettings {
  if (!maskedKeys.some((key) => key in sent) && !holdsMask(sent)) return sent;
  const changed = dropMaskedValues(scope, sent, shownSettings(stored));
  return mustMaskCredentials(scope) ? changed : restoreMaskedSettings(changed, stored, ['body', 'settings']);
}

export function makeConversations(options: ConversationsOptions): Conversations {
  const { db, keyring, agentSettings, authority, warnings, fresh } = options;
  const at = ['body', 'settings'];
  const changeSettings = makeChangeSettings(authority);
  const startSettings = makeStartSettings(authority);
  const restricted = makeRestrictedSettings({ db, agentSettings });
  const insertUsual = groupCalls(
    ({ workspace_id }: UsualConversation) => workspace_id,
    (rows) => insertConversations(db.grouped, rows),
  );

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

    async create(scope, assistant_id, input, chat_transport = null, id = newId(), origin) {
      const base = await agentSettings.forConversation(scope, assistant_id, input);
      const unmasked = input.settings ? withoutMasks(scope, input.settings, effectiveSettings(base.settings)) : null;
      const sent = unmasked && dropEchoedSettings(unmasked, [base.settings, null, null, null], input);
      const gone = sent ? await authority.check(scope, sent, at, { layers: [base.settings] }) : [];
      const settings = await explainLocks(db, scope, base.assistant_id, () =>
        startSettings(db, scope, base, { ...input, settings: sent ?? undefined }, origin),
      );
      const warned = sent
        ? [
            ...gone,
            ...(await warnings(scope, sent, at)),
            ...warnOfSettingsWithoutEffect([base.settings, settings], sent, at),
          ]
        : [];
      const variables = input.variables && JSON.stringify(input.variables);
      const row: store.NewConversation = {
        id,
        user_id: origin?.user ? endUserId(scope.workspace_id, origin.user) : null,
        api_key_id: scope.actor.kind === 'api_key' ? scope.actor.id : null,
        created_by: actorId(scope),
        person_id: personBehind(scope),
        owner_id: recordOwner(scope),
        delivery_id: scope.actor.delivery_id ?? null,
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
        const { row_version, ...made } =
          tx === db && isUsual(row)
            ? await insertUsual({ ...row, workspace_id: scope.workspace_id })
            : await store.insertConversation(tx, scope.workspace_id, row);
        const inherits = scope.inherits ?? null;
        if (inherits) await store.setInherited(tx, scope.workspace_id, id, inherits);
        // The settings of an agent may change without the conversation.
        else if (made.assistant_id === null)
          fresh?.remember({ ...made, base_settings: null, lock_settings: null }, row_version);
        const whole = { ...made, inherits, base_settings: base.text, lock_settings: null, public_access_token: null };
        return nameConversation(tx, scope, withWarnings(whole, warned), []);
      });
    },

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
