import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../../../test/support/test-app.ts';
import { newId } from '../../lib/ids.ts';

/** Asks again until it is so; a minute at most. */
export async function until<T>(ask: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let look = 0; look < 2400; look++) {
    const value = await ask();
    if (good(value)) return value;
    await sleep(25);
  }
  throw new Error('It did not come to pass');
}

/** Has a job done by the app's own worker, now. */
export async function doJob({ query, logged }: TestApp, job: string): Promise<void> {
  const [{ id }] = await query(
    'select (graphile_worker.add_job($1, $2::json, max_attempts => 1, queue_name => $1)).id',
    [job, '{}'],
  );
  for (let look = 0; look < 4800; look++) {
    const [found] = await query('select last_error from graphile_worker.jobs where id = $1', [id]);
    if (!found) return;
    if (found.last_error) throw new Error(`${job}: ${found.last_error} ${logged.slice(-5).join('\n')}`);
    await sleep(25);
  }
  throw new Error(`${job} was not done`);
}

/**
 * Adds up every fact there is now. A transaction that is open in any database of the server holds newer facts back for a
 * while, and the tests of other files have theirs in the same server.
 */
export async function addUp(app: TestApp): Promise<void> {
  const left = () =>
    app.query(`select 1 from insight_mark m where exists (select 1 from run_facts f where f.tx >= m.tx)
      or exists (select 1 from csat_facts f where f.tx >= m.tx) or exists (select 1 from model_calls f where f.tx >= m.tx)
      or exists (select 1 from said_facts f where f.tx >= m.tx)`);
  for (let look = 0; look < 600; look++) {
    await doJob(app, 'insights.roll-up');
    if ((await left()).length === 0) return;
    await sleep(100);
  }
  throw new Error('Some facts are held back by a transaction that does not end');
}

/** Looks at all conversations that are due. The job that comes every minute may have taken some first, and is still at it. */
export async function lookAtDue(app: TestApp): Promise<void> {
  await doJob(app, 'insights.look');
  const looking = () => app.query("select 1 from graphile_worker.jobs where task_identifier = 'insights.look'");
  await until(looking, (jobs) => jobs.length === 0);
}

/** Analyses all conversations that have had an answer, as if their last message were long ago. */
export async function lookNow(app: TestApp): Promise<void> {
  await addUp(app);
  await app.query('update insight_due set due_at = now()');
  await lookAtDue(app);
}

/** Conversations with one question and one answer each, as runs leave them; due to be looked at. */
export async function fillTalks(app: TestApp, agent: { id: string; group_id: string }, texts: readonly string[]) {
  const [{ version_id }] = await app.query('select published_version_id as version_id from agents where id = $1', [
    agent.id,
  ]);
  const ids = texts.map(() => newId());
  const values = [agent.group_id, agent.id, version_id, ids, texts];
  await app.query(
    `insert into conversations (workspace_id, id, assistant_id, assistant_version_id, status, message_count, etag_ms, name)
     select $1, id, $2, $3, 'completed', 2, 1, 'made' from unnest($4::uuid[]) as id`,
    values.slice(0, 4),
  );
  await app.query(
    `insert into messages (workspace_id, conversation_id, seq, id, role, parts)
     select $1, id, seq, gen_random_uuid(), case seq when 1 then 'user' else 'assistant' end,
       json_build_array(json_build_object('role', case seq when 1 then 'user' else 'assistant' end,
         'type', case seq when 1 then 'user' else 'text' end, 'content', case seq when 1 then text else 'I will see to it.' end))::text
     from unnest($2::uuid[], $3::text[]) as own (id, text), generate_series(1, 2) as seq`,
    [agent.group_id, ids, texts],
  );
  await app.query(
    `insert into insight_due (workspace_id, conversation_id, agent_id, due_at)
     select $1, id, $2, now() from unnest($3::uuid[]) as id`,
    [agent.group_id, agent.id, ids],
  );
  return ids;
}

/** Ten subjects that people write to a shop about: the words by which each is known, and ways to say it. */
export const subjects: { subject: string; known_by: RegExp; said: string[] }[] = [
  {
    subject: 'refunds',
    known_by: /refund|money/i,
    said: [
      'I sent the jacket back two weeks ago and my refund has not arrived.',
      'When will the money for the returned shoes be refunded to my card?',
      'You promised a refund for the broken lamp but my bank shows nothing.',
      'Can I get a refund instead of a voucher for the return?',
      'The refund you paid is ten euros lower than what I paid.',
      'I returned everything last month, please check the refund of my money.',
      'My refund was sent to an old bank account that is closed now.',
      'How many days does a refund to a credit card take after the return?',
    ],
  },
  {
    subject: 'passwords',
    known_by: /password|login|log/i,
    said: [
      'I can not log in, it says that my password is wrong.',
      'The link to reset the password in your mail has expired.',
      'I forgot the password of my account and the reset mail never comes.',
      'After I changed my password the login page sends me back every time.',
      'My account is blocked after too many login attempts with a wrong password.',
      'Where can I change the password and turn on the second factor for login?',
      'The login code for my account does not arrive on my phone.',
      'Reset my password please, I am locked out of my account.',
    ],
  },
  {
    subject: 'delivery',
    known_by: /parcel|deliver|courier/i,
    said: [
      'My parcel should have been delivered on Monday and is not here.',
      'The tracking says delivered but there is no parcel at my door.',
      'Which courier brings the parcel and can I choose the delivery time?',
      'The courier left the parcel with a neighbour that I do not know.',
      'Tracking of my parcel has not moved since it left the depot.',
      'Please deliver the parcel to my office instead of my flat.',
      'Is delivery on Saturday possible and what does the courier charge?',
      'The delivery is late and the tracking number does not work.',
    ],
  },
  {
    subject: 'invoices',
    known_by: /invoice|tax|vat/i,
    said: [
      'I need an invoice with the tax number of our company on it.',
      'The VAT on the invoice is wrong, it should be seven per cent.',
      'Where can I download the invoices of the last quarter for my accountant?',
      'Please send the invoice to our accounting department as a PDF.',
      'The invoice shows the old address of our company, please correct it.',
      'Our accountant asks for one invoice for all purchases with VAT listed.',
      'Why is there no tax number on the invoice that I downloaded?',
      'The amount of the invoice and the amount booked are not the same.',
    ],
  },
  {
    subject: 'warranty repairs',
    known_by: /warranty|repair/i,
    said: [
      'The screen of my tablet stays black, is that covered by the warranty?',
      'I want to have my coffee machine repaired under warranty.',
      'How long is the warranty on the washing machine, and who repairs it?',
      'The repaired vacuum cleaner broke again after one week.',
      'The repair shop says that the warranty does not cover the battery.',
      'Where do I send the broken headphones for repair under warranty?',
      'The technician did not come to repair the dishwasher.',
      'Is there a spare machine while mine is being repaired?',
    ],
  },
  {
    subject: 'subscriptions',
    known_by: /subscription|cancel|plan/i,
    said: [
      'I want to cancel my subscription before it renews next month.',
      'My subscription was renewed although I had cancelled it.',
      'How do I switch from the yearly subscription to the monthly plan?',
      'Can I pause the subscription for the summer instead of cancelling?',
      'The family plan of the subscription shows only two members.',
      'What is the notice period to cancel the premium plan?',
      'You charged the premium plan although I took the basic subscription.',
      'Please cancel my trial so that it does not become a paid subscription.',
    ],
  },
  {
    subject: 'discount codes',
    known_by: /coupon|discount|code/i,
    said: [
      'The discount code from your newsletter is not accepted in the basket.',
      'Can I use two coupons for one purchase?',
      'My student discount was not taken off the price at the checkout.',
      'The coupon says it is expired but the newsletter says until Sunday.',
      'I forgot to enter the discount code, can you apply the coupon now?',
      'Is there a discount for the first purchase with a newsletter coupon?',
      'The checkout takes the coupon but the price of the basket stays.',
      'Where do I type in the discount code at the checkout?',
    ],
  },
  {
    subject: 'job applications',
    known_by: /job|appl|position|interview/i,
    said: [
      'I applied for the position in your warehouse and heard nothing.',
      'Is the job as a sales assistant still open, and can I apply online?',
      'When are the interviews for the internship in marketing?',
      'Which documents do I upload with my job application, a CV only?',
      'Can I change my CV after I sent the application for the position?',
      'What is the salary for the job as a driver, and how long is the interview?',
      'I would like to withdraw my application for the internship.',
      'Do you take applications for jobs from abroad, with an interview by video?',
    ],
  },
  {
    subject: 'opening hours',
    known_by: /open|store|shop|hour/i,
    said: [
      'What are the opening hours of your store at the station?',
      'Is the store in the city centre open on public holidays?',
      'Until when is the shop open on Saturdays, and is there parking?',
      'Does the store open earlier before Christmas?',
      'How do I get to the store by bus, and when does it close?',
      'Is the parking garage at the store open after closing hours?',
      'The opening hours on the map are wrong, the store was closed.',
      'Which of your stores are open on Sunday?',
    ],
  },
  {
    subject: 'sizes',
    known_by: /size|fit|trouser|shirt|small|large/i,
    said: [
      'Which size of the trousers fits me if I wear 32 in other brands?',
      'The shirt in size medium is too small at the shoulders.',
      'Do the sizes of your dresses run large or small?',
      'Is there a size chart in centimetres for children and their trousers?',
      'The sleeves are too long, does the shirt come in a shorter fit?',
      'I am between two sizes, does the dress stretch at the waist?',
      'Will the large size of the coat be in stock with a slim fit?',
      'The trousers fit at the waist but are too tight at the hips, a larger size?',
    ],
  },
];

const names = ['Maria Schneider', 'John Miller', 'Emma Johnson', 'Peter Schmidt', 'Laura Rossi', 'David Brown'];
const around = [
  'Hello!',
  'Good morning,',
  'I have a question.',
  'Please help me, it is urgent.',
  'Thank you very much for your help.',
  'I have been a customer for many years.',
  'I wrote to you last week and nobody answered.',
];

/** The same numbers for the same seed. */
function numbersFrom(seed: number) {
  let state = seed >>> 0;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Made {
  subject: string;
  text: string;
}

/** Conversations on the ten subjects in turn, each put differently, with names, numbers and small talk in between. */
export function madeConversations(count: number, seed: number): Made[] {
  const upTo = numbersFrom(seed);
  const one = <T>(list: readonly T[]) => list[upTo(list.length)] as T;
  return Array.from({ length: count }, (_, at) => {
    const { subject, said } = subjects[at % subjects.length] as (typeof subjects)[number];
    const sentences = [one(around), one(said), one(said), ...(upTo(2) ? [one(said)] : []), one(around)];
    const who = one(names);
    const signed = [
      `My name is ${who}, reach me at ${who.toLowerCase().replace(' ', '.')}@example.com or +49 30 ${9_000_000 + upTo(900_000)}.`,
      `Best regards, ${who}`,
      '',
    ][upTo(3)];
    return { subject, text: `${[...new Set(sentences)].join(' ')} ${signed}`.trim() };
  });
}
