import type { MessagePart } from '../../messages/ports.ts';

/** The texts whose addresses can be read without sending anything out. */
export interface KnownTexts {
  /** The messages of the user. */
  said: string[];
  /** The results of searches in this conversation. */
  found: string[];
}

interface ToolOutput {
  name: string;
  output: string;
}

/** Collects the known texts of a conversation from its messages and from the results of the current run. */
export function collectKnownTexts(parts: readonly MessagePart[], results: readonly ToolOutput[]): KnownTexts {
  const earlier = parts.flatMap((part) =>
    part.type === 'function' ? [{ name: part.name, output: part.content }] : [],
  );
  return {
    // A message that another agent or a workflow wrote after reading something is not the user's own.
    said: parts.flatMap((part) => (part.role === 'user' && !part.brings?.length ? part.content : [])),
    found: [...earlier, ...results].flatMap(({ name, output }) => (name === 'web_research_search' ? output : [])),
  };
}
