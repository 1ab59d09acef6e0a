import type { Readable } from 'node:stream';
import { AppError } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import { NotExtractable } from '../../../drivers/extractors/driver.ts';
import { type Web, WebRefused } from '../../../drivers/web/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';

export interface Source {
  /** The caller reads it to the end or destroys it. */
  content: Readable;
  filename: string;
  content_type: string;
  size: number;
}

const mostBytes = 100 * 1024 * 1024;

/** A source that can't be read; users see the message. */
export class SourceMissing extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

async function fromWeb(web: Web, url: string, name: string, signal: AbortSignal): Promise<Source> {
  try {
    const answer = await web.fetch(url, { max_bytes: mostBytes, timeout_ms: 60_000, signal });
    if (answer.status >= 400) {
      answer.body.destroy();
      throw new SourceMissing('not_fetched', `The address answered ${answer.status}`);
    }
    const content_type = answer.headers['content-type'] ?? '';
    return { content: answer.body, filename: name, content_type, size: Number(answer.headers['content-length'] ?? 0) };
  } catch (error) {
    if (error instanceof WebRefused)
      throw new SourceMissing(error.code, `The address could not be fetched: ${error.message}`);
    throw error;
  }
}

/** Opens the bytes of a document: its file, or else its web address. */
export async function openSource(
  { files, web }: { files: Files; web: Web },
  scope: Scope,
  document: { name: string; file_id: string | null; source_url: string | null },
  file: File | undefined,
): Promise<Source> {
  if (document.file_id === null) {
    if (document.source_url === null) throw new SourceMissing('no_source', 'There is no file to train from');
    return fromWeb(web, document.source_url, document.name, scope.signal);
  }
  const deleted = new SourceMissing('file_gone', 'Its file was deleted');
  if (!file) throw deleted;
  try {
    const content = await files.bytes(scope, file);
    return { content, filename: file.filename, content_type: file.content_type, size: file.size };
  } catch (error) {
    throw error instanceof AppError && error.kind === 'not_found' ? deleted : error;
  }
}

/** Why a document has no text, for the user; undefined for an internal error. */
export function reasonOf(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof SourceMissing) return { code: error.code, message: error.message };
  if (error instanceof WebRefused) return { code: error.code, message: error.message };
  if (error instanceof NotExtractable) return { code: error.code, message: `It could not be read: ${error.message}` };
  return undefined;
}
