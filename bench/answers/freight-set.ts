import { readFileSync } from 'node:fs';
import { type AnswerSet, textDocument } from './answer-set.ts';
import { csvTable } from './csv-table.ts';
import { ownDocsSet } from './own-docs-set.ts';

const read = (file: string) => readFileSync(new URL(`freight/${file}`, import.meta.url), 'utf8');

/**
 * Questions of the staff of an invented haulier, written without a look at the answerer and never edited. The figures
 * come from filters in JavaScript over the same files.
 */
export const freightSet: AnswerSet = {
  name: 'freight set',
  agent: 'Alpenfracht helper',
  documents: ['pallet-rules.md', 'fahrerhandbuch.md', 'canteen.txt'].map((file) => textDocument(file, read(file))),
  tables: [
    csvTable('freight', 'Shipments', {
      weight_kg: 'number',
      pallets: 'integer',
      freight_cost: 'number',
      shipped_on: 'date',
      delivered: 'boolean',
    }),
    csvTable('freight', 'Staff', {
      hired_on: 'date',
      years_at_company: 'integer',
      age: 'integer',
      yearly_salary: 'integer',
    }),
    csvTable('freight', 'Rooms', { floor: 'integer', seats: 'integer', projector: 'boolean' }),
    csvTable('freight', 'Maschinen', {
      baujahr: 'integer',
      anschaffungswert: 'integer',
      letzte_wartung: 'date',
      in_betrieb: 'boolean',
      betriebsstunden: 'integer',
    }),
  ],
  questions: [
    { ask: 'How many express shipments to Turin were sent in 2025?', expect: ['6'] },
    { ask: 'Which carrier has the highest total freight cost?', expect: ['Nordlauf'], exclude: ['Tramo'] },
    { ask: 'What is the average freight cost of overnight shipments from Graz?', expect: ['696.14'] },
    { ask: 'How many shipments have not been delivered yet?', expect: ['14'] },
    { ask: 'How many shipments weigh between 500 and 800 kg?', expect: ['14'] },
    { ask: 'Which shipment was the heaviest?', expect: ['S-7029'] },
    {
      ask: 'What are the five most expensive shipments?',
      expect: ['S-7056', 'S-7015', 'S-7085', 'S-7024', 'S-7001'],
      exclude: ['S-7038'],
    },
    { ask: 'How many shipments did Kestrel Freight carry in the first quarter of 2026?', expect: ['4'] },
    { ask: 'How many shipments went to Lyon or Zagreb?', expect: ['33'] },
    { ask: 'Which destination got the most pallets?', expect: ['Lyon'], exclude: ['Zagreb'] },
    { ask: 'How many shipments left Munich with fewer than 4 pallets?', expect: ['6'] },
    { ask: 'When was the last shipment to Gdansk?', expect: ['2026-04-23'] },
    { ask: 'Which shipment by Tramo has not been delivered?', expect: ['S-7064'] },
    { ask: 'What do all standard shipments to Rotterdam weigh in total?', expect: ['4716.9'] },
    { ask: 'How many shipments were insured?' },
    { ask: 'How many shipments are carried by rail?' },
    { ask: 'How many shipments left Vienna in 2025?', after: ['Which room has the most seats?'], expect: ['18'] },
    { ask: 'And in 2026?', after: ['How many shipments left Vienna in 2025?'], expect: ['10'] },
    {
      ask: 'Who has been with us for more than 10 years?',
      expect: ['Ewa Nowicka', 'Gerda Stein', 'Simon Fuchs', 'Wanda Kern', 'Yvonne Mair', 'Zeno Pichler'],
      exclude: ['Xaver Leitner'],
    },
    {
      ask: 'Who in Customs is older than 50?',
      expect: ['Petra Vogl', 'Rita Egger', 'Simon Fuchs', 'Adele Rauch'],
      exclude: ['Clara Toth'],
    },
    { ask: 'How many people work in Vienna but not in Sales?', expect: ['5'] },
    { ask: 'What is the highest salary in Finance?', expect: ['85800'] },
    { ask: 'Who is the youngest member of the Dispatch team?', expect: ['Gerda Stein'] },
    { ask: 'Who was hired in November 2020?', expect: ['Paul Winkler', 'Marko Babic'], exclude: ['Quirin Baier'] },
    {
      ask: 'Who was hired before 2015?',
      expect: ['Ewa Nowicka', 'Gerda Stein', 'Wanda Kern', 'Zeno Pichler'],
      exclude: ['Simon Fuchs'],
    },
    { ask: 'Which team has the lowest average salary?', expect: ['Finance'], exclude: ['Sales'] },
    { ask: 'Who earns the most in Munich?', expect: ['Tomas Reiter'] },
    { ask: 'How many employees speak Polish?' },
    {
      ask: 'How many rooms have a projector?',
      after: ['Who in Customs is older than 50?'],
      expect: ['4'],
    },
    { ask: 'Which rooms on floor 2 have a projector?', expect: ['Enns', 'Mur'], exclude: ['Drau'] },
    { ask: 'Which room has at least 20 seats and no projector?', expect: ['Drau', 'Traun'], exclude: ['Enns'] },
    { ask: 'Which rooms have a video camera?' },
    { ask: 'Welche Maschine in Graz ist nicht in Betrieb?', expect: ['Wickelmaschine 122'] },
    { ask: 'Welche Maschine wurde zuletzt gewartet?', expect: ['Kran 120'] },
    { ask: 'Wie viele Maschinen wurden nach 2018 gebaut?', expect: ['10'] },
    { ask: 'Wie hoch ist der gesamte Anschaffungswert der Maschinen von Kolb?', expect: ['311000'] },
    { ask: 'Welcher Hersteller hat die meisten Maschinen?', expect: ['Kolb'], exclude: ['Liftec'] },
    { ask: 'Wie viele Maschinen haben mehr als 10.000 Betriebsstunden?', expect: ['12'] },
    {
      ask: 'Welche Maschinen wurden im Januar 2026 gewartet?',
      expect: ['Hubwagen 104', 'Stapler 108'],
      exclude: ['Kran 123'],
    },
    { ask: 'Wie viele Maschinen sind geleast?' },

    { ask: 'What is the deposit for a Euro pallet?', expect: ['14 EUR'] },
    {
      ask: 'What is the deposit for a mesh box?',
      after: ['How many shipments went to Lyon or Zagreb?'],
      expect: ['95 EUR'],
    },
    { ask: 'Who prepares the papers for Serbia?', expect: ['customs team in Graz'] },
    { ask: 'How long are photographs of damages kept?', expect: ['one year'] },
    { ask: 'Wie lange muss ich zwischen zwei Schichten ruhen?', expect: ['elf Stunden'] },
    { ask: 'Darf ich meinen Hund im Lkw mitnehmen?', expect: ['Disponent'] },
    { ask: 'Wie schnell darf ich auf dem Hof fahren?', expect: ['10 km/h'] },
    { ask: 'Was muss ich bei einem Unfall tun?', expect: ['Warnblinker', '0316 55 90'] },
    { ask: 'Wie hoch ist das Tagegeld in Frankreich?' },
    { ask: 'Until when can I have lunch on Fridays?', expect: ['13:00'] },
    { ask: 'Does the canteen deliver food to the Graz office?' },
  ],
};

/** Questions over the pages of `docs`, under the same rules. */
export const secondOwnDocsSet: AnswerSet = {
  name: 'second own docs set',
  agent: 'Atrium guide',
  documents: ownDocsSet.documents,
  tables: [],
  questions: [
    { ask: 'For how many days can I see the deliveries of a webhook?', expect: ['30'] },
    { ask: 'Which header carries the signature of a webhook?', expect: ['webhook-signature'] },
    { ask: 'How long may a text for embeddings be?', expect: ['400,000 characters'] },
    { ask: 'How many megabytes may one visitor of a public page store?', expect: ['100'] },
    { ask: 'From which size on does the console upload files in parts?', expect: ['8 MB'] },
    { ask: 'Which permission do I need to delete a file?', expect: ['files_edit'] },
    { ask: 'What happens when the storage of a workspace is full?', expect: ['new messages'] },
    { ask: 'Can the last administrator be deactivated?', expect: ['last active administrator'] },
    { ask: 'Who may set who sees a document?', expect: ['kbs_edit'] },
    { ask: 'Are the indexes of knowledge bases encrypted?', expect: ['never encrypted'] },
    { ask: 'Was bedeutet es, wenn ein Trigger den Zustand paused hat?', expect: ['owner'] },
    { ask: 'How much does support cost per month?' },
    { ask: 'Is there an app for the iPhone?' },
    { ask: 'How many employees does the company behind it have?' },
  ],
};
