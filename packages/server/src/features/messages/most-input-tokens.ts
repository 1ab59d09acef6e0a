import type { FileContent, ModelMessage, ModelRequest } from '../../drivers/models/driver.ts';
import { estimateMessages } from './estimate-tokens.ts';

/** Tokens that a provider may put around a message or a text. */
const framing = 16;
/** Providers describe the use of tools to the model in words of their own. */
const toolPreamble = 1000;

const filesIn = (message: ModelMessage): FileContent[] =>
  message.role === 'user' ? message.parts.flatMap((part) => (part.type === 'file' ? part : [])) : [];

const withoutFiles = (message: ModelMessage) =>
  message.role === 'user' ? message.parts.filter(({ type }) => type !== 'file') : message;

/**
 * The most tokens that a request can have: tokenizers make no more tokens of a text than it has bytes. Exact budgets need
 * this bound; with estimates many calls at once could pass a limit. What a provider makes of files is its own affair:
 * they count as twice the estimate.
 */
export function mostInputTokens({ system, messages, tools, json_schema }: ModelRequest): number {
  const files = messages.flatMap(filesIn);
  const said = JSON.stringify([system, messages.map(withoutFiles), tools, json_schema ?? null]);
  return (
    Buffer.byteLength(said) +
    framing * (messages.length + 1) +
    (tools.length ? toolPreamble : 0) +
    (files.length ? 2 * estimateMessages([{ role: 'user', parts: files }]) : 0)
  );
}
