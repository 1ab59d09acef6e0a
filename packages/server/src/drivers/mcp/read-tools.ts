import { isModest } from '@atrium/contract/schema/from-json.ts';
import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import { z } from 'zod';
import type { McpTool } from './driver.ts';

const longestDescription = 4000;

const listedTool = z.looseObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{C}+$/u),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
});

/**
 * Characters that models read but users do not see: tags, zero-width marks, changes of direction, controls. A user who
 * accepts a tool must see everything that a model reads.
 */
const unseen =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;
const seen = (text: string) => text.replace(unseen, (one) => (one === '\n' || one === '\t' ? one : '')).toWellFormed();

/** Removes invisible characters from the descriptions in a schema. Names and values stay, since calls use them. */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const words = typeof value === 'string' && (key === 'description' || key === 'title' || key === '$comment');
      return [key, words ? seen(value) : plainSchema(value)];
    }),
  );
}

/** Reads the tools of a list. An invalid tool is skipped; of two with one name the first counts. */
export function readTools(listed: readonly unknown[]): McpTool[] {
  const tools = new Map<string, McpTool>();
  for (const given of listed) {
    const { data } = listedTool.safeParse(given);
    if (!data || tools.has(data.name) || !isModest(data.inputSchema)) continue;
    tools.set(data.name, {
      name: data.name,
      description: seen(data.description ?? data.title ?? '')
        .slice(0, longestDescription)
        .toWellFormed(),
      input_schema: plainSchema(data.inputSchema) as JsonSchema,
      output_schema: isModest(data.outputSchema) ? data.outputSchema : null,
    });
  }
  return [...tools.values()];
}
