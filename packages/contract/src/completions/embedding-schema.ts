import * as z from 'zod';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';

const mostTexts = 2048;
const longestText = 400_000;

const textJson = { type: 'string', minLength: 1, maxLength: longestText };
const inputJson = { anyOf: [textJson, { type: 'array', minItems: 1, maxItems: mostTexts, items: textJson }] };

const wrong = (error: string) => refuse('value_error', `Value error, ${error}`, { error });
const isTokens = (item: unknown) => typeof item === 'number' || Array.isArray(item);

/** A text is read as a list with one text. Tokens are those of one model, which the server does not know. */
const texts = scalar<string[]>(inputJson, (given) => {
  const items: unknown[] = Array.isArray(given) ? given : [given];
  if (items.length === 0 || items.length > mostTexts) return wrong(`it should have 1 to ${mostTexts} texts`);
  if (items.some(isTokens)) return wrong('arrays of tokens are not supported; send the text');
  const read: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string') return wrong('it should be a text or a list of texts');
    if (item === '') return wrong('a text should not be empty');
    if (item.length > longestText) return wrong(`a text should have at most ${longestText} characters`);
    read.push(item);
  }
  return read;
});

/** The request of the embeddings protocol. Fields that have no effect here are accepted and ignored. */
export const embeddingRequest = z
  .looseObject({
    input: texts.describe('A text, or a list of up to 2048 texts. Arrays of tokens are refused.'),
    model: s
      .withDefault(s.str({ min: 1, max: 300 }), 'default')
      .describe('The embedding model as `provider/model`. `default`, or left out: `ATRIUM_EMBEDDING_MODEL`.'),
    dimensions: s
      .optional(s.int({ ge: 1, le: 20_000 }))
      .describe('The length of the vectors, for models that can choose it; 422 when the model can not.'),
    encoding_format: s
      .withDefault(s.oneOf(['float', 'base64']), 'float')
      .describe('Vectors as lists of numbers, or as base64 of 32-bit floats in little-endian order.'),
    user: s
      .optional(s.str({ max: 512 }))
      .describe('The end user that the client asks for; usage can be looked up by it. It is not sent to the provider.'),
  })
  .meta({ id: 'EmbeddingRequest' });

const embedding = z.strictObject({
  object: z.literal('embedding').describe('Always `embedding`.'),
  index: z.int().describe('Which text of the input it belongs to, counted from 0.'),
  embedding: z.union([z.array(z.number()), z.string()]).describe('The vector, in the `encoding_format` asked for.'),
});

export const embeddingList = z
  .strictObject({
    object: z.literal('list').describe('Always `list`.'),
    data: z.array(embedding).describe('One vector for each text, in the order of the input.'),
    model: z.string().describe('The model that made the vectors, as `provider/model`.'),
    usage: z
      .strictObject({
        prompt_tokens: z.int().describe('Tokens of the input; an estimate when the provider reports none.'),
        total_tokens: z.int().describe('The same number: there is no output.'),
      })
      .describe('The tokens that the request used.'),
  })
  .meta({ id: 'EmbeddingList' });

export type EmbeddingRequest = z.output<typeof embeddingRequest>;
export type EmbeddingList = z.output<typeof embeddingList>;
