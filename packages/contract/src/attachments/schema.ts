import type * as z from 'zod';
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
) as unknown as z.ZodType<Uint8Array, string>;

const needed = 'one of b64_content, url or id is needed';

export const attachmentInput = s
  .object({
    status: s
      .withDefault(s.oneOf(['success']), 'success')
      .describe('Always `success`; accepted because clients send it.'),
    name: s.optional(s.str({ max: 1000 })).describe('The name of the file; needed with `b64_content`.'),
    b64_content: s.optional(base64).describe('The bytes of the file in standard base64.'),
    url: s
      .optional(s.str())
      .describe('Where to fetch the file: `https://…`, a `data:` URL, or `store://<id>` of a stored file.'),
    id: s
      .optional(s.uuid('file'))
      .describe(
        "The id of a stored file, which needs `files_read`. Beside bytes or a URL it is the sender's own and ignored.",
      ),
    size: s.withDefault(s.int({ ge: 0 }), 1).describe('Ignored: the size is taken from the bytes.'),
    type: s.withDefault(s.str({ max: 255 }), '').describe('Ignored: the media type is detected from the bytes.'),
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
