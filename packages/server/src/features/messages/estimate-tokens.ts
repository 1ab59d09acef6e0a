import type { FileContent, ModelMessage, ModelTool } from '../../drivers/models/driver.ts';

/**
 * How many tokens a text is, guessed without a tokenizer and on the safe side: every model cuts differently, and a guess
 * that is a little high costs a little room while one that is low costs a refused request.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    run = code > 32 && code < 127 ? run + 1 : 0;
    // Long runs without a space are keys, addresses or base64, which no tokenizer has words for.
    quarters += run > 24 ? 3 : weightOf(code);
  }
  return Math.ceil(quarters / 4);
}

/** Quarters of a token for one UTF-16 unit. */
function weightOf(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code === 32) return 1;
  if (code < 128) return 2;
  // Latin with marks, Greek, Cyrillic, Hebrew, Arabic.
  if (code < 0x0780) return 2;
  // Surrogates come in pairs: an emoji or a rare ideograph is about three tokens.
  if (code >= 0xd800 && code <= 0xdfff) return 6;
  // Indic and South-East Asian scripts, kana, Han, Hangul and the rest: about one each.
  return 4;
}

const imageTokens = 2_000;
const pageTokens = 2_500;
const knownFiles = new WeakMap<FileContent, number>();

/** A file as the model reads it; worked out once, since it is asked for before every call. */
export function estimateFile(file: FileContent): number {
  const known = knownFiles.get(file);
  if (known !== undefined) return known;
  const tokens = 20 + estimateTokens(file.filename) + contentTokens(file);
  knownFiles.set(file, tokens);
  return tokens;
}

function contentTokens({ media_type, data }: FileContent): number {
  if (media_type.startsWith('image/')) return imageTokens;
  if (media_type === 'application/pdf') return pagesOf(data) * pageTokens;
  // About 30 tokens a second of sound at 128 kbit/s, ten times that for pictures that move.
  if (media_type.startsWith('audio/')) return Math.ceil(data.byteLength / 500);
  if (media_type.startsWith('video/')) return Math.ceil(data.byteLength / 400);
  return estimateTokens(new TextDecoder().decode(data));
}

/** Pages that can be counted from outside; a file that hides them in packed objects is guessed by its size. */
function pagesOf(data: Uint8Array): number {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let pages = 0;
  for (let at = bytes.indexOf('/Type'); at !== -1; at = bytes.indexOf('/Type', at + 5))
    if (/^\/Type\s*\/Page(?!s)/.test(bytes.toString('latin1', at, at + 16))) pages++;
  return pages || Math.min(100, Math.max(1, Math.ceil(bytes.length / 30_000)));
}

const framing = 4;

function estimateMessage(message: ModelMessage): number {
  if (message.role === 'tool')
    return message.results.reduce(
      (sum, { output, name, id }) => sum + 2 * framing + estimateTokens(output + name + id),
      0,
    );
  return message.parts.reduce((sum, part) => {
    if (part.type === 'text') return sum + estimateTokens(part.text);
    if (part.type === 'file') return sum + estimateFile(part);
    return sum + 2 * framing + estimateTokens(part.id + part.name + (JSON.stringify(part.input) ?? ''));
  }, framing);
}

export const estimateMessages = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0);

const estimates = new WeakMap<ModelTool, number>();
/** Of tools whose description has no data, by their schemas: those are the same objects in every run. */
const plainEstimates = new WeakMap<object, { tool: ModelTool; estimate: number }>();
const isPlain = ({ covered, data }: ModelTool) => data === undefined && !covered?.length;
const isSameText = (one: ModelTool, other: ModelTool) =>
  one.name === other.name &&
  one.description === other.description &&
  one.origin === other.origin &&
  one.strict === other.strict &&
  (one.covered === undefined) === (other.covered === undefined);

/** Tools are the same in every step of a run, and their schemas are long. */
function estimateTool(tool: ModelTool): number {
  const known = estimates.get(tool);
  if (known !== undefined) return known;
  const plain = isPlain(tool) ? plainEstimates.get(tool.input_schema) : undefined;
  const estimate =
    plain && isSameText(plain.tool, tool) ? plain.estimate : 2 * framing + estimateTokens(JSON.stringify(tool));
  estimates.set(tool, estimate);
  if (isPlain(tool)) plainEstimates.set(tool.input_schema, { tool, estimate });
  return estimate;
}

/** Descriptions and schemas are part of every prompt. */
export const estimateTools = (tools: readonly ModelTool[]): number =>
  tools.reduce((sum, tool) => sum + estimateTool(tool), 0);
