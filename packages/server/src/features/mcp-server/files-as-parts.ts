import { buffer } from 'node:stream/consumers';
import { AppError } from '@atrium/contract/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Files } from '../files/service.ts';
import type { MessageFile } from '../messages/ports.ts';
import type { ExposedToolPart } from './ports.ts';

/** The most bytes of files in one answer; clients download larger files by id. */
const mostBytes = 4 * 1024 * 1024;

const isText = (type: string) => /^(?:text\/|application\/json\b)/.test(type);

/** The files of a reply as parts of the result, as far as they fit; the result's data names all of them. */
export async function filesAsParts(
  scope: Scope,
  files: Pick<Files, 'read'>,
  made: readonly MessageFile[],
): Promise<ExposedToolPart[]> {
  const parts: ExposedToolPart[] = [];
  let left = mostBytes;
  for (const { id, size, type } of made) {
    if (size > left) continue;
    left -= size;
    try {
      const bytes = await buffer(await files.read(scope, id));
      const kind = type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : undefined;
      const resource = { uri: `atrium://files/${id}`, mimeType: type };
      if (kind) parts.push({ type: kind, data: bytes.toString('base64'), mimeType: type });
      else if (isText(type)) parts.push({ type: 'resource', resource: { ...resource, text: bytes.toString('utf8') } });
      else parts.push({ type: 'resource', resource: { ...resource, blob: bytes.toString('base64') } });
    } catch (error) {
      // The file was deleted meanwhile; the reply stands without it.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return parts;
}
