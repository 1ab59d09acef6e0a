import { z } from 'zod';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

/** Where a file came from. What people and keys upload is a Document. */
const sourceTypes = [
  'Document',
  'Google Drive',
  'Notion',
  'Website',
  'OneDrive',
  'Slack',
  'Linear',
  'Github',
  'Teams',
  'Sharepoint',
  'ServiceNow',
  'Custom',
] as const;

export const file = z
  .strictObject({
    id: z.guid(),
    /** `store://<id>`: how other records refer to it. */
    uri: z.string(),
    size: z.int(),
    group_id: z.guid(),
    filename: z.string(),
    /** Found out from the bytes, never what the caller said. */
    content_type: z.string(),
    source_type: z.enum(sourceTypes),
    source_metadata: z.record(z.string(), z.unknown()).nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'File' });

export const fileParams = s.object({ file_id: s.uuid('file') });
export const fileQuery = s.query({ ...pageFields, search: s.optional(s.str({ max: 255 })) });

export type File = z.output<typeof file>;
export type FileQuery = z.output<typeof fileQuery>;
