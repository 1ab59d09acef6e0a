import { randomUUID } from 'node:crypto';
import {
  completedPage,
  copiedPage,
  deletedPage,
  errorPage,
  objectsPage,
  partsPage,
  type StoredObject,
  storedObject,
  type Upload,
  uploadPage,
  uploadsPage,
} from './stored-objects.ts';

export interface Bucket {
  objects: Map<string, StoredObject>;
  uploads: Map<string, Upload>;
}

export interface Asked {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

export interface Answered {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Faults of a store that are of its nature, not of the moment. */
export interface Nature {
  ignoresConditions?: boolean;
  ignoresRanges?: boolean;
  keepsDeleted?: boolean;
  /** Every so many requests one is answered 503. */
  slow_down_every?: number;
  /** How many entries a page of a list has; few, so that lists have several. */
  page?: number;
}

const smallestPart = 5 * 1024 * 1024;
const fewEntries = 3;

const refused = (status: number, code: string): Answered => ({ status, body: errorPage(code) });

/** Why conditional headers refuse a request; undefined when they let it pass. */
function conditionOf({ method, headers }: Asked, stored: StoredObject | undefined): Answered | undefined {
  if (method === 'GET' && stored && headers['if-none-match'] === stored.etag) return { status: 304 };
  if (headers['if-none-match'] === '*' && stored) return refused(412, 'PreconditionFailed');
  const match = headers['if-match'];
  if (match === undefined || stored?.etag === match) return undefined;
  return stored ? refused(412, 'PreconditionFailed') : refused(404, 'NoSuchKey');
}

/** `bytes=1-4`, `bytes=4-` and `bytes=-4`. */
function rangeOf(text: string, size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(text) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size - 1 };
  return { start: Number(first), end: last === '' ? size - 1 : Number(last) };
}

function read({ method, headers }: Asked, stored: StoredObject | undefined, ranges: boolean): Answered {
  if (!stored) return refused(404, 'NoSuchKey');
  const { bytes, etag } = stored;
  const facts = { etag, 'last-modified': stored.modified.toUTCString() };
  if (method === 'HEAD') return { status: 200, headers: { ...facts, 'content-length': String(bytes.length) } };
  const range = ranges ? rangeOf(headers['range'] ?? '', bytes.length) : undefined;
  if (!range) return { status: 200, headers: facts, body: bytes };
  if (range.start >= bytes.length) return refused(416, 'InvalidRange');
  const part = bytes.subarray(range.start, range.end + 1);
  const shown = `bytes ${range.start}-${range.start + part.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...facts, 'content-range': shown }, body: part };
}

function complete(bucket: Bucket, id: string, upload: Upload, { body }: Asked): Answered {
  const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
  const parts = numbers.map(([, number, etag]) => {
    const part = upload.parts.get(Number(number));
    return part?.etag === etag ? part : undefined;
  });
  if (!parts.length || parts.some((part) => part === undefined)) return refused(400, 'InvalidPart');
  const all = (parts as StoredObject[]).map(({ bytes }) => bytes);
  if (all.slice(0, -1).some(({ length }) => length < smallestPart)) return refused(400, 'EntityTooSmall');
  const made = storedObject(Buffer.concat(all));
  bucket.uploads.delete(id);
  bucket.objects.set(upload.key, made);
  return { status: 200, body: completedPage(made.etag) };
}

/** The bytes that a request copies from another object; undefined when it brings its own. */
function sourceOf({ objects }: Bucket, { headers }: Asked): Buffer | 'missing' | undefined {
  const source = headers['x-amz-copy-source'];
  if (source === undefined) return undefined;
  const stored = objects.get(decodeURIComponent(source).replace(/^\/?[^/]+\//, ''));
  if (!stored) return 'missing';
  const range = rangeOf(headers['x-amz-copy-source-range'] ?? '', stored.bytes.length);
  return range ? stored.bytes.subarray(range.start, range.end + 1) : stored.bytes;
}

/** Deletes the objects that the body names. */
function deleteMany({ objects }: Bucket, { body }: Asked, { keepsDeleted }: Nature): Answered {
  const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
  for (const key of keys) if (!keepsDeleted) objects.delete(key);
  return { status: 200, body: deletedPage(keys) };
}

function answerUpload(bucket: Bucket, id: string, asked: Asked): Answered {
  const upload = bucket.uploads.get(id);
  if (!upload || upload.key !== asked.key) return refused(404, 'NoSuchUpload');
  if (asked.method === 'POST') return complete(bucket, id, upload, asked);
  if (asked.method === 'GET') return { status: 200, body: partsPage(upload, asked.query, fewEntries) };
  if (asked.method === 'DELETE') {
    bucket.uploads.delete(id);
    return { status: 204 };
  }
  const source = sourceOf(bucket, asked);
  if (source === 'missing') return refused(404, 'NoSuchKey');
  const part = storedObject(source ?? asked.body);
  upload.parts.set(Number(asked.query.get('partNumber')), part);
  return source
    ? { status: 200, body: copiedPage('CopyPartResult', part) }
    : { status: 200, headers: { etag: part.etag } };
}

/** What an S3 store answers to a request whose signature is right. Lists have short pages. */
export function answerRequest(bucket: Bucket, asked: Asked, nature: Nature): Answered {
  const { method, key, query } = asked;
  const { objects, uploads } = bucket;
  if (!key) {
    if (query.has('delete')) return deleteMany(bucket, asked, nature);
    const page = nature.page ?? fewEntries;
    return {
      status: 200,
      body: query.has('uploads') ? uploadsPage(uploads, query) : objectsPage(objects, query, page),
    };
  }
  const stored = objects.get(key);
  const condition = nature.ignoresConditions ? undefined : conditionOf(asked, stored);
  if (condition) return condition;
  const uploadId = query.get('uploadId');
  if (uploadId !== null) return answerUpload(bucket, uploadId, asked);
  if (query.has('uploads')) {
    const id = randomUUID();
    uploads.set(id, { key, started: new Date(), parts: new Map() });
    return { status: 200, body: uploadPage(id) };
  }
  if (method === 'PUT') {
    const source = sourceOf(bucket, asked);
    if (source === 'missing') return refused(404, 'NoSuchKey');
    const made = storedObject(source ?? asked.body);
    objects.set(key, made);
    return source
      ? { status: 200, body: copiedPage('CopyObjectResult', made) }
      : { status: 200, headers: { etag: made.etag } };
  }
  if (method === 'DELETE') {
    if (!nature.keepsDeleted) objects.delete(key);
    return { status: 204 };
  }
  return read(asked, stored, !nature.ignoresRanges);
}
