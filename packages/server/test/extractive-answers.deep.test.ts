import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledgeApp } from '../src/features/knowledge-bases/testing.ts';

const kb = await knowledgeApp({ providers: [] });
const { call } = kb;

const documents = {
  'returns.md': `# Returns

You can return accessories within 30 days of delivery, if they are unused and still in their original box with all parts. Machines are an exception. They have to be back at our warehouse within 14 days. The cost of the parcel is paid by the customer, except where the article was broken when it came.

## Sending something back
1. Choose "Return" in your account.
2. Print the label.
3. Hand the parcel to the depot.`,
  'first-day.md': `# Your first day

## What to bring
- a passport
- your tax number
- your bank details`,
  'orders.csv':
    'order,customer,status\n1041,Bakery Lund,delivered\n1042,Cafe Solveig,waiting for parts\n1043,Hotel Arken,shipped\n',
  'kaffeekueche.txt':
    'Kaffeeküche\n\nDie Spülmaschine läuft täglich um 16 Uhr.\n\nDie Milch wird montags von Frau Brandt bestellt.',
  'garantie.txt': 'Garantie\n\nLa garantie dure deux ans.\n\nLes joints ne sont pas couverts.',
  'tienda.txt': 'Tienda\n\nLa tienda abre a las nueve y media.\n\nLos domingos no abre.',
};
const base = await kb.base({}, { name: 'Handbook' });
await kb.fill(base, documents);

async function good(method: string, path: string, body?: unknown) {
  const { status, json, text } = await call(method, path, body);
  assert.equal(status, 200, text);
  return json;
}
const sales = await good('POST', '/v1/tables', {
  name: 'Sales',
  columns: [
    { name: 'country' },
    { name: 'product' },
    { name: 'amount', type: 'number' },
    { name: 'sold_on', type: 'date' },
  ],
});
await good('POST', `/v1/tables/${sales.id}/rows`, [
  { country: 'Germany', product: 'Grinder', amount: 470, sold_on: '2026-01-12' },
  { country: 'Germany', product: 'Kettle', amount: 30.5, sold_on: '2026-02-02' },
  { country: 'Sweden', product: 'Grinder', amount: 455, sold_on: '2026-02-14' },
]);
const definition = { knowledge_bases: [base], tables: [sales.id], pii_anonimization: [] };
const agent = await good('POST', '/v1/agents', { name: 'Nora', definition });

interface Part {
  type: string;
  content: string;
  name?: string;
  title?: string;
}

/** Asks the questions in one conversation; the answer to the last one. */
async function ask(...questions: string[]) {
  const { id } = await good('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'test' });
  let parts: Part[] = [];
  for (const content of questions)
    parts = (await good('POST', `/v1/conversations/${id}`, { content })).messages.at(-1).message_parts;
  const of = (type: string) => parts.filter((part) => part.type === type);
  const said = of('text')
    .map(({ content }) => content)
    .join('');
  // Advice for the operator follows the answer.
  const text = said.split('\n\nI am ')[0] ?? said;
  return { text, calls: of('function').map(({ name }) => name), sources: of('source').map(({ title }) => title) };
}

test('quotes the neighbours that a sentence needs', async () => {
  const { text, sources } = await ask('How long do I have to return a machine?');
  assert.match(text, /Machines are an exception\. They have to be back at our warehouse within 14 days\./);
  assert.deepEqual(sources, ['returns.md']);
});

test('quotes numbered steps and lists whole', async () => {
  const steps = await ask('How do I send something back?');
  assert.match(
    steps.text,
    /“1\. Choose "Return" in your account\.\n {2}2\. Print the label\.\n {2}3\. Hand the parcel to the depot\.”/,
  );
  const list = await ask('What do I have to bring on my first day?');
  assert.match(list.text, /“- a passport\n {2}- your tax number\n {2}- your bank details” \[first-day\.md\]/);
});

test('quotes the row of an order with the names of its columns, and no other row', async () => {
  const { text } = await ask('What is the status of order 1042?');
  assert.match(text, /“order: 1042, customer: Cafe Solveig, status: waiting for parts” \[orders\.csv\]/);
  assert.doesNotMatch(text, /1041|1043/);
  const unknown = await ask('What is the status of order 2077?');
  assert.match(unknown.text, /^I found nothing about this/);
});

test('tells who it is and what it can do in any turn, by its own name, knowledge bases and tables', async () => {
  for (const questions of [['Who are you?'], ['When does the shop open?', 'And what can you do?']]) {
    const { text, calls } = await ask(...questions);
    assert.match(text, /^I am Nora, .*"Handbook".*Sales/s, text);
    assert.deepEqual(calls, []);
  }
  assert.match((await ask('Wer bist du und was kannst du?')).text, /^Ich bin Nora, .*"Handbook"/);
  assert.match((await ask('Que peux-tu faire ?')).text, /^Je suis Nora, /);
  assert.match((await ask('¿Quién eres?')).text, /^Soy Nora, /);
});

test('answers a follow-up about the topic of the turn before', async () => {
  const { text } = await ask('How long do I have to return a machine?', 'And accessories?');
  assert.match(text, /return accessories within 30 days/);
  const german = await ask('Wer bestellt die Milch?', 'Und an welchem Tag?');
  assert.match(german.text, /montags von Frau Brandt/);
});

test('quotes nothing when no document carries the question', async () => {
  for (const question of ['What is the capital of France?', 'Who won the match?', 'How do I make pizza dough?']) {
    const { text } = await ask(question);
    assert.match(text, /^I found nothing about this in .*"Handbook"/, question);
    assert.doesNotMatch(text, /“/, question);
  }
});

test('answers for figures of a table with the SQL tool', async () => {
  const count = await ask('How many sales are there in Germany?');
  assert.deepEqual(new Set(count.calls), new Set(['tables_sql']));
  assert.match(count.text, /: 2 \[Sales\]$/);
  assert.match((await ask('What is the total amount of sales in Germany?')).text, /: 500\.5 \[Sales\]$/);
  assert.match(
    (await ask('Wie hoch ist der Durchschnitt von amount in Sales?')).text,
    /^Durchschnitt .*: 318\.5 \[Sales\]$/,
  );
  assert.match((await ask('How many sales were there in February 2026?')).text, /: 2 \[Sales\]$/);
  assert.match(
    (await ask('What is the total amount of sales per country?')).text,
    /country Germany: 500\.5 \[Sales\]\n- country Sweden: 455 \[Sales\]/,
  );
  assert.match(
    (await ask('Which sale has the highest amount?')).text,
    /“country: Germany, product: Grinder, amount: 470,/,
  );
  const unknown = await ask('How many sales are there in Atlantis?');
  assert.match(unknown.text, /^I found nothing about this/);
});

test('uses every condition of a question for a figure, or names it and gives none', async () => {
  const not = await ask('How many sales are not from Germany?');
  assert.match(not.text, /\(country: not Germany\): 1 \[Sales\]$/);
  assert.match((await ask('How many sales in Germany were below 100?')).text, /amount < 100.*: 1 \[Sales\]$/);
  assert.match((await ask('Which product has the highest average amount?')).text, /product Grinder: 462\.5/);
  assert.match((await ask('How many sales were there after 1 February 2026?')).text, /: 2 \[Sales\]$/);
  const unused = await ask('How many sales in Germany were refunded?');
  assert.match(unused.text, /I did not use: refunded\./);
  assert.doesNotMatch(unused.text, /“|: \d/);
  // Rows of other months are no answer.
  assert.doesNotMatch((await ask('Did Germany buy a grinder in March 2026?')).text, /“/);
});

test('finds the columns of a value that looks like SQL, and changes nothing', async () => {
  const { text } = await ask('How many sales are there in "Germany\'; drop table sales; --"?');
  assert.match(text, /I found nothing|: \d+ \[Sales\]/);
  assert.equal((await good('GET', `/v1/tables/${sales.id}/rows`)).items.length, 3);
});

test('shows no internal names of tools to users', async () => {
  for (const question of [
    'Who are you?',
    'Who won the match?',
    'How many sales are there in Germany?',
    'What is a heron?',
  ])
    assert.doesNotMatch((await ask(question)).text, /kb_|_search|tables_|filesystem|_sql|kb handbook/, question);
});

test('answers in the language of the question', async () => {
  assert.match((await ask('Wann läuft die Spülmaschine?')).text, /^Das habe ich gefunden:[\s\S]*16 Uhr/);
  assert.match((await ask('Combien de temps dure la garantie ?')).text, /^Voici ce que j’ai trouvé :[\s\S]*deux ans/);
  assert.match((await ask('¿A qué hora abre la tienda?')).text, /^Esto es lo que he encontrado:[\s\S]*nueve y media/);
  assert.match((await ask('Wer hat das Spiel gewonnen?')).text, /^Dazu habe ich nichts gefunden/);
});

test('quotes only lines that stand in the document that it cites', async () => {
  for (const question of ['How do I send something back?', 'Who pays for the parcel?', 'Wer bestellt die Milch?']) {
    const { text } = await ask(question);
    const quotes = [...text.matchAll(/“([^”]+)” \[([^\]]+)\]/g)];
    assert.ok(quotes.length > 0, question);
    for (const [, quote = '', title = ''] of quotes)
      for (const line of quote.split('\n'))
        assert.ok(documents[title as keyof typeof documents].includes(line.trim()), `${line} in ${title}`);
  }
});
