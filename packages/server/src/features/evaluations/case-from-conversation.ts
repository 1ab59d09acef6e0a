import { notFound } from '@atrium/contract/errors.ts';
import type { EvaluationCase } from '@atrium/contract/evaluations/schema.ts';
import { type PiiEntity, piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import type { Database } from '../../db/database.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MessageRow, Transcript } from '../conversations/ports.ts';
import type { MessagePart } from '../messages/ports.ts';
import type { FindPii } from '../pii/ports.ts';
import { anonymize } from '../pii/service.ts';

/** Entities that a question needs and that identify no person: replaced only where the agent anonymizes them too. */
const neededByQuestions: readonly PiiEntity[] = ['DATE_TIME', 'LOCATION', 'URL'];

const mostMessages = 100;
/** How far back a message may lie that a case is made of. */
const furthestBack = 2000;
const longest = 20_000;
const mostCalls = 200;

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Undefined when the user has said nothing in the conversation. With a message, the case ends with its answer. */
export type CaseFromConversation = (
  scope: Scope,
  conversation_id: string,
  message_id?: string,
) => Promise<EvaluationCase | undefined>;

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
 * tools. The case outlives the conversation, so personal data is replaced.
 */
export function makeCaseFromConversation(deps: {
  db: Database;
  transcript: Transcript;
  findPii: FindPii;
}): CaseFromConversation {
  const { db, transcript, findPii } = deps;
  return async (scope, conversation_id, message_id) => {
    const { row, settings } = await transcript.read(scope, conversation_id);
    const hidden = new Set(settings.pii_anonimization.map(({ value }) => value));
    const replaced = piiEntities.filter((entity) => hidden.has(entity) || !neededByQuestions.includes(entity));
    const clean = async (text: string) =>
      anonymize(text.slice(0, longest), await findPii(text.slice(0, longest), replaced));
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
      name: await clean(row.name ?? 'Conversation'),
      messages: await Promise.all(turns.slice(-50).map(clean)),
      ...(answer && { expected: await clean(answer) }),
      match: 'similar',
      tools: await Promise.all(
        calls.slice(-mostCalls).map(async ({ name, arguments: input, content, is_error }) => ({
          name,
          input: parseJsonOrText(await clean(JSON.stringify(input))),
          output: parseJsonOrText(await clean(content)),
          is_error,
        })),
      ),
    };
  };
}
