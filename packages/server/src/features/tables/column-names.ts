import { platformNames } from './platform-tables.ts';

/** Words that SQL keeps for itself: a column of such a name could only be asked for in quotes. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    'all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation ' +
    'column concurrently constraint create cross current_catalog current_date current_role current_schema current_time ' +
    'current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze ' +
    'from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit ' +
    'localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references ' +
    'returning right select session_user similar some symmetric system_user table tablesample then to trailing true ' +
    'union unique user using variadic verbose when where window with'
  ).split(' '),
);

/** Every table of PostgreSQL has these. */
const systemColumns = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']);

const longest = 63;

/** Why a column can't be called so; undefined when it can. Look-alikes of letters are no letters here. */
export function columnNameError(name: string): string | undefined {
  const folded = name.toLowerCase();
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return 'a column name is made of the letters a to z, digits and underscores, and does not begin with a digit';
  if (name.length > longest) return `a column name has at most ${longest} characters`;
  if (folded === 'id') return 'every table has a column id already';
  if (reservedWords.has(folded)) return `${folded} is a reserved word of SQL`;
  // A JavaScript client that puts this into an object loses it.
  if (folded === '__proto__') return `${folded} means something else to many clients`;
  return systemColumns.has(folded) ? `${folded} is a column that every table of the database has` : undefined;
}

/** Room for a number behind it. */
const roomy = 50;

/** A name that SQL accepts without quotes, as close to the text as possible. */
export function plainName(text: string, empty: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, roomy)
    .replace(/_+$/, '');
  if (plain === '') return empty;
  return /^[0-9]/.test(plain) || plain.startsWith('pg_') ? `${empty}_${plain}` : plain;
}

/** The first of name, name_2, name_3 … that is free. */
export function firstFreeName(name: string, taken: (candidate: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken(candidate)) return candidate;
  }
}

/** The SQL name of a new table, unique in the workspace: the wanted one where it can be had, else made from its name. */
export function sqlNameFor(name: string, others: ReadonlySet<string>, wanted?: string): string {
  const isTaken = (candidate: string) => others.has(candidate) || platformNames.has(candidate);
  if (wanted !== undefined && /^(?!pg_)[a-z][a-z0-9_]{0,62}$/.test(wanted))
    if (!reservedWords.has(wanted) && !isTaken(wanted)) return wanted;
  const plain = plainName(name, 'data');
  const usable = reservedWords.has(plain) ? `${plain}_table` : plain;
  return firstFreeName(usable, isTaken);
}

/** The column name for the title of a file; unique among the existing ones. */
export function columnNameFor(header: string, others: ReadonlySet<string>): string {
  const plain = plainName(header, 'column');
  const usable = columnNameError(plain) ? `${plain}_value` : plain;
  return firstFreeName(usable, (candidate) => others.has(candidate));
}
