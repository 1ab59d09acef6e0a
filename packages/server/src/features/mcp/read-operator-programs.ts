import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { OperatorPrograms } from './programs.ts';

const programsFile = z.strictObject({
  mcpServers: z.record(
    z.string().regex(/^[\w.-]{1,100}$/),
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
      /** Ids of the workspaces that have it, or `*` for all; administrators give it to others. */
      workspaces: z
        .array(z.union([z.literal('*'), z.guid('not the id of a workspace; give ids or "*" for all')]))
        .default([]),
    }),
  ),
});

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`ATRIUM_MCP_CONFIG: ${file} can't be read as JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Programs start from the operator's file only; no request can change it. */
export function readOperatorPrograms(file: string | undefined): OperatorPrograms {
  if (file === undefined) return new Map();
  const read = programsFile.safeParse(readJson(file));
  if (!read.success) throw new Error(`ATRIUM_MCP_CONFIG: ${z.prettifyError(read.error)}`);
  const entries = Object.entries(read.data.mcpServers);
  return new Map(
    entries.map(([name, { workspaces, ...program }]) => [
      name,
      { workspaces, target: { kind: 'program' as const, ...program } },
    ]),
  );
}
