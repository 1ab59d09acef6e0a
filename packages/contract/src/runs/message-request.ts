import type { z } from 'zod';
import { attachmentInput } from '../attachments/schema.ts';
import * as s from '../schema/schema.ts';

/** What a user says, and with what. */
export const messageRequest = s
  .object({
    content: s.str({ min: 1, max: 2_000_000, pattern: /\S/ }),
    tool: s.optional(s.str({ max: 200 })),
    kb_id: s.optional(s.str({ max: 200 })),
    workflow_id: s.optional(s.str({ max: 200 })),
    files: s.optional(s.list(attachmentInput, { max: 50 })),
    model_selection: s.optional(s.list(s.str({ min: 1, max: 200 }), { max: 20 })),
  })
  .meta({ id: 'MessageRequest' });

export type MessageRequest = z.output<typeof messageRequest>;
