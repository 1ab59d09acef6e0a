/** A text that a database column accepts: without NUL and lone surrogates, at most 500 characters. */
export const plainText = (text: string) => text.replaceAll('\0', '').toWellFormed().slice(0, 500);
