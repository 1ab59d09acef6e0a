import { AppError, invalid } from '@atrium/contract/errors.ts';
import {
  appendUpload,
  cancelUpload,
  createUpload,
  getUpload,
  maxPartBytes,
  type Upload,
} from '@atrium/contract/files/upload-operations.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { handle, type RawBody, type Route } from '../../../lib/route.ts';
import { ChecksumMismatch, type ResumableUploads } from './resumable-uploads.ts';

const version = { 'tus-resumable': '1.0.0' };
const json = { 'content-type': 'application/json; charset=utf-8' };

const headersOf = ({ received, length, expires_at }: Upload) => ({
  ...version,
  'upload-offset': String(received),
  'upload-length': String(length),
  'cache-control': 'no-store',
  ...(expires_at !== null && { 'upload-expires': new Date(expires_at).toUTCString() }),
});

const refusal = (status: number, code: string, detail: string, more: Record<string, string> = {}) =>
  new RawAnswer(JSON.stringify({ detail, code }), { ...json, ...version, ...more }, status);

/** Another version of the protocol is answered with the one that is spoken here. */
const wrongVersion = ({ headers }: RawBody) =>
  headers['tus-resumable'] === '1.0.0'
    ? undefined
    : refusal(412, 'tus_version', 'Send the header Tus-Resumable: 1.0.0', { 'tus-version': '1.0.0' });

function numberIn({ headers }: RawBody, name: string): number {
  const value = headers[name] ?? '';
  if (!/^\d{1,15}$/.test(value)) throw invalid(['header', name], 'it should be a number of bytes', value);
  return Number(value);
}

/** `Upload-Metadata: filename <base64>,…`. */
function filenameIn({ headers }: RawBody): string {
  const pairs = (headers['upload-metadata'] ?? '').split(',').map((pair) => pair.trim().split(/\s+/));
  const [, encoded = ''] = pairs.find(([name]) => name === 'filename') ?? [];
  return Buffer.from(encoded, 'base64').toString().toWellFormed().replaceAll('\0', '') || 'file';
}

/** The tus protocol over the uploads of a workspace. */
export const uploadRoutes = (uploads: ResumableUploads, max_bytes: number): Route[] => [
  handle(createUpload, async (scope, input) => {
    const raw = input.raw();
    const refused = wrongVersion(raw);
    if (refused) return refused;
    const upload = await uploads.create(scope, { length: numberIn(raw, 'upload-length'), filename: filenameIn(raw) });
    const limits = { 'tus-max-size': String(max_bytes), 'tus-extension': 'creation,termination,expiration,checksum' };
    const headers = { ...json, ...headersOf(upload), ...limits, 'tus-checksum-algorithm': 'sha1,sha256,md5' };
    return new RawAnswer(JSON.stringify(upload), { ...headers, location: `/v1/uploads/${upload.id}` }, 201);
  }),
  handle(getUpload, async (scope, { params }) => {
    const upload = await uploads.get(scope, params.upload_id);
    return new RawAnswer(JSON.stringify(upload), { ...json, ...headersOf(upload) });
  }),
  handle(appendUpload, async (scope, input) => {
    const raw = input.raw();
    const refused = wrongVersion(raw);
    if (refused) return refused;
    if (raw.headers['content-type'] !== 'application/offset+octet-stream')
      throw new AppError('unsupported_media_type', 'A part is sent as application/offset+octet-stream');
    const { bytes, headers } = raw;
    if (bytes.length > maxPartBytes) throw new AppError('too_large', `A part may have ${maxPartBytes} bytes`);
    const part = { offset: numberIn(raw, 'upload-offset'), bytes, checksum: headers['upload-checksum'] };
    try {
      const upload = await uploads.append(scope, input.params.upload_id, part);
      return new RawAnswer('', headersOf(upload), 204);
    } catch (error) {
      if (!(error instanceof ChecksumMismatch)) throw error;
      return refusal(460, 'checksum_mismatch', 'The bytes differ from Upload-Checksum: send the part again');
    }
  }),
  handle(cancelUpload, async (scope, { params }) => {
    await uploads.cancel(scope, params.upload_id);
    return new RawAnswer('', version, 204);
  }),
];
