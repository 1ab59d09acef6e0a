import { createHash } from 'node:crypto';
import { omit } from '../../lib/omit.ts';
import type { Tool } from '../tools/ports.ts';
import { describeTool } from '../tools/service.ts';

/** Sorts the keys of all objects, so that equal values give the same text. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, own]) => [key, sortKeys(own)]));
}

/**
 * A digest of what a person approves besides the arguments: the tool's description, the settings entries that it was made
 * from (a URL, a method, headers) and what these refer to. Secrets are part of it as their handles.
 */
export function digestTool(tool: Tool): string {
  const { entries = [], pinned = null } = tool;
  const text = JSON.stringify(sortKeys({ ...describeTool(omit(tool, ['sampled'])), entries, pinned }));
  return createHash('sha256').update(text).digest('base64url');
}
