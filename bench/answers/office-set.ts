import { readFileSync } from 'node:fs';
import { type AnswerSet, textDocument } from './answer-set.ts';
import { csvTable } from './csv-table.ts';

const read = (file: string) => readFileSync(new URL(`office/${file}`, import.meta.url), 'utf8');

/**
 * Forty questions of the staff of an invented company, ten about documents and thirty about tables, six of them without
 * an answer, written without a look at the answerer and never edited. The figures come from SQL over the same files.
 */
export const officeSet: AnswerSet = {
  name: 'office set',
  agent: 'Tannhof office',
  documents: ['travel-policy.md', 'etikettendrucker.md', 'management-meeting.txt'].map((file) =>
    textDocument(file, read(file)),
  ),
  tables: [
    csvTable('office', 'Orders', {
      order_no: 'integer',
      quantity: 'integer',
      unit_price: 'number',
      ordered_on: 'date',
      paid: 'boolean',
    }),
    csvTable('office', 'Employees', {
      joined_on: 'date',
      years_of_service: 'integer',
      hourly_wage: 'number',
      works_remotely: 'boolean',
    }),
    csvTable('office', 'Tickets', { opened_on: 'date', hours_spent: 'number' }),
    csvTable('office', 'Rechnungen', { betrag: 'number', faellig_am: 'date', bezahlt: 'boolean' }),
  ],
  questions: [
    { ask: 'How much may a hotel in Oslo cost per night?', expect: ['210 EUR'] },
    { ask: 'Do I get parking fines back?', expect: ['not reimbursed'] },
    { ask: 'Who has to agree to business class?', expect: ['managing director'] },
    { ask: 'What is the daily allowance for meals abroad?' },
    { ask: 'Wie wechsle ich die Papierrolle?', expect: ['blauen Taste', 'Vorschub'] },
    { ask: 'Was mache ich, wenn das gelbe Licht leuchtet?', expect: ['zehn Minuten warten'] },
    { ask: 'Wie oft muss der Druckkopf gereinigt werden?', expect: ['jeder dritten Rolle'] },
    { ask: 'Who was absent from the management meeting?', expect: ['Karl Brenner'] },
    { ask: 'When is the summer party?', expect: ['26 June'] },
    { ask: 'How many electric vans are ordered for Hamburg?' },

    { ask: 'How many orders from Denmark are not paid?', expect: ['24'] },
    { ask: 'Which product has the highest average unit price?', expect: ['Packing table'] },
    { ask: 'How many orders were placed in March 2026?', expect: ['46'] },
    { ask: 'How many orders from Norway came in after 1 June 2026?', expect: ['13'] },
    { ask: 'What is the total quantity of hand scanners ordered from Poland?', expect: ['54'] },
    { ask: 'Which country has the fewest orders?', expect: ['Norway'] },
    { ask: 'What is the average unit price of safety vests in Denmark?', expect: ['17'] },
    { ask: 'How many orders for label rolls were not cancelled?', expect: ['43'] },
    { ask: 'How many open orders have a quantity of more than 10?', expect: ['6'] },
    { ask: 'When did Fjellbruk last order something?', expect: ['2026-08-31'] },
    { ask: 'Which customer ordered the most pallet jacks?', expect: ['Havn & Co'] },
    { ask: 'How many orders were paid by credit card?' },
    { ask: 'Who has worked here for 3 years?', expect: ['Carla Lueders', 'Elif Ehlers', 'Zoe Stamm'] },
    { ask: 'Who in Sales earns more than 30 an hour?', expect: ['Dario Nolte', 'Hannes Quast', 'Paul Kruse'] },
    { ask: 'Who in the warehouse joined first?', expect: ['Sven Peters'] },
    { ask: 'Who joined most recently?', expect: ['Olga Dietz'] },
    { ask: 'Which employees in Bremen do not work remotely?', expect: ['Frank Ude', 'Tanja Imhoff'] },
    { ask: 'What is the average hourly wage in IT?', expect: ['25.75'] },
    { ask: 'Who are the three best paid employees?', expect: ['Wiebke Cordes', 'Renate Janssen', 'Paul Kruse'] },
    { ask: 'Which department has the most employees?', expect: ['Warehouse'] },
    { ask: 'Which employee has taken the most sick days?' },
    { ask: 'How many high priority tickets are still open?', expect: ['6'] },
    { ask: 'How many tickets has Ulrich Tietjen closed?', expect: ['19'] },
    { ask: 'What is the average of the hours spent on hardware tickets?', expect: ['3.06'] },
    { ask: 'How many tickets with high priority came from the Leipzig office?' },
    { ask: 'Wie viele Rechnungen von Nordkabel sind nicht bezahlt?', expect: ['4'] },
    { ask: 'Welche Rechnung hat den höchsten Betrag?', expect: ['R2668'] },
    {
      ask: 'Welche Rechnungen aus Bremen waren vor dem 1. April 2026 fällig und sind noch nicht bezahlt?',
      expect: ['R2613'],
    },
    { ask: 'Wie hoch ist der durchschnittliche Betrag der Rechnungen der Stadtwerke?', expect: ['542.29'] },
    { ask: 'Wie viele Rechnungen wurden storniert?' },
  ],
};
