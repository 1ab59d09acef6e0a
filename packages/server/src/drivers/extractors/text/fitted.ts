/** What fits, not ending in half of a character. */
export function fitted(text: string, max_chars: number): string {
  if (text.length <= max_chars) return text;
  const half = /[\ud800-\udbff]/.test(text.charAt(max_chars - 1));
  return text.slice(0, half ? max_chars - 1 : max_chars);
}

export const cutWarning = (max_chars: number) =>
  `Only the beginning is shown, up to ${max_chars} characters; the rest was left out.`;
