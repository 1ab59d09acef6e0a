import type { ConversationCreate } from '@atrium/contract/conversations/schema.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import { groupCalls } from '../../../db/group-calls.ts';
import { newId } from '../../../lib/ids.ts';
import { actorId, namesOf, personBehind, recordOwner, type Scope } from '../../../lib/scope.ts';
import type { AgentSettings } from '../../agents/ports.ts';
import { explainLocks } from '../../agents/service.ts';
import type { Keyring } from '../../keyring/service.ts';
import type { SettingsAuthority, SettingsWarnings } from '../../settings/ports.ts';
import { exemptLocksAfter, warnOfSettingsWithoutEffect, withWarnings } from '../../settings/service.ts';
import { type EndUser, endUserId, upsertEndUser } from '../end-user-store.ts';
import { insertConversations, isUsual, type UsualConversation } from '../groups/insert-group-store.ts';
import { nameConversation } from '../name-actors.ts';
import type { WholeConversation } from '../ports.ts';
import { variablesPurpose } from '../sealed-purposes.ts';
import { dropEchoedSettings } from '../settings/drop-echoed-settings.ts';
import { hasInstructions } from '../settings/has-instructions.ts';
import type { makeRestrictedSettings } from '../settings/restricted-settings.ts';
import { makeStartSettings, type StartOrigin } from '../settings/start-settings.ts';
import { withoutMasks } from '../settings/without-masks.ts';
import * as store from '../store.ts';
import type { FreshConversations } from './fresh-conversations.ts';

/** The end user and the channel that a conversation comes from. */
export interface Origin extends StartOrigin {
  user?: EndUser | undefined;
  deployment_id?: string;
  channel_ref?: Record<string, unknown>;
}

interface CreatorDeps {
  db: Database;
  keyring: Keyring;
  agentSettings: AgentSettings;
  authority: SettingsAuthority;
  warnings: SettingsWarnings;
  /** Where new conversations are remembered for their first message. */
  fresh?: FreshConversations;
  restricted: ReturnType<typeof makeRestrictedSettings>;
}

/** Creates conversations with the settings that they start with. */
export function makeConversationCreator(deps: CreatorDeps) {
  const { db, keyring, agentSettings, authority, warnings, fresh, restricted } = deps;
  const at = ['body', 'settings'];
  const startSettings = makeStartSettings(authority);
  const insertUsual = groupCalls(
    ({ workspace_id }: UsualConversation) => workspace_id,
    (rows) => insertConversations(db.grouped, rows),
  );

  return async function create(
    scope: Scope,
    assistant_id: string | undefined,
    input: ConversationCreate,
    chat_transport: string | null = null,
    id = newId(),
    origin?: Origin,
  ): Promise<WholeConversation> {
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
  };
}
