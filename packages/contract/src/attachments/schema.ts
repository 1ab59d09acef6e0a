import type { z } from 'zod';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';
import { decodeBase64 } from './base64.ts';

const error = 'it is not standard base64';

/** A file's bytes as base64. Write-only, so that a refused request does not send megabytes back. */
export const base64 = scalar(
  { type: 'string', contentEncoding: 'base64', writeOnly: true },
  (input): Uint8Array | ReturnType<typeof refuse> => {
    if (typeof input !== 'string') return refuse('string_type', 'Input should be a valid string');
    return decodeBase64(input) ?? refuse('base64_decode', `Base64 decoding error: '${error}'`, { error });
  },
);

const needed = 'one of b64_content, url or id is needed';

/** A file in a message: its bytes, where to fetch them, or the id of one that is stored. */
export const attachmentInput = s
  .object({
    status: s.withDefault(s.oneOf(['success']), 'success'),
    name: s.optional(s.str({ max: 1000 })),
    b64_content: s.optional(base64),
    url: s.optional(s.str()),
    /** Of a stored file, when it stands alone; beside bytes or an address it is the sender's own name for it. */
    id: s.optional(s.uuid('file')),
    /** What the sender takes it for. The bytes themselves say how many and what they are. */
    size: s.withDefault(s.int({ ge: 0 }), 1),
    type: s.withDefault(s.str({ max: 255 }), ''),
  })
  .superRefine((item, context) => {
    if (item.b64_content === undefined && !item.url && item.id === undefined)
      context.addIssue({ code: 'custom', message: needed });
    else if (item.b64_content !== undefined && item.name === undefined)
      context.addIssue({
        code: 'custom',
        path: ['name'],
        params: { refusal: { type: 'missing', msg: 'Field required' } },
      });
  })
  .meta({ id: 'MessageFileInput' });

export type AttachmentInput = z.output<typeof attachmentInput>;
