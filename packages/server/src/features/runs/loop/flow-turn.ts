import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ModelMessage } from '../../../drivers/models/driver.ts';
import type { FlowTurn } from '../ports.ts';
import type { RunRow } from '../store.ts';

/** The turn for a flow; undefined when the settings do not let a flow answer. */
export function flowTurnOf(
  { id: run_id, message_id, conversation_id }: Pick<RunRow, 'id' | 'message_id' | 'conversation_id'>,
  settings: Pick<Settings, 'agentflow_enabled' | 'agent_flow_id' | 'chatflow_tools'>,
  context: Pick<FlowTurn, 'brings' | 'note' | 'progress' | 'deadline' | 'signal'> & {
    content: string;
    /** The terms of the calling application, as text. */
    asked: string;
    messages: readonly ModelMessage[];
  },
): FlowTurn | undefined {
  const { agentflow_enabled, agent_flow_id: flow_id, chatflow_tools: tool_types } = settings;
  if (!agentflow_enabled || !flow_id) return undefined;
  const { content: message, asked, messages, ...rest } = context;
  // A flow has no prompt, so the application's terms become the first message. The last message is the current one.
  const history = [...(asked ? [{ role: 'user' as const, text: asked }] : []), ...textsOf(messages).slice(0, -1)];
  return { flow_id, run_id, message_id, conversation_id, message, history, tool_types, ...rest };
}

/** The texts of the conversation, without files, calls and results. */
function textsOf(messages: readonly ModelMessage[]): FlowTurn['history'] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [];
    const text = message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    return text ? [{ role: message.role, text }] : [];
  });
}
