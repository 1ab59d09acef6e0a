import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { omit } from '../../lib/omit.ts';
import { jsonText } from '../../lib/responses/raw-answer.ts';
import { spliceJson, splicePage } from '../../lib/responses/splice-json.ts';
import type { Scope } from '../../lib/scope.ts';
import { mayOf } from '../may/service.ts';
import type { HiddenParts } from '../messages/ports.ts';
import { displayFor, dropHiddenParts, hiddenPartsFor, toUiMessage } from '../messages/service.ts';
import type { SettingsTextCache } from '../settings/ports.ts';
import { mustMaskCredentials } from '../settings/service.ts';
import { canSeeLink } from './can-see-link.ts';
import { mayUsePreview, onlyChangedBy } from './is-visible.ts';
import type { ConversationPresenter, NamedMessage, OpenConversation, WholeConversation } from './ports.ts';
import { layersOf } from './settings/settings-layers.ts';

export const messageText = (message: NamedMessage, hidden: HiddenParts) => {
  const { id, created_at, written_by, written_by_actor, parts, metadata } = message;
  const fields = { id, created_at, written_by, written_by_actor };
  return spliceJson(fields, { message_parts: dropHiddenParts(parts, hidden), metadata: metadata ?? 'null' });
};

/** The messages as stored, without the parts that the caller may not see, and as screens show them. */
function messageTexts({ row, messages }: WholeConversation, scope: Scope) {
  if (messages.length === 0) return { messages: '[]', ui_messages: '[]' };
  const settings = effectiveSettings(...layersOf(row));
  const display = displayFor(scope, settings);
  const hidden = hiddenPartsFor(scope, settings);
  return {
    messages: `[${messages.map((message) => messageText(message, hidden)).join(',')}]`,
    ui_messages: JSON.stringify(messages.map((message) => toUiMessage(message, display))),
  };
}

/** Columns that no answer has. */
const hiddenColumns = [
  ...(['settings', 'base_settings', 'lock_settings', 'public_token', 'tokens_used'] as const),
  ...([
    'brought',
    'unlocked',
    'inherits',
    'tokens_reserved',
    'charged_to',
    'summarized',
    'person_id',
    'owner_id',
    'delivery_id',
  ] as const),
];

/** What a person may do with a conversation that is shared with them. */
const accessTo = ({ shared }: Scope, { id, shared_access }: OpenConversation) =>
  shared_access ?? (shared?.conversation_id === id ? shared.access : null);

export function makeConversationPresenter(settingsText: SettingsTextCache): ConversationPresenter {
  function textOf(conversation: OpenConversation, scope: Scope, more: Record<string, string> = {}): string {
    const { settings, base_settings, lock_settings, inherits } = conversation;
    const row = omit(conversation, hiddenColumns);
    const above = lock_settings === null && inherits === null ? [] : layersOf(conversation).slice(2);
    const layers = [base_settings, settings, ...above.map((layer) => layer && JSON.stringify(layer))];
    const shown = settingsText(layers, { preview: row.preview, masked: mustMaskCredentials(scope) });
    const owner_id = onlyChangedBy(scope);
    const isOthers = owner_id !== undefined && conversation.owner_id !== owner_id;
    const shared_access = isOthers ? accessTo(scope, conversation) : null;
    const may = mayOf('conversation', scope, {
      edit: !isOthers,
      delete: !isOthers,
      send: !conversation.is_locked && mayUsePreview(scope, conversation) && (!isOthers || shared_access === 'write'),
      share: canSeeLink(scope, conversation),
    });
    return spliceJson({ ...row, shared_access, may }, { settings: shown, ...more });
  }

  const wholeText = (whole: WholeConversation, scope: Scope) => textOf(whole.row, scope, messageTexts(whole, scope));

  return {
    wholeText,
    conversation: (whole, scope) => jsonText(wholeText(whole, scope)),
    page: (page, scope) =>
      jsonText(splicePage({ ...page, items: page.items.map((row) => textOf(row, scope, { ui_messages: '[]' })) })),
    messages({ row, items, format, next_cursor }, scope) {
      const settings = effectiveSettings(...layersOf(row));
      if (format === 'ui') {
        const display = displayFor(scope, settings);
        return jsonText(JSON.stringify({ next_cursor, items: items.map((message) => toUiMessage(message, display)) }));
      }
      const hidden = hiddenPartsFor(scope, settings);
      const texts = items.map((message) => messageText(message, hidden));
      return jsonText(spliceJson({ next_cursor }, { items: `[${texts.join(',')}]` }));
    },
  };
}
