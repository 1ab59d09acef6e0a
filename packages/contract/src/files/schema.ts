import * as z from 'zod';
import { createdAt, groupId } from '../fields.ts';
import { namedFixedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { facetsField } from '../page.ts';
import * as s from '../schema/schema.ts';
import { fileKinds } from './kinds.ts';

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
    id: z.guid().describe('The id of the file.'),
    uri: z.string().describe('`store://<id>`: how other records refer to the file.'),
    size: z.int().describe('The size in bytes.'),
    group_id: groupId,
    filename: z.string().describe('The name without a path; downloads are saved under it.'),
    content_type: z
      .string()
      .describe(
        'The media type, detected from the first bytes and the name; the type that the client sends is ignored.',
      ),
    source_type: z.enum(sourceTypes).describe('Where the file came from; an upload through this API is a `Document`.'),
    source_metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What the source adds, such as the knowledge base or the web address; null when there is nothing.'),
    created_at: createdAt,
    may: mayField('file'),
  })
  .meta({ id: 'File' });

export const fileParams = s.object({ file_id: s.uuid('file').describe('The id of the file.') });
/** The width of a picture; rounded up to one of a few, so that pictures can be kept. */
export const pictureWidth = s
  .withDefault(s.int({ ge: 1, le: 1600 }), 256)
  .describe(
    'The width in pixels, rounded up to 64, 128, 256, 512, 1024 or 1600; 256 unless given. A smaller image is not made larger.',
  );
export const thumbnailQuery = s.query({
  width: pictureWidth,
  page: s
    .withDefault(s.int({ ge: 1, le: 100_000 }), 1)
    .describe('Which page of a PDF; the first is 1. Other files have one.'),
});
export const fileContents = z
  .strictObject({
    title: z.string().nullable().describe('The title that the document has in itself.'),
    pages: z
      .array(
        z.strictObject({
          name: z.string().nullable().describe('The name of a sheet.'),
          number: z.int().nullable().describe('The number of a slide, counted from 1; null in documents and sheets.'),
          blocks: z
            .array(
              z.strictObject({
                kind: z.enum(['heading', 'paragraph', 'list_item', 'code', 'table']).describe('What it is.'),
                level: z.int().nullable().describe('Of a heading: 1 to 6.'),
                text: z.string().describe('Its text; empty for a table.'),
                rows: z.array(z.array(z.string())).describe('The rows of a table, at most 200 with 50 cells each.'),
                row_count: z.int().describe('How many rows the table has.'),
              }),
            )
            .describe('Its headings, paragraphs and tables, in order.'),
        }),
      )
      .describe('The sheets of a workbook, the slides of a presentation, or one page with all of a document.'),
    warnings: z.array(z.string()).describe('What could not be read.'),
    complete: z.boolean().describe('False: the pages end before the file does, after some 200,000 characters.'),
  })
  .meta({ id: 'FileContents' });
export const fileQuery = s.query({
  ...namedFixedList(['filename', 'created_at', 'size'], { search: 'name' }),
  kind: s.optional(s.oneOf(fileKinds)).describe('Only files of this kind, by their media type.'),
  facets: facetsField(),
});

export type FileContents = z.output<typeof fileContents>;
export type File = z.output<typeof file>;
export type FileQuery = z.output<typeof fileQuery>;
