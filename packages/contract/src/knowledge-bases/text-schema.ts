import * as z from 'zod';
import { pictureWidth } from '../files/schema.ts';
import * as s from '../schema/schema.ts';
import { documentParams } from './inputs.ts';

const place = (what: string) => z.int().describe(`${what}, in characters; citations and passages count the same way.`);

export const documentText = z
  .strictObject({
    document_id: z.guid().describe('The document.'),
    source: z
      .enum(['document', 'passages'])
      .describe(
        '`passages`: the document was trained before texts were stored; the blocks are its passages, without headings and tables as such, until it is trained again.',
      ),
    length: z.int().describe('The length of the whole text in characters.'),
    pages: z
      .array(
        z.strictObject({
          page: z.int().describe('The number of the page or slide; the first is 1.'),
          start: place('Where its text begins'),
          end: place('Where its text ends'),
        }),
      )
      .describe('The pages of the whole document that have text; empty for formats without pages.'),
    blocks: z
      .array(
        z.strictObject({
          kind: z
            .enum(['heading', 'paragraph', 'list_item', 'table', 'row', 'code', 'image'])
            .describe('What the block is; a `row` is a row of a table that stands by itself.'),
          text: z.string().describe('Its text; headings and tables have the marks of Markdown.'),
          start: place('Where it begins'),
          end: place('Where it ends'),
          level: z.int().nullable().describe('Of a heading: 1 to 6; null otherwise.'),
          page: z.int().nullable().describe('The page it stands on; null for formats without pages.'),
          headings: z.array(z.string()).describe('The headings above it, the outermost first.'),
        }),
      )
      .describe('The blocks of the part that was asked for; the first and the last may be parts of longer ones.'),
    next_start: z.int().nullable().describe('`start` of the next part; null at the end of the text or page.'),
  })
  .meta({ id: 'KnowledgeBaseDocumentText' });

export const textQuery = s.query({
  start: s
    .withDefault(s.int({ ge: 0, le: 1_000_000_000 }), 0)
    .describe('Where to begin in the text, such as `start` of a citation; 0 unless given.'),
  page: s.optional(s.int({ ge: 1, le: 1_000_000 })).describe('Only the text of this page or slide.'),
  max_chars: s
    .withDefault(s.int({ ge: 100, le: 200_000 }), 50_000)
    .describe('The most characters to return; 50,000 unless given.'),
});

export const pageParams = s.object({
  ...documentParams.shape,
  page: s.int({ ge: 1, le: 100_000 }).describe('The number of the page; the first is 1.'),
});
export const pageQuery = s.query({ width: pictureWidth });

export type DocumentText = z.output<typeof documentText>;
export type TextQuery = z.output<typeof textQuery>;
