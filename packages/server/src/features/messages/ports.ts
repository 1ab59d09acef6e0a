import type { UiMessage } from '@atrium/contract/conversations/schema.ts';
import type { ApprovalReason, GuardAction } from '@atrium/contract/runs/events.ts';
import type { Taint, ToolProgress, ToolSource } from '@atrium/contract/tools/tool-result.ts';
import type { ModelMessage, ToolCallContent, ToolResultContent } from '../../drivers/models/driver.ts';
import type { ClientTerms } from './client-terms.ts';

/** A stored message, as far as it is shown. */
export interface StoredMessage {
  id: string;
  role: UiMessage['role'];
  created_at: string;
  /** JSON text of the list of its parts. */
  parts: string;
  /** JSON text. */
  metadata: string | null;
}

/** A part of a stored message. The text of a message stands here and nowhere else. */
export type MessagePart =
  | UserPart
  | { role: 'assistant'; type: 'text' | 'reasoning' | 'footer'; content: string; step: number }
  | {
      role: 'function';
      type: 'function';
      /** The result, as the model got it. */
      content: string;
      step: number;
      name: string;
      tool_call_id: string;
      arguments: unknown;
      is_error: boolean;
      /** What it brought into the conversation. */
      brings?: readonly Taint[];
    }
  | ({ role: 'assistant'; type: 'source'; content: string; step: number } & Omit<ToolSource, 'quote'>)
  /** A file that a tool made. */
  | { role: 'assistant'; type: 'file'; content: ''; step: number; files: [MessageFile]; inline: boolean }
  | { role: 'assistant'; type: 'workflow_progress'; content: string; step: number; progress: ToolProgress }
  /** The flow that drives the conversation went from one of its nodes to another. */
  | { role: 'assistant'; type: 'state_transition'; content: string; step: number; id: string; from: string; to: string }
  /** What the step said was withheld by a guardrail; it is kept nowhere. */
  | { role: 'assistant'; type: 'withheld'; content: ''; step: number; categories: string[]; action: GuardAction }
  | { role: 'assistant'; type: 'handover'; content: string; step: number }
  /** That people were asked before a call was made; `decision` is null while nobody has said anything. */
  | {
      role: 'assistant';
      type: 'approval';
      content: '';
      step: number;
      id: string;
      tool_call_id: string;
      reason: ApprovalReason;
      expires_at: string;
      decision: 'approve' | 'reject' | null;
      note: string | null;
    }
  /** What users were told while a person was asked. */
  | { role: 'assistant'; type: 'human-request'; content: string; step: number; id: string; question: string }
  | { role: 'assistant'; type: 'error'; content: string; code: string };

export interface MessageFile {
  id: string;
  name: string;
  size: number;
  type: string;
  status: 'success';
  url: string;
}

export interface UserPart {
  role: 'user';
  type: 'user';
  content: string;
  tool?: string;
  kb_id?: string;
  workflow_id?: string;
  model_selection?: string[];
  files?: MessageFile[];
  /** What went into these words, when another run wrote them. */
  brings?: readonly Taint[];
  client?: ClientTerms;
}

/**
 * A stored reply as the model said it: for each step its text and tool calls in one message, the results in the next.
 * Reasoning and errors are not said again.
 */
export function replyMessages(parts: readonly MessagePart[]): ModelMessage[] {
  const steps = new Map<number, { texts: string[]; calls: ToolCallContent[]; results: ToolResultContent[] }>();
  for (const part of parts) {
    if (part.role === 'user' || part.type === 'error') continue;
    const step = steps.get(part.step) ?? { texts: [], calls: [], results: [] };
    steps.set(part.step, step);
    if (part.type === 'text') step.texts.push(part.content);
    if (part.type === 'function') {
      step.calls.push({ type: 'tool-call', id: part.tool_call_id, name: part.name, input: part.arguments });
      step.results.push({ id: part.tool_call_id, name: part.name, output: part.content, is_error: part.is_error });
    }
  }
  return [...steps.values()].flatMap(({ texts, calls, results }): ModelMessage[] => {
    const text = texts.join('');
    if (!text && calls.length === 0) return [];
    const said: ModelMessage = {
      role: 'assistant',
      parts: [...(text ? [{ type: 'text' as const, text }] : []), ...calls],
    };
    return results.length ? [said, { role: 'tool', results }] : [said];
  });
}
