import type { Paged } from '@atrium/contract/page.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { jsonText } from '../../lib/responses/raw-answer.ts';
import { spliceJson, splicePage } from '../../lib/responses/splice-json.ts';
import type { Scope } from '../../lib/scope.ts';
import { displayOf, toUiMessage } from '../messages/service.ts';
import { mustMaskCredentials } from '../settings/mask-settings.ts';
import type { SettingsTextCache } from '../settings/settings-text-cache.ts';
import type { MessageRow } from './message-store.ts';
import { layersOf } from './settings/settings-layers.ts';
import type { ConversationRow } from './store.ts';

/** A conversation with its link opened. */
export interface OpenConversation extends ConversationRow {
  public_access_token: string | null;
}

export interface WholeConversation {
  row: OpenConversation;
  messages: MessageRow[];
}

export const messageText = ({ id, created_at, parts, metadata }: MessageRow) =>
  spliceJson({ id, created_at }, { message_parts: parts, metadata: metadata ?? 'null' });

function uiMessagesText(row: ConversationRow, messages: readonly MessageRow[]): string {
  if (messages.length === 0) return '[]';
  const display = displayOf(effectiveSettings(...layersOf(row)));
  return JSON.stringify(messages.map((message) => toUiMessage(message, display)));
}

/** Conversations as answers: settings and message parts are spliced in as the text they are stored as. */
export function makeConversationPresenter(settingsText: SettingsTextCache) {
  function textOf(conversation: OpenConversation, scope: Scope, more: Record<string, string> = {}): string {
    const {
      settings,
      base_settings,
      lock_settings,
      public_token: _,
      message_count: __,
      tokens_used: ___,
      brought: ____,
      unlocked: _____,
      inherits,
      tokens_reserved: ______,
      charged_to: _______,
      ...row
    } = conversation;
    const above = lock_settings === null && inherits === null ? [] : layersOf(conversation).slice(2);
    const layers = [base_settings, settings, ...above.map((layer) => layer && JSON.stringify(layer))];
    const shown = settingsText(layers, { preview: row.preview, masked: mustMaskCredentials(scope) });
    return spliceJson(row, { settings: shown, ...more });
  }

  const wholeText = ({ row, messages }: WholeConversation, scope: Scope) =>
    textOf(row, scope, {
      messages: `[${messages.map(messageText).join(',')}]`,
      ui_messages: uiMessagesText(row, messages),
    });

  return {
    wholeText,
    conversation: (whole: WholeConversation, scope: Scope) => jsonText(wholeText(whole, scope)),
    page: (page: Paged<OpenConversation>, scope: Scope) =>
      jsonText(splicePage({ ...page, items: page.items.map((row) => textOf(row, scope)) })),
    messages: ({ items, next_cursor }: { items: MessageRow[]; next_cursor: number | null }) =>
      jsonText(spliceJson({ next_cursor }, { items: `[${items.map(messageText).join(',')}]` })),
  };
}

export type ConversationPresenter = ReturnType<typeof makeConversationPresenter>;
