import type { ModelMessage } from '../../../drivers/models/driver.ts';
import { estimateMessages } from '../../messages/service.ts';

/** Messages that stay or go together: a tool call and its results are one. */
export interface Unit {
  /** The index of its first message in the whole list; -1 for a note that compaction has written. */
  from: number;
  messages: ModelMessage[];
  tokens: number;
  /** Must be there after compaction: the last user message, open approvals, the to-do list. */
  pinned: boolean;
}

const callsOf = (message: ModelMessage) =>
  message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [];

/** Results belong to the message before them that made the calls; anything else stands alone. */
function grouped(messages: readonly ModelMessage[]): ModelMessage[][] {
  const groups: ModelMessage[][] = [];
  for (const message of messages) {
    const before = groups.at(-1);
    if (message.role === 'tool' && before?.[0] && callsOf(before[0]).length > 0) before.push(message);
    else groups.push([message]);
  }
  return groups;
}

const resultsOf = (group: readonly ModelMessage[]) =>
  group.flatMap((message) => (message.role === 'tool' ? message.results : []));

/** A call without a result waits for an approval or a person's answer. */
export function isOpen(group: readonly ModelMessage[]): boolean {
  const answered = new Set(resultsOf(group).map(({ id }) => id));
  return group.flatMap(callsOf).some(({ id }) => !answered.has(id));
}

const tellsTodos = (group: readonly ModelMessage[]) =>
  resultsOf(group).some(({ name, is_error }) => name.startsWith('todos_') && !is_error);

export function unitsOf(
  messages: readonly ModelMessage[],
  keep: (message: ModelMessage) => boolean = () => false,
): Unit[] {
  const groups = grouped(messages);
  const lastUser = groups.findLastIndex(([first]) => first?.role === 'user');
  // Every todos tool answers with the list as it then is, so the newest answer holds it.
  const todos = groups.findLastIndex(tellsTodos);
  let next = 0;
  return groups.map((group, index) => {
    const from = next;
    next += group.length;
    return {
      from,
      messages: group,
      tokens: estimateMessages(group),
      pinned: index === lastUser || index === todos || isOpen(group) || group.some(keep),
    };
  });
}

export const messagesOf = (units: readonly Unit[]): ModelMessage[] => units.flatMap(({ messages }) => messages);
export const tokensOf = (units: readonly Unit[]): number => units.reduce((sum, { tokens }) => sum + tokens, 0);
