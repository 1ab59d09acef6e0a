import pg from 'pg';
import { required } from '../lib/required.ts';
import { isStoredText } from './stored-text/stored-text.ts';

const made = Symbol('sql');

/** A piece of SQL with its values apart. Only this tag makes one, so text from outside can never become SQL. */
export interface Sql {
  readonly [made]: true;
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
  /**
   * The statement names something that was created at run time. Connections do not keep such statements: their number
   * has no bound, and a plan for a table that has changed since would be refused.
   */
  readonly passing: boolean;
  /** Whether a value is text that is encrypted at rest when the switch is on. */
  readonly stores_text: boolean;
}

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && made in value;

/** sql`select … where id = ${id} ${condition}`: values become parameters, pieces of SQL are spliced in. */
export function sql(texts: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const parts: string[] = [required(texts[0])];
  const values: unknown[] = [];
  let passing = false;
  let stores_text = false;
  inserts.forEach((insert, index) => {
    const after = required(texts[index + 1]);
    if (isSql(insert)) {
      passing ||= insert.passing;
      stores_text ||= insert.stores_text;
      parts[parts.length - 1] += required(insert.parts[0]);
      for (let i = 0; i < insert.values.length; i++) {
        values.push(insert.values[i]);
        parts.push(required(insert.parts[i + 1]));
      }
      parts[parts.length - 1] += after;
    } else {
      stores_text ||= isStoredText(insert);
      values.push(insert);
      parts.push(after);
    }
  });
  return { [made]: true, parts, values, passing, stores_text };
}

const passingText = (text: string): Sql => ({
  [made]: true,
  parts: [text],
  values: [],
  passing: true,
  stores_text: false,
});

/** PostgreSQL cuts longer names off without a word, and two of them could become one. */
const longestName = 63;

/** A name as it is, in quotes: the only way in which one that came from outside gets into a statement. */
export function identifier(...names: readonly string[]): Sql {
  for (const name of names)
    if (name === '' || Buffer.byteLength(name) > longestName || name.includes('\0') || !name.isWellFormed())
      throw new Error('This can not be the name of anything in the database');
  return passingText(names.map((name) => pg.escapeIdentifier(name)).join('.'));
}

/** A value in the text itself, for statements that take no parameters: those that define something. */
export function literal(value: string | number | boolean): Sql {
  const text = String(value);
  if (text.includes('\0') || !text.isWellFormed()) throw new Error('This can not be a text in the database');
  return passingText(typeof value === 'string' ? pg.escapeLiteral(value) : text);
}

export const nothing = sql``;

/** Put into a statement whose best plan is another one when its tables have grown: it is planned each time it is run. */
export const replanEachTime = passingText('');

/** Pieces joined by a word of our own: and, or, a comma. */
export function join(pieces: readonly Sql[], by: Sql): Sql {
  return pieces.reduce((whole, piece, index) => (index === 0 ? piece : sql`${whole}${by}${piece}`), nothing);
}

/** The text with $1, $2 … and the values, as the driver takes them. */
export function compile({ parts, values }: Sql): { text: string; values: unknown[] } {
  let text = required(parts[0]);
  for (let i = 1; i < parts.length; i++) text += `$${i}${required(parts[i])}`;
  return { text, values: values as unknown[] };
}
