/** How many bytes a text takes inside of JSON. */
const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** The text, or its beginning with `…`, so that it takes at most that many bytes in JSON. Splits no character. */
export function cutToBytes(text: string, most: number): string {
  // The longest escape of one unit of text takes six bytes.
  if (text.length * 6 <= most || (text.length <= most && jsonBytes(text) <= most)) return text;
  let left = most - 3;
  let end = 0;
  for (const character of text) {
    left -= jsonBytes(character);
    if (left < 0) break;
    end += character.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
