/** Parses JSON that this program has written itself, so that its shape is known. Text from outside needs a schema. */
export const parseStored = <T>(text: string): T => JSON.parse(text);
