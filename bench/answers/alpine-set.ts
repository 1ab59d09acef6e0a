import { readFileSync } from 'node:fs';
import { type AnswerSet, textDocument } from './answer-set.ts';
import { csvTable } from './csv-table.ts';
import { ownDocsSet } from './own-docs-set.ts';

const read = (file: string) => readFileSync(new URL(`alpine/${file}`, import.meta.url), 'utf8');

/**
 * Questions of the members of an invented alpine club, written after the freight set had led to changes and never
 * edited. The figures come from filters in JavaScript over the same files.
 */
export const alpineSet: AnswerSet = {
  name: 'alpine set',
  agent: 'Club helper',
  documents: ['hut-rules.md', 'statuten.md'].map((file) => textDocument(file, read(file))),
  tables: [
    csvTable('alpine', 'Members', {
      joined_on: 'date',
      birth_year: 'integer',
      annual_fee: 'integer',
      insured: 'boolean',
    }),
    csvTable('alpine', 'Huts', {
      altitude_m: 'integer',
      beds: 'integer',
      year_opened: 'integer',
      winter_room: 'boolean',
      price_per_night: 'number',
    }),
    csvTable('alpine', 'Touren', {
      datum: 'date',
      teilnehmer: 'integer',
      hoehenmeter: 'integer',
      abgesagt: 'boolean',
    }),
    csvTable('alpine', 'Loans', { loan_no: 'integer', lent_on: 'date', days: 'integer', deposit: 'integer' }),
  ],
  questions: [
    { ask: 'How many members of the climbing section live in Chur?', expect: ['5'] },
    {
      ask: 'Which members in Davos are not insured?',
      expect: ['Beat Arquint', 'Nora Tschuor', 'Selma Huonder', 'Zita Derungs', 'Elin Tschuor'],
      exclude: ['Gian Tschuor'],
    },
    { ask: 'Who was born before 1956?', expect: ['Reto Derungs', 'Mario Nay', 'Celia Jenal'], exclude: ['Emil Jenal'] },
    { ask: 'Who is the youngest member?', expect: ['Selma Huonder'], exclude: ['Reto Derungs'] },
    { ask: 'Who was the last to join?', expect: ['Iris Arquint'] },
    { ask: 'Who joined in 2021?', expect: ['Vera Tschuor', 'Livia Jenal', 'Walter Caduff'], exclude: ['Emil Jenal'] },
    { ask: 'What is the average annual fee in the skiing section?', expect: ['63.33'] },
    { ask: 'Which town has the most members?', expect: ['Davos'], exclude: ['Thusis'] },
    { ask: 'Which member in Thusis pays more than 60?', expect: ['Carlo Derungs'] },
    { ask: 'How many members have a dog?' },
    { ask: 'Which huts above 2500 m have a winter room?', expect: ['Keschhutte', 'Coaz'], exclude: ['Saarbrucker'] },
    { ask: 'Which country has the highest average price per night?', expect: ['Italy'], exclude: ['Austria'] },
    { ask: 'What is the oldest hut?', expect: ['Keschhutte'], exclude: ['Sardona'] },
    { ask: 'How many beds do the Austrian huts have?' },
    { ask: 'How many beds are there in Austria?', expect: ['358'] },
    { ask: 'Which hut was opened after 1950 and is in Switzerland?', expect: ['Coaz'], exclude: ['Douglass'] },
    { ask: 'Which huts are closed in May?' },
    { ask: 'Wie viele Skitouren wurden nicht abgesagt?', expect: ['9'] },
    { ask: 'Welche Tour hat die meisten Höhenmeter?', expect: ['T201'], exclude: ['T229'] },
    { ask: 'Wer leitet die meisten Touren?', expect: ['Nora Tschuor'], exclude: ['Emil Jenal'] },
    { ask: 'Welche Touren finden im Mai 2026 statt?', expect: ['T217', 'T219'] },
    { ask: 'Wie viele Touren gibt es im dritten Quartal 2026?', expect: ['6'] },
    { ask: 'Wie viele Teilnehmer haben Wanderungen im Durchschnitt?', expect: ['9.69'] },
    { ask: 'Wie viele Touren haben zwischen 10 und 12 Teilnehmer?', expect: ['9'] },
    { ask: 'Wie viele Touren wurden wegen Regen abgesagt?' },
    { ask: 'For how many days in total were helmets lent?', expect: ['71'] },
    { ask: 'Which loan lasted the longest?', expect: ['3022'] },
    { ask: 'Which loans were longer than 18 days?', expect: ['3003', '3017', '3022', '3032'] },
    { ask: 'Who has lost the most items?', expect: ['Kim Huonder'], exclude: ['Gian Nay'] },
    { ask: 'When was an ice axe last lent?', expect: ['2026-08-13'] },
    { ask: 'How many items were lent more often than helmets?' },
    { ask: 'How many huts are there in Italy?', after: ['Who has lost the most items?'], expect: ['2'] },
    { ask: 'And in Austria?', after: ['How many huts are there in Italy?'], expect: ['3'] },

    { ask: 'Until when do I have to book a bed?', expect: ['two days before arrival'] },
    { ask: 'What does a late cancellation cost?', expect: ['25 CHF'] },
    { ask: 'Are dogs allowed in the Coaz hut?', expect: ['not allowed'] },
    { ask: 'When is the generator switched off?', expect: ['21:30'] },
    { ask: 'Bis wann muss ich meinen Austritt einreichen?', expect: ['31. Oktober'] },
    { ask: 'Wer ist die Kassierin?', expect: ['Livia Caduff'] },
    { ask: 'Wie viel kostet eine Mahnung?', expect: ['10 Franken'] },
    { ask: 'Wie viel verdient die Hüttenwartin?' },
    { ask: 'Is breakfast included in the price?' },
  ],
};

/** Questions over the pages of `docs`, under the same rules. */
export const thirdOwnDocsSet: AnswerSet = {
  name: 'third own docs set',
  agent: 'Atrium guide',
  documents: ownDocsSet.documents,
  tables: [],
  questions: [
    { ask: 'Who is told when a trigger failed?', expect: ['owner'] },
    { ask: 'By how many bytes does an encrypted file grow on the disk?', expect: ['48 bytes'] },
    { ask: 'What is the default of ATRIUM_ENCRYPT_AT_REST?', expect: ['off'] },
    { ask: 'Can API keys read notifications?', expect: ['403'] },
    { ask: 'What does the match similar of an evaluation compare?', expect: ['how many words are the same'] },
    { ask: 'Are tools with effects run in an evaluation?', expect: ['no tool with effects'] },
    { ask: 'How many people use Atrium?' },
    { ask: 'What is the address of the head office?' },
  ],
};
