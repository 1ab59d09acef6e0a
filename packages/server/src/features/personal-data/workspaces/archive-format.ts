import { piiAllowList } from '@atrium/contract/settings/keys/safety.ts';
import { z } from 'zod';

export const archiveFormat = 'atrium.workspace';
export const archiveVersion = 1;

/** Archives are written without the extension for more than 4 GiB. */
export const mostArchiveBytes = 4 * 1024 ** 3 - 1;
export const mostEntries = 20_000;
/** The records of one kind, which are read into memory. */
export const mostRecordBytes = 128 * 1024 ** 2;
/** One entry: archives are written without the extension for larger ones. */
export const mostEntryBytes = 2 ** 32 - 1;
/** One record of contents, such as a row of a table. */
export const mostLineBytes = 64 * 1024 ** 2;
/** Everything in an archive, unpacked. */
export const mostUnpackedBytes = 16 * 1024 ** 3;

/** An archive that can not be written or imported, and why; trying again would not help. */
export class ArchiveRefused extends Error {}

export const manifest = z.object({
  format: z.literal(archiveFormat),
  version: z.literal(archiveVersion),
  exported_at: z.string(),
  workspace: z.object({
    name: z.string().min(1).max(200),
    description: z.string().max(2000).nullable(),
    pii_allow: piiAllowList,
  }),
});

export const fileRecord = z.object({
  id: z.guid(),
  filename: z.string().min(1).max(1000),
  /** Not everybody may read it: it is imported with the document alone that it belongs to. */
  restricted: z.boolean().default(false),
});
export type FileRecord = z.output<typeof fileRecord>;

export const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
