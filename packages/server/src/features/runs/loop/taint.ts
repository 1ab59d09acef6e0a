import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { MessagePart } from '../../messages/ports.ts';

const both: readonly Taint[] = ['untrusted', 'private'];

/**
 * The taint of a message from outside. An attached file has both: it is the user's private data, and its author is
 * unknown. Tool results that a client of another protocol sends are assumed to have every taint.
 */
export function broughtBy(part: MessagePart): readonly Taint[] {
  if (part.role === 'user') {
    const { tools = [], continued = [] } = part.client ?? {};
    // Tool descriptions from a client are untrusted, like those of other servers.
    const described: readonly Taint[] = tools.length ? ['untrusted'] : [];
    return [...(part.files?.length ? both : []), ...(part.brings ?? []), ...described, ...continued.flatMap(broughtBy)];
  }
  return part.type === 'function' ? (part.brings ?? both) : [];
}

/** The taint of a stored message. */
export const taintOfStoredParts = (parts: string): readonly Taint[] =>
  parseStored<MessagePart[]>(parts).flatMap(broughtBy);

/** The taint of the tool results of a run, including results that a guardrail withheld. */
export const taintOfEvents = (events: readonly RunEvent[]): readonly Taint[] =>
  events.flatMap((event) => (event.type === 'tool-result' ? (event.brings ?? []) : []));
