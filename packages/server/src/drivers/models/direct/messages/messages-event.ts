import { UnreadableAnswer } from '../../model-errors.ts';
import { isObject, isOptional, type JsonObject } from '../protocol.ts';
import { streamError } from './messages-error.ts';

export interface MessagesUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  output_tokens_details?: { thinking_tokens?: number | null } | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  iterations?: { type: string; input_tokens: number; output_tokens: number }[] | null;
}

export type ContentBlock =
  | { type: 'text' | 'thinking' }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input?: object; caller?: { type?: string } }
  /** A block of the provider's own tools, which are never asked for. */
  | { type: 'other' };

export type MessagesEvent =
  | {
      type: 'message_start';
      id: string | null;
      usage: MessagesUsage;
      stop_reason: string | null;
      calls: ContentBlock[];
    }
  | { type: 'content_block_start'; index: number; block: ContentBlock }
  | { type: 'content_block_delta'; index: number; delta: JsonObject & { type: string } }
  | { type: 'content_block_stop'; index: number }
  | { type: 'message_delta'; stop_reason: string | null; usage: MessagesUsage }
  | { type: 'message_stop' | 'ping' };

const otherBlocks = new Set([
  ...['server_tool_use', 'mcp_tool_use', 'mcp_tool_result', 'web_fetch_tool_result', 'web_search_tool_result'],
  ...['code_execution_tool_result', 'bash_code_execution_tool_result', 'text_editor_code_execution_tool_result'],
  ...['tool_search_tool_result', 'advisor_tool_result', 'compaction', 'fallback'],
]);

const deltaFields: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

function check(condition: boolean): asserts condition {
  if (!condition) throw new UnreadableAnswer();
}

function blockIn(value: unknown): ContentBlock {
  check(isObject(value));
  const { type } = value;
  if (type === 'text' || type === 'thinking') check(typeof value[type] === 'string');
  else if (type === 'redacted_thinking') check(typeof value['data'] === 'string');
  else if (type === 'tool_use') {
    check(typeof value['id'] === 'string' && typeof value['name'] === 'string');
    check(value['input'] === undefined || isObject(value['input']));
  } else {
    check(typeof type === 'string' && otherBlocks.has(type));
    return { type: 'other' };
  }
  return value as unknown as ContentBlock;
}

function usageIn(value: unknown, needed: 'input_tokens' | 'output_tokens'): MessagesUsage {
  check(isObject(value) && typeof value[needed] === 'number');
  const numbers = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  check(numbers.every((name) => isOptional(value[name], 'number')));
  const { output_tokens_details: details, iterations } = value;
  check(details === undefined || details === null || isObject(details));
  check(iterations === undefined || iterations === null || (Array.isArray(iterations) && iterations.every(isObject)));
  return value as MessagesUsage;
}

const stringOrNull = (value: unknown) => {
  check(isOptional(value, 'string'));
  return typeof value === 'string' ? value : null;
};

function indexOf({ index }: JsonObject): number {
  check(typeof index === 'number');
  return index;
}

function deltaIn(value: unknown): JsonObject & { type: string } {
  check(isObject(value) && typeof value['type'] === 'string');
  const field = deltaFields[value['type']];
  check(field !== undefined ? typeof value[field] === 'string' : /^(compaction|citations)_delta$/.test(value['type']));
  return value as JsonObject & { type: string };
}

function startIn(message: unknown): MessagesEvent {
  check(isObject(message));
  const { content } = message;
  check(content === undefined || content === null || Array.isArray(content));
  const calls = (content ?? []).map(blockIn);
  check(calls.every(({ type }) => type === 'tool_use'));
  const usage = usageIn(message['usage'], 'input_tokens');
  const [id, stop_reason] = [stringOrNull(message['id']), stringOrNull(message['stop_reason'])];
  return { type: 'message_start', id, usage, stop_reason, calls };
}

/** Checks the fields of an event that are used. Throws an error event, with the status that it stands for. */
export function readMessagesEvent(data: string): MessagesEvent {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw new UnreadableAnswer();
  }
  check(isObject(value));
  const { type } = value;
  if (type === 'content_block_delta') return { type, index: indexOf(value), delta: deltaIn(value['delta']) };
  if (type === 'content_block_start') return { type, index: indexOf(value), block: blockIn(value['content_block']) };
  if (type === 'content_block_stop') return { type, index: indexOf(value) };
  if (type === 'message_start') return startIn(value['message']);
  if (type === 'message_delta') {
    check(isObject(value['delta']));
    const stop_reason = stringOrNull(value['delta']['stop_reason']);
    return { type, stop_reason, usage: usageIn(value['usage'], 'output_tokens') };
  }
  if (type === 'error') throw streamError(value['error']);
  check(type === 'message_stop' || type === 'ping');
  return { type };
}
