import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import { appendToolHints, type ModelMessage } from '../../../drivers/models/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Attachments } from '../../attachments/service.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { ClientTerms, UserPart } from '../../messages/ports.ts';
import { textsOfClientTerms } from '../../messages/service.ts';
import type { RunModels } from '../models/models-for-run.ts';
import type { RunRow } from '../store.ts';
import { maxHistoryMessages, modelHistory } from './model-history.ts';

/** Names the tool that the user chose to the built-in model, which cannot know it otherwise. */
function hinted(messages: ModelMessage[], part: UserPart): ModelMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return messages;
  const at = last.parts.findLastIndex(({ type }) => type === 'text');
  const parts = last.parts.map((own, index) =>
    own.type === 'text' && index === at ? { ...own, text: appendToolHints(own.text, part) } : own,
  );
  return [...messages.slice(0, -1), { role: 'user', parts }];
}

/** The texts of files in the newest message: untrusted, like tool results. */
export function attachedText(messages: readonly ModelMessage[]): string {
  const last = messages.at(-1);
  const texts = last?.role === 'user' ? last.parts.flatMap((part) => (part.type === 'text' ? part.text : [])) : [];
  // The last one is the message of the user.
  return texts.slice(0, -1).join('\n\n');
}

/**
 * The conversation, instructions and tools that a client of another protocol sends with its message. Replies count too:
 * the client wrote them, so nothing proves that a model of this workspace generated them.
 */
export function textFromClient(messages: readonly ModelMessage[], terms: ClientTerms): string {
  const texts = messages.flatMap((message) => {
    if (message.role === 'tool') return message.results.map(({ output }) => output);
    return message.parts.flatMap((part): string[] => {
      if (part.type === 'text') return [part.text];
      return part.type === 'tool-call' ? [JSON.stringify(part.input)] : [];
    });
  });
  return [...textsOfClientTerms(terms), ...texts].join('\n\n');
}

/** The user message that was just stored; in a new conversation it is the whole history. */
const said = (run: RunRow) => ({
  ...{ id: run.user_message_id, role: 'user' as const, parts: JSON.stringify([run.input]), metadata: null },
});

/** Loads the messages before a run, as its model reads them. */
export function makeHistoryLoader(deps: { db: Database; transcript: Transcript; attachments: Attachments }) {
  const { db, transcript, attachments } = deps;
  return async (
    scope: Scope,
    run: RunRow,
    settings: Settings,
    models: RunModels,
    first: boolean,
  ): Promise<ModelMessage[]> => {
    const all = first
      ? [said(run)]
      : await transcript.listLatest(db, run.group_id, run.conversation_id, maxHistoryMessages);
    // A run that has waited for people has stored its own message; its log has the content.
    const rows = all.filter(({ id }) => id !== run.message_id);
    const messages = await modelHistory(rows, (files, is_last) =>
      attachments.forModel(scope, files, {
        vision: models.vision,
        // A file of long ago must not block the conversation because the setting or the model has changed since.
        convert_unsupported_files_to_text: settings.convert_unsupported_files_to_text || !is_last,
      }),
    );
    return models.extractive ? hinted(messages, run.input as unknown as UserPart) : messages;
  };
}
