import { StreamLanguage, type StringStream } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { CodeLanguage } from './editor-types.ts';

const words = new Set(['and', 'or', 'not', 'in']);
const literals = new Set(['true', 'false', 'null']);

/** Colours of the expressions of workflows. The server reads them; this only shows what is what. */
function readExpression(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number';
  if (stream.match(/^\.[A-Za-z_]\w*/)) return 'propertyName';
  const word = stream.match(/^[A-Za-z_$]\w*/);
  if (word && word !== true) {
    if (words.has(word[0])) return 'keyword';
    if (literals.has(word[0])) return 'literal';
    return stream.match(/^\s*\(/, false) ? 'variableName.function' : 'variableName';
  }
  stream.next();
  return null;
}

/** Marks what is filled in: `{{variable}}` and `((Key))`. */
function readTemplate(stream: StringStream): string | null {
  if (stream.match(/^\{\{[^{}]*\}\}/) || stream.match(/^\(\([^()]*\)\)/)) return 'variableName.special';
  stream.next();
  stream.eatWhile(/[^{(]/);
  return null;
}

/** What an editor needs for a language; that of SQL and JSON is loaded on request. */
export async function loadLanguage(
  language: CodeLanguage,
  schema?: Readonly<Record<string, readonly string[]>>,
): Promise<Extension> {
  if (language === 'sql') {
    const { PostgreSQL, sql } = await import('@codemirror/lang-sql');
    return sql({ dialect: PostgreSQL, ...(schema && { schema }) });
  }
  if (language === 'json') {
    const { json } = await import('@codemirror/lang-json');
    return json();
  }
  const name = language === 'expression' ? 'expression' : 'template';
  return StreamLanguage.define({ name, token: language === 'expression' ? readExpression : readTemplate });
}
