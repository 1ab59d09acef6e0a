import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { ModelMessage } from '../../drivers/models/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Progress } from './loop/progress.ts';
import type { RunRow } from './store.ts';

export { noUsage } from './loop/progress.ts';

/** A turn that something else answers than the free agent loop. */
export interface FlowTurn {
  flow_id: string;
  run_id: string;
  message_id: string;
  conversation_id: string;
  /** What the user said, and what was said before. */
  message: string;
  history: { role: 'user' | 'assistant'; text: string }[];
  /** What the conversation has read before it. */
  brings: readonly Taint[];
  /** Has the conversation remember what the flow reads, for whoever hears the reply. */
  note(brought: readonly Taint[]): Promise<unknown>;
  /** The types of tools that it may call; none: any. */
  tool_types: readonly string[];
  progress: Progress;
  deadline: number;
  signal: AbortSignal;
}

/** Answers a turn in place of the agent loop. */
export type FlowDriver = (scope: Scope, turn: FlowTurn) => AsyncGenerator<RunEvent>;

/** The turn, when the settings have a flow answer it. */
export function flowTurnOf(
  { id: run_id, message_id, conversation_id }: Pick<RunRow, 'id' | 'message_id' | 'conversation_id'>,
  settings: Pick<Settings, 'agentflow_enabled' | 'agent_flow_id' | 'chatflow_tools'>,
  told: Pick<FlowTurn, 'brings' | 'note' | 'progress' | 'deadline' | 'signal'> & {
    content: string;
    /** What the calling application asks for. */
    asked: string;
    messages: readonly ModelMessage[];
  },
): FlowTurn | undefined {
  const { agentflow_enabled, agent_flow_id: flow_id, chatflow_tools: tool_types } = settings;
  if (!agentflow_enabled || !flow_id) return undefined;
  const { content: message, asked, messages, ...rest } = told;
  // A flow has no prompt to put it below: it hears it as the first thing that was said. The last one is the message itself.
  const history = [...(asked ? [{ role: 'user' as const, text: asked }] : []), ...wordsOf(messages).slice(0, -1)];
  return { flow_id, run_id, message_id, conversation_id, message, history, tool_types, ...rest };
}

/** What was said, as a flow is told it: words only. */
function wordsOf(messages: readonly ModelMessage[]): FlowTurn['history'] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [];
    const text = message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    return text ? [{ role: message.role, text }] : [];
  });
}
