import type { NodeContext } from '../define-node.ts';

/** A piece of the body: the content of a JSON string (`quoted`), or any other text. */
export interface BodyPart {
  text: string;
  quoted: boolean;
}

const jsonText = /("(?:[^"\\]|\\.)*")/s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that JSON does not take as they are
const control = /[\u0000-\u001f]/g;

export const isJson = (template: string) => /^\s*[[{]/.test(template);

/**
 * Splits the body into parts and fills in values and variables; secrets are still handles. In JSON, the content of
 * strings is escaped later, once secrets are known: quotation marks in a value cannot end a string or add a field.
 * Outside of strings values stay as they are, so that a list is a list.
 */
export async function partsOf(
  context: Pick<NodeContext, 'render'>,
  template: string,
  values: Record<string, unknown>,
): Promise<BodyPart[]> {
  const pieces = isJson(template) ? template.split(jsonText) : [template];
  return Promise.all(
    pieces.map(async (piece) => {
      const meant = piece.startsWith('"') && isJson(template) ? textOf(piece) : undefined;
      return { text: await context.render(meant ?? piece, values), quoted: meant !== undefined };
    }),
  );
}

export const joinBodyParts = (parts: readonly BodyPart[]): string =>
  parts.map(({ text, quoted }) => (quoted ? JSON.stringify(text) : text)).join('');

function textOf(literal: string): string | undefined {
  try {
    // Line breaks inside of a string are escaped, since people write them there.
    return JSON.parse(literal.replace(control, (sign) => JSON.stringify(sign).slice(1, -1))) as string;
  } catch {
    // Not a valid JSON string, such as one with a stray backslash: it is sent as it was written.
    return undefined;
  }
}
