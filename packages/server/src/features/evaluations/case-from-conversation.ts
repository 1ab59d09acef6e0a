import { notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MessageRow, Transcript } from '../conversations/ports.ts';
import type { MessagePart } from '../messages/ports.ts';
import type { FindPii } from '../pii/ports.ts';
import type { KnownCase } from './sources/known-case.ts';
import { makeCleaner } from './sources/replace-personal-data.ts';

const mostMessages = 100;
/** How far back a message may lie that a case is made of. */
const furthestBack = 2000;
const mostCalls = 200;

/** Undefined when the user has said nothing in the conversation. With a message, the case ends with its answer. */
export type CaseFromConversation = (
  scope: Scope,
  conversation_id: string,
  message_id?: string,
) => Promise<KnownCase | undefined>;

/** The messages up to the answer that a message belongs to; a message that is not shown is not there. */
function endWithAnswer(messages: readonly MessageRow[], message_id: string): MessageRow[] {
  const at = messages.findIndex(({ id }) => id === message_id);
  if (at < 0) throw notFound('message');
  if (messages[at]?.role === 'assistant') return messages.slice(0, at + 1);
  const next = messages.findIndex(({ role }, index) => index > at && role === 'user');
  return next < 0 ? [...messages] : messages.slice(0, next);
}

/**
 * Makes a case of a conversation: the messages of the user, the last answer as the expected one, and the results of the
 * tools. Personal data is replaced; all the same the case is read and deleted like its conversation until it is released.
 */
export function makeCaseFromConversation(deps: {
  db: Database;
  transcript: Transcript;
  findPii: FindPii;
}): CaseFromConversation {
  const { db, transcript, findPii } = deps;
  return async (scope, conversation_id, message_id) => {
    const { row, settings } = await transcript.read(scope, conversation_id);
    const clean = makeCleaner(findPii, new Set(settings.pii_anonimization.map(({ value }) => value)));
    const limit = message_id === undefined ? mostMessages : furthestBack;
    const latest = await transcript.listLatest(db, scope.workspace_id, conversation_id, limit);
    const messages = message_id === undefined ? latest : endWithAnswer(latest, message_id).slice(-mostMessages);
    const said = messages.map(({ role, parts }) => ({ role, parts: parseStored<MessagePart[]>(parts) }));
    // Advice is for the operator alone, and no part of the answer.
    const textOf = (parts: readonly MessagePart[], type: 'user' | 'text') =>
      parts.flatMap((part) => (part.type === type && !('advice' in part) ? part.content : [])).join('\n');
    const turns = said.flatMap(({ role, parts }) => (role === 'user' ? textOf(parts, 'user') || [] : []));
    if (turns.length === 0) return undefined;
    const last = said.findLast(({ role }) => role === 'assistant');
    const answer = last ? textOf(last.parts, 'text') : '';
    const calls = said.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'function' ? part : [])));
    return {
      ...{ id: newId(), origin: 'conversation', conversation_id },
      name: await clean.text(row.name ?? 'Conversation'),
      messages: await Promise.all(turns.slice(-50).map(clean.text)),
      ...(answer && { expected: await clean.text(answer) }),
      match: 'similar',
      tools: await Promise.all(
        calls.slice(-mostCalls).map(async ({ name, arguments: input, content, is_error }) => ({
          name,
          input: await clean.json(JSON.stringify(input)),
          output: await clean.json(content),
          is_error,
        })),
      ),
    };
  };
}
