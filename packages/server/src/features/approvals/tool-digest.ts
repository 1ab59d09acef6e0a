import { createHash } from 'node:crypto';
import type { Tool } from '../tools/ports.ts';
import { describeTool } from '../tools/service.ts';

/** The same text for the same value, in whichever order its keys were written. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, own]) => [key, settled(own)]));
}

/**
 * What a person agrees to besides the arguments: what the tool says of itself, the entries of settings it was made from
 * (an address, a method, headers) and what these stand for. Secrets are in it as their handles.
 */
export function digestTool(tool: Tool): string {
  const { entries = [], pinned = null } = tool;
  const text = JSON.stringify(settled({ ...describeTool(tool), entries, pinned }));
  return createHash('sha256').update(text).digest('base64url');
}
