const made = Symbol('sql');

/** A piece of SQL with its values apart. Only this tag makes one, so text from outside can never become SQL. */
export interface Sql {
  readonly [made]: true;
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
}

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && made in value;

/** sql`select … where id = ${id} ${condition}`: values become parameters, pieces of SQL are spliced in. */
export function sql(texts: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const parts: string[] = [texts[0] as string];
  const values: unknown[] = [];
  inserts.forEach((insert, index) => {
    const after = texts[index + 1] as string;
    if (isSql(insert)) {
      parts[parts.length - 1] += insert.parts[0] as string;
      for (let i = 0; i < insert.values.length; i++) {
        values.push(insert.values[i]);
        parts.push(insert.parts[i + 1] as string);
      }
      parts[parts.length - 1] += after;
    } else {
      values.push(insert);
      parts.push(after);
    }
  });
  return { [made]: true, parts, values };
}

export const nothing = sql``;

/** Pieces joined by a word of our own: and, or, a comma. */
export function join(pieces: readonly Sql[], by: Sql): Sql {
  return pieces.reduce((whole, piece, index) => (index === 0 ? piece : sql`${whole}${by}${piece}`), nothing);
}

/** The text with $1, $2 … and the values, as the driver takes them. */
export function compile({ parts, values }: Sql): { text: string; values: unknown[] } {
  let text = parts[0] as string;
  for (let i = 1; i < parts.length; i++) text += `$${i}${parts[i] as string}`;
  return { text, values: values as unknown[] };
}
