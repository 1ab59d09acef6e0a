import type { AnswerSet } from './answer-set.ts';
import { firstSet } from './first-set.ts';

/** Further questions over the documents of the first set: rows of tables, lists, follow-ups, and some without an answer. */
export const thirdSet: AnswerSet = {
  ...firstSet,
  name: 'third set',
  questions: [
    { ask: 'How much does shipping to Spain cost?', expect: ['14 EUR'] },
    { ask: 'And to Germany?', after: ['How much does shipping to Spain cost?'], expect: ['9 EUR'] },
    { ask: 'Who sits on the board?', expect: ['Greta Lind', 'Arvid Berg', 'Noor Haddad'] },
    { ask: 'What is new in version 3.1 of the app?', expect: ['Dark mode', 'CSV'] },
    { ask: 'In which room is the course Latte art?', expect: ['A2'] },
    { ask: 'Who teaches it?', after: ['In which room is the course Latte art?'], expect: ['Tom Ferris'] },
    { ask: 'Who are the fire wardens?', expect: ['Olga Petrov', 'Sam Idowu'] },
    { ask: 'What happens on Tuesday of the first week?', expect: ['safety training'] },
    { ask: 'How long does a filter cartridge last?', expect: ['150 litres'] },
    { ask: 'Wann werden Videoaufnahmen überschrieben?', expect: ['72 Stunden'] },
    { ask: 'What should I do when the machine shows E12?', expect: ['Call the service'] },
    { ask: 'What is the total amount of sales of Hotel Arken?', expect: ['986'] },
    { ask: 'What is the phone number of the canteen?' },
    { ask: 'Which course does Greta Lind teach?' },
    { ask: 'How much does shipping to Norway cost?' },
  ],
};
