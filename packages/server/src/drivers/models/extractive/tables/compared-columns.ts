import { wordTerms } from './question-words.ts';
import type { KnownColumn } from './read-tables.ts';
import type { TableNames } from './table-names.ts';
import { isDate, isMeasure, isYear } from './table-query.ts';
import { type Compared, columnsOfMoney } from './table-words.ts';

const terms = (words: string): ReadonlySet<string> => new Set(wordTerms(words));

/** The words of which a column that an adjective compares has one in its name. */
const columnTerms: Record<Compared, ReadonlySet<string>> = {
  weight: terms('weight kg kilogram kilograms tons tonnes lbs mass gewicht masse poids peso'),
  age: terms('age alter edad'),
  length: terms(
    'length duration distance km hours minutes days years tenure service laenge dauer strecke entfernung stunden minuten tage jahre duree longueur distance duracion longitud distancia',
  ),
  height: terms('height hoehe groesse hauteur altura'),
  speed: terms('speed kmh mph geschwindigkeit tempo vitesse velocidad'),
  money: columnsOfMoney,
};
const birthTerms = terms('birth born birthday birthdate geburt geburtstag geburtsdatum geboren naissance nacimiento');
/** A date that says nothing about when the thing of the row began. */
const laterTerms = terms(
  'last next due end ends ended expires expiry closed paid delivered letzte naechste faellig ende bis ablauf bezahlt geliefert dernier prochain fin ultimo proximo',
);

const onlyOne = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined);

/** The column of numbers that an adjective compares; undefined where none or several could be meant. */
export function columnOfAdjective(names: TableNames, compared: Compared): KnownColumn | undefined {
  const measures = names.table.columns.filter(isMeasure);
  const fitting = measures.filter((column) => names.hasTermOf(column, columnTerms[compared]));
  if (compared !== 'money') return onlyOne(fitting);
  return fitting[0];
}

/** The column that tells how old the things of the rows are, and whether it grows with their age. */
export function columnOfAge(names: TableNames): { column: KnownColumn; grows: boolean } | undefined {
  const { columns } = names.table;
  const age = columnOfAdjective(names, 'age');
  if (age) return { column: age, grows: true };
  const birth = columns.find((column) => (isDate(column) || isYear(column)) && names.hasTermOf(column, birthTerms));
  if (birth) return { column: birth, grows: false };
  // The day on which people joined does not tell their age.
  if (names.isOfPeople) return undefined;
  const year = onlyOne(columns.filter(isYear));
  if (year) return { column: year, grows: false };
  const date = onlyOne(columns.filter(isDate));
  return date && !names.hasTermOf(date, laterTerms) ? { column: date, grows: false } : undefined;
}
