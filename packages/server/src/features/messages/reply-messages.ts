import type { ModelMessage, ToolCallContent, ToolResultContent } from '../../drivers/models/driver.ts';
import type { MessagePart } from './ports.ts';

/**
 * A stored reply as model messages: for each step its text and tool calls in one message, the results in the next.
 * Reasoning, errors and advice to the operator are left out.
 */
export function replyMessages(parts: readonly MessagePart[]): ModelMessage[] {
  const steps = new Map<number, { texts: string[]; calls: ToolCallContent[]; results: ToolResultContent[] }>();
  for (const part of parts) {
    if (part.role === 'user' || part.type === 'error') continue;
    const step = steps.get(part.step) ?? { texts: [], calls: [], results: [] };
    steps.set(part.step, step);
    if (part.type === 'text' && !part.advice) step.texts.push(part.content);
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
