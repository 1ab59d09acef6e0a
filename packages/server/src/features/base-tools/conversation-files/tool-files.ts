import type { ToolFile } from '@atrium/contract/tools/tool-result.ts';
import { z } from 'zod';

/** A file in the output of a tool. */
export const toolFile = z.object({
  id: z.string(),
  name: z.string(),
  size: z.int(),
  type: z.string(),
  url: z.string(),
  inline: z.boolean(),
});

const holding = z.object({ files: z.array(toolFile) });

/** The files of an output that has them under `files`. */
export function filesIn(output: unknown): readonly ToolFile[] {
  const parsed = holding.safeParse(output);
  return parsed.success ? parsed.data.files : [];
}
