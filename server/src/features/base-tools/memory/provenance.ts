import type { Scope } from '../../../lib/scope.ts';
import type { MessagePart } from '../../runs/message-parts.ts';
import type { ToolContext } from '../../runs/offered-tools.ts';

/** Tools whose results hold nothing but what this conversation or the platform itself has said. */
const ours =
  /^(?:clock_now$|todos_|documentation_|memory_remember$|agent_memory_(?:remember|forget)$|files_make_(?:document|table|chart)$|filesystem_(?:list|write)$|image_generation_|human_in_the_loop_)/;

interface Used {
  name: string;
  output: string;
}

/** A memory that says of itself that it is a stranger's carries that on. */
const isRecall = (name: string) => /(?:^|_)memory_recall$/.test(name);
const strange = ({ name, output }: Used) =>
  isRecall(name) ? output.includes('"untrusted":true') : !ours.test(name) && output !== '';

interface Sources {
  /** Stored messages of the conversation. */
  messages(scope: Scope, conversation_id: string): Promise<{ role: string; parts: string }[]>;
  /** What tools have answered in a run that is not over. */
  results(scope: Scope, run_id: string): Promise<Used[]>;
}

/**
 * Whether a conversation has read what anybody may have written. Every tool counts that is not known to bring nothing of
 * the kind, and so do attached files and what is said by whoever holds a link.
 */
export const makeReadUntrusted =
  ({ messages, results }: Sources) =>
  async (scope: Scope, { conversation_id, run_id }: ToolContext): Promise<boolean> => {
    if (scope.actor.kind === 'link') return true;
    if ((await results(scope, run_id)).some(strange)) return true;
    for (const { parts } of await messages(scope, conversation_id))
      for (const part of JSON.parse(parts) as MessagePart[]) {
        if (part.role === 'user' && part.files?.length) return true;
        if (part.type === 'function' && strange({ name: part.name, output: part.content })) return true;
      }
    return false;
  };
