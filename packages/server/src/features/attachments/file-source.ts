import type { AttachmentInput } from '@atrium/contract/attachments/schema.ts';
import type { ValidationError } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import type { MessageFile } from '../messages/ports.ts';

/** A stored file as a message keeps it. */
export const partOf = ({ id, filename, size, content_type, uri }: File): MessageFile => ({
  id,
  name: filename,
  size,
  type: content_type,
  status: 'success',
  url: uri,
});

/** How we refer to a stored file ourselves; clients send back what they got. */
const ownUrl = /^(?:store:\/\/|\/v1\/files?\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

type Source = { id: string } | { bytes: Uint8Array } | { url: string };

/** Where the bytes of a file in a message are. */
export function sourceOf({ b64_content, url, id }: AttachmentInput): Source {
  if (b64_content?.length || (b64_content && !url && id === undefined)) return { bytes: b64_content };
  if (!url) return { id: id as string };
  const own = ownUrl.exec(url)?.[1];
  return own ? { id: own.toLowerCase() } : { url };
}

export const validationErrorAt = (loc: string[], error: string, input: string): ValidationError => ({
  loc,
  msg: `Value error, ${error}`,
  type: 'value_error',
  // An address can be as long as a file.
  input: input.length > 500 ? `${input.slice(0, 500)}…` : input,
  ctx: { error },
});
