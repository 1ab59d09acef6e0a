import type { Brought, Tool } from '../../lib/tool.ts';
import type { MessagePart } from './message-parts.ts';

const both: readonly Brought[] = ['untrusted', 'private'];

/**
 * What a part of a message has brought into its conversation. A file that came with a message is both: its user's own,
 * and written by anybody. Of a result that was stored without saying it, its tool tells; of a tool that nobody knows any
 * more, or that a client of another protocol ran, the worst is thought.
 */
function broughtBy(part: MessagePart, tools: ReadonlyMap<string, Tool>): readonly Brought[] {
  if (part.role === 'user') return [...(part.files?.length ? both : []), ...(part.brings ?? [])];
  if (part.type !== 'function') return [];
  return part.brings ?? (tools.has(part.name) ? (tools.get(part.name)?.brings ?? []) : both);
}

/** What stands in a conversation before a run, and in what it is told of its tools: the model may read all of it. */
export function taintOf(messages: readonly { parts: string }[], tools: readonly Tool[]): Set<Brought> {
  const known = new Map(tools.map((tool) => [tool.tool, tool]));
  const told: Brought[] = tools.some(({ foreign }) => foreign) ? ['untrusted'] : [];
  return new Set([
    ...told,
    ...messages.flatMap(({ parts }) => (JSON.parse(parts) as MessagePart[]).flatMap((part) => broughtBy(part, known))),
  ]);
}
