import * as z from 'zod';
import { attachmentInput } from '../attachments/schema.ts';
import * as s from '../schema/schema.ts';

export const messageContent = s
  .str({ min: 1, max: 2_000_000, pattern: /\S/ })
  .describe('The text of the message; it may not be blank.');

const modelSelection = s.optional(s.list(s.str({ min: 1, max: 200 }), { max: 20 }));

export const messageRequest = s
  .object({
    content: messageContent,
    tool: s
      .optional(s.str({ max: 200 }))
      .describe(
        'The tool that the user asks for, by its name; the model is told so. A tool that the agent does not have is not called.',
      ),
    kb_id: s
      .optional(s.str({ max: 200 }))
      .describe(
        'A knowledge base that the agent may search in this run. One that the agent does not have already needs `agents_edit` and `kbs_query`.',
      ),
    workflow_id: s
      .optional(s.str({ max: 200 }))
      .describe(
        'A workflow that the agent may run in this run. One that the agent does not have already needs `agents_edit` and `flows_run`.',
      ),
    files: s
      .optional(s.list(attachmentInput, { max: 50 }))
      .describe('Files that the model reads with the message. They are stored as files of the workspace.'),
    model_selection: modelSelection.describe(
      'The models that answer this message, the first that works, in place of those in the settings. Models that the settings do not list need `agents_edit`.',
    ),
  })
  .meta({ id: 'MessageRequest' });

/** Unknown fields are ignored: chat clients send the whole chat along when they ask for another answer. */
export const regenerateRequest = z
  .object({
    model_selection: modelSelection.describe(
      'The models that give this one answer, the first that works, in place of those of the message and the settings, which stay. Models that the settings do not list need `agents_edit`; a choice without a model that is configured is refused with 422.',
    ),
  })
  .meta({ id: 'RegenerateRequest' });

export type MessageRequest = z.output<typeof messageRequest>;
export type RegenerateRequest = z.output<typeof regenerateRequest>;
