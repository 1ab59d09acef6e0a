import type { NodeContext } from '../define-node.ts';

/** A piece of what is sent: a text of JSON as it is meant, or anything else as it is written. */
export interface BodyPart {
  text: string;
  quoted: boolean;
}

const jsonText = /("(?:[^"\\]|\\.)*")/s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that JSON does not take as they are
const control = /[\u0000-\u001f]/g;

export const isJson = (template: string) => /^\s*[[{]/.test(template);

/**
 * What is to be sent, with values and variables filled in and secrets still their handles. In JSON, whatever stands
 * inside of a text is written as JSON writes it, once secrets are known too: one with quotation marks stays one value, and
 * none can add a field. Outside of texts they stand as they are, so that a list is a list.
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

export const written = (parts: readonly BodyPart[]): string =>
  parts.map(({ text, quoted }) => (quoted ? JSON.stringify(text) : text)).join('');

function textOf(literal: string): string | undefined {
  try {
    // A text of several lines is meant to have them.
    return JSON.parse(literal.replace(control, (sign) => JSON.stringify(sign).slice(1, -1))) as string;
  } catch {
    // Not as JSON has it: a stray backslash, say. It is sent as it was written.
    return undefined;
  }
}
