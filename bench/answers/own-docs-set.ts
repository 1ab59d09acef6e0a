import { readdirSync, readFileSync } from 'node:fs';
import { type AnswerSet, textDocument } from './answer-set.ts';

const folder = new URL('../../docs/', import.meta.url);

/**
 * Twenty questions over the pages of `docs`, two of them without an answer, written without a look at the answerer
 * and never edited. `answers.md` lists the questions and is left out.
 */
export const ownDocsSet: AnswerSet = {
  name: 'own docs set',
  agent: 'Atrium guide',
  documents: readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'answers.md')
    .map((name) => textDocument(name, readFileSync(new URL(name, folder), 'utf8'))),
  tables: [],
  questions: [
    { ask: 'How long are notifications kept?', expect: ['90 days'] },
    { ask: 'How many days is an invitation valid?', expect: ['seven days'] },
    { ask: 'Wie viele Zeichen muss ein Passwort mindestens haben?', expect: ['12 characters'] },
    { ask: 'How long does the link work that I get by mail when I forgot my password?', expect: ['an hour'] },
    { ask: 'For how many days is the history of a table kept?', expect: ['90 days'] },
    { ask: 'How long can a column that was dropped be restored?', expect: ['seven days'] },
    { ask: 'How long are entries of the audit log kept?', expect: ['400'] },
    { ask: 'At what percentage does a budget warn?', expect: ['80'] },
    { ask: 'How many budgets can a workspace have at most?', expect: ['100'] },
    { ask: 'What does handover mean?', expect: ['in place of the agent'] },
    { ask: 'Which version of PostgreSQL do we need?', expect: ['15 or newer'] },
    { ask: 'How do I make a backup?', expect: ['npm run backup'] },
    { ask: 'After how many days without success is a webhook switched off?', expect: ['five days'] },
    { ask: 'Which channels can an agent be deployed to?', expect: ['Slack', 'Teams'] },
    { ask: 'Can I deploy an agent on WhatsApp?' },
    { ask: 'What may somebody with the role Reader do?', expect: ['searching knowledge bases'] },
    { ask: 'When does a terminal end that nobody types into?', expect: ['15 minutes'] },
    { ask: 'How much does a licence cost per user?' },
    { ask: 'Which permission does it take to subscribe other programs to events?', expect: ['integrations_edit'] },
    { ask: "Who is allowed to erase a person's data?", expect: ['administrator of the organization'] },
  ],
};
