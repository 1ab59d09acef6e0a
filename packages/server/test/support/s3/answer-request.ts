import { randomUUID } from 'node:crypto';
import {
  completedPage,
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
}

const smallestPart = 5 * 1024 * 1024;
const page = 3;

const refused = (status: number, code: string): Answered => ({ status, body: errorPage(code) });

/** Why conditional headers refuse a request; undefined when they let it pass. */
function conditionOf({ headers }: Asked, stored: StoredObject | undefined): Answered | undefined {
  if (headers['if-none-match'] === '*' && stored) return refused(412, 'PreconditionFailed');
  const match = headers['if-match'];
  if (match === undefined || stored?.etag === match) return undefined;
  return stored ? refused(412, 'PreconditionFailed') : refused(404, 'NoSuchKey');
}

function read({ method, headers }: Asked, stored: StoredObject | undefined, ranges: boolean): Answered {
  if (!stored) return refused(404, 'NoSuchKey');
  const { bytes, etag } = stored;
  if (method === 'HEAD') return { status: 200, headers: { etag, 'content-length': String(bytes.length) } };
  const [, start, end] = (ranges && /^bytes=(\d+)-(\d+)$/.exec(headers['range'] ?? '')) || [];
  if (start === undefined) return { status: 200, headers: { etag }, body: bytes };
  if (Number(start) >= bytes.length) return refused(416, 'InvalidRange');
  const part = bytes.subarray(Number(start), Number(end) + 1);
  const range = `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}`;
  return { status: 206, headers: { etag, 'content-range': range }, body: part };
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

function answerUpload(bucket: Bucket, id: string, asked: Asked): Answered {
  const upload = bucket.uploads.get(id);
  if (!upload || upload.key !== asked.key) return refused(404, 'NoSuchUpload');
  if (asked.method === 'POST') return complete(bucket, id, upload, asked);
  if (asked.method === 'GET') return { status: 200, body: partsPage(upload, asked.query, page) };
  if (asked.method === 'DELETE') {
    bucket.uploads.delete(id);
    return { status: 204 };
  }
  const part = storedObject(asked.body);
  upload.parts.set(Number(asked.query.get('partNumber')), part);
  return { status: 200, headers: { etag: part.etag } };
}

/** What an S3 store answers to a request whose signature is right. Lists have short pages. */
export function answerRequest(bucket: Bucket, asked: Asked, nature: Nature): Answered {
  const { method, key, query } = asked;
  const { objects, uploads } = bucket;
  if (!key)
    return {
      status: 200,
      body: query.has('uploads') ? uploadsPage(uploads, query) : objectsPage(objects, query, page),
    };
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
    const made = storedObject(asked.body);
    objects.set(key, made);
    return { status: 200, headers: { etag: made.etag } };
  }
  if (method === 'DELETE') {
    if (!nature.keepsDeleted) objects.delete(key);
    return { status: 204 };
  }
  return read(asked, stored, !nature.ignoresRanges);
}
