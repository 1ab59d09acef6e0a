import type { Extractor } from '../driver.ts';
import { cutWarning, fitted } from './fitted.ts';
import { asWritten } from './plain.ts';
import { bytesFor, readText } from './read-text.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const whole = (text: string) => asWritten(text, [{ kind: 'code', start: 0, end: text.length }], String);

/** JSON as it was written: read and written again, its large numbers would be others. */
export const jsonExtractor: Extractor = {
  types: ['application/json'],
  async extract(content, { max_chars, signal }) {
    const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
    if (cut || text.length > max_chars) return { ...whole(fitted(text, max_chars)), warnings: [cutWarning(max_chars)] };
    return { ...whole(text), warnings: isJson(text) ? [] : ['It is not valid JSON.'] };
  },
};

/** Every line is a value of its own, and a block. */
export const jsonLinesExtractor: Extractor = {
  types: ['application/x-ndjson'],
  async extract(content, { max_chars, signal }) {
    const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
    const shown = fitted(text, max_chars);
    const isCut = cut || shown !== text;
    const rows: { kind: 'row'; start: number; end: number }[] = [];
    const wrong: number[] = [];
    let at = 0;
    for (const [index, line] of shown.split('\n').entries()) {
      const start = at;
      at += line.length + 1;
      if (line.trim() === '') continue;
      rows.push({ kind: 'row', start, end: start + line.length });
      // The last line of a text that was cut is half a line.
      if (!isJson(line) && !(isCut && at > shown.length)) wrong.push(index + 1);
    }
    const warnings = isCut ? [cutWarning(max_chars)] : [];
    if (wrong.length === 1) warnings.push(`Line ${wrong[0]} is not valid JSON.`);
    else if (wrong.length) warnings.push(`${wrong.length} lines are not valid JSON, line ${wrong[0]} being the first.`);
    return { ...asWritten(shown, rows, String), warnings };
  },
};
