import * as z from 'zod';
import { operation } from '../operation.ts';
import * as s from '../schema/schema.ts';
import { filesRoutes } from './routes.ts';

const tag = 'Files';
const protocol = 'Part of the tus 1.0 protocol (creation, termination, expiration, checksum)';
/** The most bytes of one part. */
export const maxPartBytes = 16 * 1024 * 1024;

export const uploadParams = s.object({ upload_id: s.uuid('upload').describe('The id of the upload.') });

const upload = z
  .strictObject({
    id: z.guid().describe('The id of the upload; the file that it becomes has the same id.'),
    filename: z.string().describe('The name of the file.'),
    length: z.int().describe('The size of the whole file in bytes.'),
    received: z.int().describe('How many bytes have arrived: the next part begins here.'),
    finished: z.boolean().describe('Whether it has become a file.'),
    expires_at: z.iso.datetime().nullable().describe('When it is removed unless it is finished; null: it is.'),
  })
  .meta({ id: 'Upload' });

export const createUpload = operation({
  id: 'uploads.create',
  route: filesRoutes['uploads.create'],
  summary: 'Begin an upload that can be resumed',
  description: `${protocol}: takes the headers \`Tus-Resumable: 1.0.0\`, \`Upload-Length\` and \`Upload-Metadata\` (\`filename\` in base64), and answers 201 with the address of the upload in \`Location\`. The whole length is charged to the quotas at once: 409 \`quota_reached\`. An upload that is not finished within a day is removed.`,
  tag,
  permission: 'files_edit',
  audit: { none: 'files are content; their list says when each was uploaded' },
  raw: true,
  status: 201,
  idempotency: 'none',
  answer: upload,
});

export const getUpload = operation({
  id: 'uploads.get',
  route: filesRoutes['uploads.get'],
  summary: 'Get the state of an upload',
  description: `${protocol}: HEAD and GET answer with \`Upload-Offset\` and \`Upload-Length\`. Only who began an upload sees it.`,
  tag,
  permission: 'files_edit',
  params: uploadParams,
  answer: upload,
});

export const appendUpload = operation({
  id: 'uploads.append',
  route: filesRoutes['uploads.append'],
  summary: 'Send a part of an upload',
  description: `${protocol}: takes the bytes from \`Upload-Offset\` on, at most 16 MiB, with the type \`application/offset+octet-stream\`; \`Upload-Checksum\` (sha1, sha256, md5) is verified. Answers 204 with the new \`Upload-Offset\`; 409 \`offset_mismatch\` when the part begins elsewhere, 460 when the checksum differs. The last part makes the file, which has the id of the upload.`,
  tag,
  permission: 'files_edit',
  audit: { none: 'files are content; their list says when each was uploaded' },
  params: uploadParams,
  raw: true,
  body_limit: maxPartBytes,
  status: 204,
  answer: z.undefined(),
});

export const cancelUpload = operation({
  id: 'uploads.cancel',
  route: filesRoutes['uploads.cancel'],
  summary: 'Cancel an upload',
  description: `${protocol}: removes an upload that is not finished, and frees its bytes in the quotas.`,
  tag,
  permission: 'files_edit',
  audit: { none: 'files are content; their list says when each was uploaded' },
  params: uploadParams,
  status: 204,
  answer: z.undefined(),
});

export const uploadOperations = [createUpload, getUpload, appendUpload, cancelUpload];

export type Upload = z.output<typeof upload>;
