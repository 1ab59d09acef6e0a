import * as z from 'zod';
import { describeAs, jsonSchemaOf } from '../schema/json-schema.ts';
import * as s from '../schema/schema.ts';

/** Text with the structure an editor gave it. The text is what counts; the structure is the editor's own. */
export interface RichTextItem {
  text: string;
  definition: { type: string; content: unknown[] };
}

export const emptyRichText = (): RichTextItem[] => [{ text: '', definition: { type: 'doc', content: [] } }];

const editorDocument = z.looseObject({
  type: s.withDefault(s.str(), 'doc').describe("The type of the root node of the editor's document."),
  content: s.withDefault(z.array(z.unknown()), []).describe("The nodes of the editor's document."),
});
const item = s.object({
  text: s.optional(s.str()).describe('The text; read from the document unless given.'),
  definition: s.optional(editorDocument).describe("The editor's document; stored, and not returned."),
});

/** The words of an editor's document, for items that come without a text of their own. Depth is bounded by the reader. */
function wordsOf(node: unknown): string {
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, content } = node as { type?: unknown; text?: unknown; content?: unknown };
  const inner = Array.isArray(content) ? content.map(wordsOf).join(type === 'doc' ? '\n' : '') : '';
  return (typeof text === 'string' ? text : '') + inner;
}

/** A string, one item or an item's text stand for the list that holds it. */
function asItems(input: unknown): unknown {
  if (typeof input === 'string') return [{ text: input }];
  if (typeof input !== 'object' || input === null) return input;
  if (!Array.isArray(input)) return [input];
  return input.map((entry) => (typeof entry === 'string' ? { text: entry } : entry));
}

const items = s.list(item, { max: 1000 }).transform((list): RichTextItem[] =>
  list.map(({ text, definition = { type: 'doc', content: [] } }) => ({
    text: text ?? wordsOf(definition),
    definition,
  })),
);

/** The forms in which it is sent. */
export type RichTextInput = string | z.input<typeof item> | readonly (string | z.input<typeof item>)[];

/** persona, tone …: many forms in, stored whole. */
export function richText(): z.ZodType<RichTextItem[], RichTextInput> {
  const schema = z.preprocess(asItems, items);
  const list = () => ({ type: 'array', items: jsonSchemaOf(item, 'input') });
  describeAs(schema, () => ({ anyOf: [{ type: 'string' }, list()] }));
  return schema as unknown as z.ZodType<RichTextItem[], RichTextInput>;
}

/** The same in answers. */
export const richTextAnswer = z.array(
  z.strictObject({
    text: z.string().describe('The text.'),
    definition: z
      .strictObject({
        type: z.literal('doc').describe("Always `doc`: the root of an editor's document."),
        content: z.array(z.unknown()).max(0).describe("Always empty: the editor's structure is not returned."),
      })
      .describe("An empty editor's document."),
  }),
);

/** Rich text as answers carry it: the texts, without the editor's structure. */
export const strippedOf = (list: readonly RichTextItem[]): RichTextItem[] =>
  list.map(({ text }) => ({ text, definition: { type: 'doc', content: [] } }));

/** The text of all items, as a prompt contains it. */
export const plainOf = (list: readonly RichTextItem[]): string =>
  list
    .map(({ text }) => text)
    .join('\n')
    .trim();
