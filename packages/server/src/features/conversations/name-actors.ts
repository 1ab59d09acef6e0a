import type { ActorName } from '@atrium/contract/actor.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { readActors } from '../actors/service.ts';
import type { MessageRow } from './message-store.ts';
import type { NamedMessage, OpenConversation } from './ports.ts';

type Unnamed = Omit<OpenConversation, 'created_by_actor'>;

/** Metadata names an actor only where a person answered in place of the agent. */
const answererOf = ({ metadata }: MessageRow): string | null =>
  metadata?.includes('"answered_by"') ? (JSON.parse(metadata).answered_by ?? null) : null;

const nameMessage = (
  message: MessageRow,
  conversation_id: string,
  actorOf: (id: string) => ActorName,
): NamedMessage => {
  const { written_by, metadata } = message;
  const answerer = answererOf(message);
  // A guest is known by the conversation that the link opens.
  const writer =
    written_by === conversation_id
      ? { id: written_by, name: null, kind: 'link' as const }
      : written_by && actorOf(written_by);
  return {
    ...message,
    written_by_actor: writer || null,
    metadata: answerer
      ? JSON.stringify({ ...JSON.parse(metadata ?? '{}'), answered_by_actor: actorOf(answerer) })
      : metadata,
  };
};

const idsIn = (messages: readonly MessageRow[]) =>
  messages.flatMap((message) => [message.written_by, answererOf(message)]);

/** Messages with their writers, read in one statement. */
export async function nameWriters(on: Db, scope: Scope, conversation_id: string, messages: readonly MessageRow[]) {
  const actorOf = await readActors(on, scope, idsIn(messages));
  return messages.map((message) => nameMessage(message, conversation_id, actorOf));
}

/** A conversation and its messages with everybody that they name. */
export async function nameConversation<T extends Unnamed>(
  on: Db,
  scope: Scope,
  row: T,
  messages: readonly MessageRow[],
) {
  const actorOf = await readActors(on, scope, [row.created_by, ...idsIn(messages)]);
  return {
    row: { ...row, created_by_actor: row.created_by === null ? null : actorOf(row.created_by) },
    messages: messages.map((message) => nameMessage(message, row.id, actorOf)),
  };
}
