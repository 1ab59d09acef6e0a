import type { Readable } from 'node:stream';
import type { BlobRange } from '../../drivers/blobs/driver.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { FileRow } from './store.ts';

/** What a caller wants of a file: the headers of its request. */
export interface Wanted {
  range?: string | undefined;
  if_range?: string | undefined;
}

/** The name a browser saves the answer under; twice, for those that only read ASCII. */
export function attachment(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const extended = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

/**
 * The bytes asked for; undefined for all of them, `unsatisfiable` when there are none. What is not one range of bytes is
 * ignored, as HTTP allows; so is any range of an empty file, which some clients ask for whatever they get.
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
 * A file as an answer. Whatever it holds, no browser runs it as a page of ours: it is saved, not shown, its type is not
 * guessed at, and it is shut in should something show it after all.
 */
export async function downloadAnswer(
  row: FileRow,
  { range, if_range }: Wanted,
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
