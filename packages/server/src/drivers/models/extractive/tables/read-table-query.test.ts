import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FoundCell, probedTerms } from './probe-cells.ts';
import { readTableQuery } from './read-table-query.ts';
import type { KnownTable } from './read-tables.ts';
import type { Condition } from './table-query.ts';

const tableOf = (name: string, columns: Record<string, string>): KnownTable => ({
  name,
  sql_name: name.toLowerCase(),
  about: name,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type, label: undefined })),
});
const staff = tableOf('Staff', {
  name: 'text',
  team: 'text',
  city: 'text',
  hired_on: 'date',
  years_at_company: 'integer',
  age: 'integer',
  salary: 'integer',
});
const shipments = tableOf('Shipments', {
  shipment_no: 'text',
  carrier: 'text',
  origin: 'text',
  destination: 'text',
  weight_kg: 'number',
  pallets: 'integer',
  shipped_on: 'date',
  delivered: 'boolean',
});
const machines = tableOf('Maschinen', {
  bezeichnung: 'text',
  standort: 'text',
  baujahr: 'integer',
  letzte_wartung: 'date',
  betriebsstunden: 'integer',
});

const values: [KnownTable, string, string][] = [
  [staff, 'name', 'Paul Winkler'],
  [staff, 'city', 'Graz'],
  [staff, 'team', 'Customs'],
  [shipments, 'origin', 'Graz'],
  [shipments, 'destination', 'Graz'],
  [shipments, 'destination', 'Lyon'],
  [shipments, 'destination', 'Turin'],
  [shipments, 'carrier', 'Tramo'],
  [machines, 'standort', 'Graz'],
  [machines, 'standort', 'Wien'],
];
const cellsOf = (table: KnownTable): FoundCell[] =>
  values.flatMap(([own, name, value]) => {
    const column = own === table ? table.columns.find((one) => one.name === name) : undefined;
    return column ? [{ column, value, terms: probedTerms(value) }] : [];
  });

function show(condition: Condition): string {
  const not = condition.not ? 'not ' : '';
  switch (condition.kind) {
    case 'cells':
      return `${not}${condition.column.map(({ name }) => name).join('/')} = ${condition.values.join('|')}`;
    case 'compare':
      return `${not}${condition.column.name} ${condition.operator} ${condition.value}`;
    case 'date':
      return `${not}${condition.column.name} ${condition.range.from ?? ''}..${condition.range.before ?? ''}`;
    default:
      return `${not}${condition.column.name}`;
  }
}

/** The conditions of a question and how it ranks, or the words that it could not use. */
function read(table: KnownTable, question: string): string {
  const { query, unused } = readTableQuery(question, table, cellsOf(table));
  if (unused.length > 0 || !query) return `unused: ${unused.join(' ')}`;
  const { asked, conditions } = query;
  const ranked = asked.kind === 'top' ? [`${asked.order} ${asked.by.name}`] : [];
  return [...ranked, ...conditions.map(show)].join(', ');
}

const check = (table: KnownTable, cases: Record<string, string>) => {
  for (const [question, expected] of Object.entries(cases)) assert.equal(read(table, question), expected, question);
};

test('compares the column that an adjective is about', () => {
  check(staff, {
    'Who is the oldest employee?': 'desc age',
    'Who is the youngest member of the Customs team?': 'asc age, team = Customs',
    'Who in Customs is older than 50?': 'age > 50, team = Customs',
    'Who is under 30?': 'age < 30',
    'Who is 27 years old?': 'age = 27',
    'Who has worked here the longest?': 'desc years_at_company',
    'Who was hired most recently?': 'desc hired_on',
  });
  check(shipments, { 'Which shipment was the heaviest?': 'desc weight_kg' });
  check(machines, { 'Welche Maschine ist die älteste?': 'asc baujahr' });
});

test('ranks nothing when no column is about the adjective', () => {
  const { columns } = staff;
  const plain = { ...staff, columns: columns.filter(({ name }) => name !== 'age' && name !== 'years_at_company') };
  check(plain, { 'Who is the oldest employee?': 'unused: ', 'Who has worked here the longest?': 'unused: ' });
});

test('names the words that compare rows with each other or with today', () => {
  check(staff, {
    'Who earns more than Paul Winkler?': 'unused: earns more than Paul Winkler',
    'Who earns more than the average?': 'unused: more than',
    'Who joined after Paul Winkler?': 'unused: joined after Paul Winkler',
    'Who was hired in the last 3 years?': 'unused: last 3 years',
    'Who was hired this year?': 'unused: this year',
    'Who in Graz has the same salary?': 'unused: same',
  });
  check(shipments, { 'Which carriers went to both Lyon and Turin?': 'unused: went both' });
});

test('reads which end of a journey a cell is', () => {
  check(shipments, {
    'How many shipments went to Graz?': 'destination = Graz',
    'How many shipments left Graz?': 'origin = Graz',
    'How many shipments went to Lyon or Turin?': 'destination = Lyon|Turin',
    'How many shipments have to do with Graz?': 'unused: Graz',
  });
  check(staff, { 'Who left Graz in 2025?': 'unused: left' });
});

test('asks nothing of rows that say nothing about the thing asked for', () => {
  check(shipments, {
    'Which carriers have never shipped to Lyon?': 'unused: ',
    'How many carriers did not ship to Lyon?': 'unused: ',
    'What is the total of pallets of shipments with more than 5 pallets?': 'unused: ',
    'How many shipments did not go to Lyon?': 'not destination = Lyon',
  });
});

test('finds the column of a time by its name, its verb or as the only one', () => {
  check(machines, {
    'Welche Maschinen wurden vor 2010 gebaut?': 'baujahr < 2010',
    'Wie viele Maschinen wurden 2025 gewartet?': 'letzte_wartung 2025-01-01..2026-01-01',
    'Wie viele Maschinen sind von 2014?': 'unused: 2014',
    'Welche Maschine in Wien wurde zuletzt gewartet?': 'desc letzte_wartung, standort = Wien',
  });
  check(shipments, {
    'How many shipments were sent in the first quarter of 2026?': 'shipped_on 2026-01-01..2026-04-01',
    'How many shipments were sent in Q4 2025?': 'shipped_on 2025-10-01..2026-01-01',
    'How many shipments were sent in the second half of 2025?': 'shipped_on 2025-07-01..2026-01-01',
    'How many shipments were sent in 2025 and 2026?': 'unused: 2026',
    'Which shipments weigh more than 2000 kg?': 'weight_kg > 2000',
  });
});

test('reads the name of a date column as no cell, and a number of things behind "which"', () => {
  const tickets = tableOf('Tickets', { ticket_no: 'text', status: 'text', assignee: 'text', opened_on: 'date' });
  const column = tickets.columns[1];
  const open: FoundCell[] = column ? [{ column, value: 'open', terms: probedTerms('open') }] : [];
  const conditions = (question: string) => readTableQuery(question, tickets, open).query?.conditions.map(show);
  assert.deepEqual(conditions('How many tickets were opened in May 2026?'), ['opened_on 2026-05-01..2026-06-01']);
  assert.deepEqual(conditions('How many tickets are open?'), ['status = open']);
  const ranked = readTableQuery('Which three assignees have the most tickets?', tickets, []).query?.asked;
  assert.deepEqual(ranked?.kind === 'figure' && [ranked.group?.name, ranked.limit], ['assignee', 3]);
});

test('finds a column by its unit, by its verb and by the year of birth', () => {
  const huts = tableOf('Huts', { hut: 'text', altitude_m: 'integer', beds: 'integer', year_opened: 'integer' });
  check(huts, { 'Which huts are above 2500 m?': 'altitude_m > 2500', 'What is the oldest hut?': 'asc year_opened' });
  const members = tableOf('Members', { name: 'text', joined_on: 'date', birth_year: 'integer' });
  check(members, {
    'Who is the youngest member?': 'desc birth_year',
    'Who was born before 1956?': 'birth_year < 1956',
  });
  const tours = tableOf('Touren', { tour_nr: 'text', leitung: 'text', datum: 'date' });
  check(tours, { 'Welche Touren finden im Mai 2026 statt?': 'datum 2026-05-01..2026-06-01' });
  const ranked = readTableQuery('Wer leitet die meisten Touren?', tours, []).query?.asked;
  assert.equal(ranked?.kind === 'figure' && ranked.group?.name, 'leitung');
});
