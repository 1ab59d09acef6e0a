import { Readable } from 'node:stream';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../db/database.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Scope } from '../../lib/scope.ts';
import type { HiddenParts } from '../messages/ports.ts';
import { dropHiddenParts, hiddenPartsFor } from '../messages/service.ts';
import type { FindHiddenRuns } from '../ownership/service.ts';
import { type MessageRow, readMessages } from './message-store.ts';
import { nameConversation, nameWriters } from './name-actors.ts';
import type { ConversationPresenter, OpenConversation } from './ports.ts';
import { messageText } from './present-conversation.ts';
import type { Conversations } from './service.ts';
import { layersOf } from './settings/settings-layers.ts';
import { hideAnswers } from './shares/hide-answers.ts';

export type ExportConversation = (scope: Scope, id: string, format: 'markdown' | 'json') => Promise<RawAnswer>;

const speaker = { user: 'User', assistant: 'Assistant', system: 'System' };

function markdownOf({ role, created_at, parts }: MessageRow, hidden: HiddenParts): string {
  const shown: { type: string; content: string }[] = JSON.parse(dropHiddenParts(parts, hidden));
  const texts = shown.filter(({ type }) => type !== 'function').map(({ content }) => content);
  return `## ${speaker[role]} · ${created_at}\n\n${texts.join('\n\n')}\n\n`;
}

/** Exports a conversation as a file, page by page: 50,000 messages need no more memory than 500. */
export function makeConversationExport(options: {
  db: Database;
  conversations: Conversations;
  findHiddenRuns: FindHiddenRuns;
  present: ConversationPresenter;
}): ExportConversation {
  const { db, conversations, present } = options;

  async function* allMessages(scope: Scope, row: OpenConversation): AsyncGenerator<MessageRow[]> {
    let after = 0;
    for (;;) {
      const page = await readMessages(db, scope.workspace_id, row.id, { after, order: 'oldest', limit: 500 });
      const last = page.at(-1);
      if (!last) return;
      yield await hideAnswers(scope, row, page, options.findHiddenRuns);
      after = last.seq;
    }
  }

  const hiddenIn = (scope: Scope, row: OpenConversation) => hiddenPartsFor(scope, effectiveSettings(...layersOf(row)));

  async function* asMarkdown(scope: Scope, row: OpenConversation) {
    const hidden = hiddenIn(scope, row);
    yield `# ${row.name ?? 'Conversation'}\n\n`;
    for await (const page of allMessages(scope, row)) yield page.map((message) => markdownOf(message, hidden)).join('');
  }

  async function* asJson(scope: Scope, row: OpenConversation) {
    const hidden = hiddenIn(scope, row);
    // The JSON of the conversation is left open before its messages, which follow page by page.
    const empty = present.wholeText({ row, messages: [] }, scope);
    yield `${empty.slice(0, empty.lastIndexOf('"messages":[]'))}"messages":[`;
    let first = true;
    for await (const page of allMessages(scope, row)) {
      const named = await nameWriters(db, scope, row.id, page);
      yield (first ? '' : ',') + named.map((message) => messageText(message, hidden)).join(',');
      first = false;
    }
    yield ']}';
  }

  return async (scope, id, format) => {
    // Files are passed on; the secret of the link must not be.
    const found = { ...(await conversations.find(scope, id)), public_access_token: null };
    const { row } = await nameConversation(db, scope, found, []);
    const markdown = format === 'markdown';
    return new RawAnswer(Readable.from(markdown ? asMarkdown(scope, row) : asJson(scope, row)), {
      'content-type': markdown ? 'text/markdown; charset=utf-8' : 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="conversation-${id}.${markdown ? 'md' : 'json'}"`,
      'x-content-type-options': 'nosniff',
    });
  };
}
