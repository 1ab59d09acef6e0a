/** The name that is being typed after `{{`, and where it begins; undefined where none is. */
export function typedVariable(text: string, caret: number): { start: number; name: string } | undefined {
  const before = text.slice(0, caret);
  const found = /\{\{\s*([\p{L}\p{N}_.-]*)$/u.exec(before);
  return found ? { start: found.index, name: found[1] ?? '' } : undefined;
}

/** The text with `{{name}}` in place of what was typed, and the caret behind it. */
export function insertVariable(text: string, caret: number, name: string): { text: string; caret: number } {
  const start = typedVariable(text, caret)?.start ?? caret;
  // Braces that already close what was typed are not doubled.
  const rest = text.slice(caret).replace(/^\s*\}\}/, '');
  const written = `{{${name}}}`;
  return { text: text.slice(0, start) + written + rest, caret: start + written.length };
}

/** The names of the variables in a text, each once. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}/gu)].map(([, name]) => name as string)),
];

export const countWords = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0;
