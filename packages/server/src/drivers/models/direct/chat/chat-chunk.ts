import { UnreadableAnswer } from '../../model-errors.ts';
import { isObject, isOptional, type JsonObject } from '../protocol.ts';

export interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
}

export interface ChatCallDelta {
  index?: number | null;
  id?: string | null;
  function: { name?: string | null; arguments?: string | null };
  extra_content?: { google?: { thought_signature?: string | null } | null } | null;
}

export interface ChatDelta {
  content?: string | JsonObject[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  refusal?: unknown;
  tool_calls?: ChatCallDelta[] | null;
}

export interface ChatChunk {
  choices: { delta?: ChatDelta | null; finish_reason?: string | null }[];
  usage?: ChatUsage | null;
}

const isNothing = (value: unknown) => value === undefined || value === null;

const hasNumbers = (value: unknown, names: readonly string[]) =>
  isNothing(value) || (isObject(value) && names.every((name) => isOptional(value[name], 'number')));

const isUsage = (value: unknown) =>
  isNothing(value) ||
  (isObject(value) &&
    hasNumbers(value, ['prompt_tokens', 'completion_tokens', 'total_tokens']) &&
    hasNumbers(value['prompt_tokens_details'], ['cached_tokens']) &&
    hasNumbers(value['completion_tokens_details'], [
      ...['reasoning_tokens', 'accepted_prediction_tokens', 'rejected_prediction_tokens'],
    ]));

function isCall(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['function'])) return false;
  const { name, arguments: json } = value['function'];
  const extra = value['extra_content'];
  if (!isNothing(extra)) {
    if (!isObject(extra)) return false;
    const { google } = extra;
    if (!isNothing(google) && !(isObject(google) && isOptional(google['thought_signature'], 'string'))) return false;
  }
  return (
    isOptional(value['index'], 'number') &&
    isOptional(value['id'], 'string') &&
    isOptional(name, 'string') &&
    isOptional(json, 'string')
  );
}

const isContent = (value: unknown) =>
  isOptional(value, 'string') ||
  (Array.isArray(value) && value.every((part) => isObject(part) && typeof part['type'] === 'string'));

function isDelta(value: unknown): boolean {
  if (isNothing(value)) return true;
  if (!isObject(value)) return false;
  const { role, content, reasoning_content, reasoning, tool_calls } = value;
  return (
    (isNothing(role) || role === 'assistant' || role === '') &&
    isContent(content) &&
    isOptional(reasoning_content, 'string') &&
    isOptional(reasoning, 'string') &&
    (isNothing(tool_calls) || (Array.isArray(tool_calls) && tool_calls.every(isCall)))
  );
}

const isChoice = (value: unknown) =>
  isObject(value) && isDelta(value['delta']) && isOptional(value['finish_reason'], 'string');

const isChunk = (value: JsonObject) =>
  isOptional(value['id'], 'string') &&
  isOptional(value['created'], 'number') &&
  isOptional(value['model'], 'string') &&
  Array.isArray(value['choices']) &&
  value['choices'].every(isChoice) &&
  isUsage(value['usage']);

/** What a server says about an error, inside a stream or instead of one; undefined when it has another shape. */
export function chatError(value: unknown): { message: string; code?: unknown } | undefined {
  if (!isObject(value) || !isObject(value['error'])) return undefined;
  const { message, type, code } = value['error'];
  if (typeof message !== 'string' || !isOptional(type, 'string')) return undefined;
  return isOptional(code, 'string') || typeof code === 'number' ? { message, code } : undefined;
}

/** Checks the fields that are used, so that a server of another protocol is noticed. Throws the error of an error chunk. */
export function readChatChunk(data: string): ChatChunk {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw new UnreadableAnswer();
  }
  if (isObject(value) && isChunk(value)) {
    if ('error' in value) throw value['error'];
    return value as unknown as ChatChunk;
  }
  throw chatError(value) ?? new UnreadableAnswer();
}
