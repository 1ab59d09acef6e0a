import { createHash } from 'node:crypto';
import { omit } from '../../lib/omit.ts';
import type { Reach, Tool } from '../tools/ports.ts';
import { describeTool } from '../tools/service.ts';

/** Sorts the keys of all objects, so that equal values give the same text. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, own]) => [key, sortKeys(own)]));
}

/** What a person approves besides the arguments, as it is now. */
export interface ToolState {
  /** Changes with the tool and with everything beneath it. */
  digest: string;
  reach: Reach | undefined;
}

/**
 * Reads the state of a tool: its description, the settings entries that it was made from (a URL, a method, headers), what
 * these refer to, and everything beneath. Secrets are part of the digest as their handles and versions.
 */
export async function readToolState(tool: Tool): Promise<ToolState> {
  const { entries = [], pinned = null } = tool;
  const reach = await tool.reach?.();
  const beneath = reach && { reach: reach.digest };
  const text = JSON.stringify(sortKeys({ ...describeTool(omit(tool, ['sampled'])), entries, pinned, ...beneath }));
  return { digest: createHash('sha256').update(text).digest('base64url'), reach };
}
