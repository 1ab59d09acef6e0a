import type { Readable } from 'node:stream';
import type { BlobRange } from '../../drivers/blobs/driver.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { FileRow } from './store.ts';

/** The headers of a request for a part of a file. */
export interface RangeRequest {
  range?: string | undefined;
  if_range?: string | undefined;
}

/** The header that makes a browser save the answer; the name stands twice, for clients that only read ASCII. */
export function attachment(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const extended = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

/**
 * The requested range; undefined for the whole file, `unsatisfiable` when the range has no bytes. Anything but a single
 * range is ignored, as HTTP allows, and so is a range of an empty file, which some clients always ask for.
 */
export function rangeOf(range: string | undefined, size: number): BlobRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.replaceAll(/[ \t]/g, '') ?? '');
  if (!match || size === 0) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Sends a file so that no browser runs it as a page of this site: as an attachment, without type sniffing, and in a
 * sandbox if a browser shows it after all.
 */
export async function downloadAnswer(
  row: FileRow,
  { range, if_range }: RangeRequest,
  open: (range: BlobRange | undefined) => Promise<Readable>,
): Promise<RawAnswer> {
  const etag = `"${row.sha256}"`;
  const part = if_range === undefined || if_range === etag ? rangeOf(range, row.size) : undefined;
  if (part === 'unsatisfiable') {
    const body = { detail: `The file has ${row.size} bytes`, code: 'range_not_satisfiable' };
    return new RawAnswer(JSON.stringify(body), { ...jsonHeaders, 'content-range': `bytes */${row.size}` }, 416);
  }
  const length = part ? part.end - part.start + 1 : row.size;
  const headers = {
    'content-type': row.content_type,
    'content-length': String(length),
    'content-disposition': attachment(row.filename),
    'accept-ranges': 'bytes',
    etag,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${row.size}` }),
  };
  return new RawAnswer(await open(part), headers, part ? 206 : 200);
}
