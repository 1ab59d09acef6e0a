import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationId as ContractId, routes as contractRoutes } from '@atrium/contract/routes.ts';
import { type AnswerOf, Atrium, type BodyOf, type ItemOf, type StreamPart } from '@atrium/sdk';
import type { OperationId } from '../src/operation-kinds.ts';
import type { routes } from '../src/routes/routes.ts';

// This file is checked by the compiler: each line with `@ts-expect-error` fails the build when it is accepted.

type Whole<Base extends string, Entry extends string> = Entry extends `${infer M} ${infer P}`
  ? P extends `/v1/${string}` | `/hooks/${string}`
    ? Entry
    : `${M} ${Base}${P}`
  : `${Entry} ${Base}`;
type Named<Verb extends string, Entry extends string> = Entry extends `${string}/` ? `${Entry}${Verb}` : Entry;
type Flat = {
  [R in keyof typeof routes]: {
    [V in keyof (typeof routes)[R][1] & string]: `${R}.${V} ${Whole<
      (typeof routes)[R][0],
      Named<V, (typeof routes)[R][1][V] & string>
    >}`;
  }[keyof (typeof routes)[R][1] & string];
}[keyof typeof routes];
type Bare<R extends string> = R extends `${infer Before}{${string}}${infer After}` ? `${Before}{}${Bare<After>}` : R;
type Contract = { [Id in OperationId]: `${Id} ${Bare<(typeof contractRoutes)[Id]>}` }[OperationId];

/** True, or the entries that one of the two lacks. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : Exclude<B, A>) : Exclude<A, B>;

const client = new Atrium({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', maxRetries: 0 });

/** Never called: only its types count. */
async function compile() {
  const agents = await client.agents.list({ page: 2, search: 'support' });
  const persona: string | undefined = agents.items[0]?.definition.persona[0]?.text;
  const short = await client.agents.list({ view: 'summary' });
  // @ts-expect-error a summary has no settings
  short.items[0]?.definition;
  // @ts-expect-error there is no such filter
  await client.agents.list({ nope: 1 });
  // @ts-expect-error pages are numbers
  await client.agents.list({ page: 'two' });
  // @ts-expect-error an id is needed
  await client.agents.get();
  // @ts-expect-error the name is needed
  await client.agents.create({ definition: {} });
  await client.agents.create({ name: 'Support', definition: { persona: 'You are patient.', temperature: 0.2 } });
  // @ts-expect-error settings have types
  await client.agents.create({ name: 'Support', definition: { temperature: 'hot' } });
  await client.agents.update('a', { name: 'New' }, { ifMatch: agents.items[0]?.etag, query: { preview: true } });
  for await (const agent of client.agents.each({ search: 'a' })) agent.name.trim();
  for await (const row of client.rows.each('t', { size: 10 })) Object.keys(row);
  // @ts-expect-error a record is no list
  client.agents.eachGet;
  const file: AnswerOf<'files.get'> = await client.files.upload(new Blob(['x']));
  const bytes: Response = await client.files.download(file.id);
  const url: string = client.url('files.thumbnail', file.id, { width: 64 });
  for await (const part of client.conversations.stream('c', { content: 'Hello' })) {
    const text: string = part.type === 'text-delta' ? part.delta : '';
    const whole: StreamPart = part;
    void [text, whole];
  }
  // @ts-expect-error a message has a text
  client.conversations.stream('c', {});
  for await (const { event, target_id } of client.events({ types: ['document'] })) void [event, target_id];
  const sent: BodyOf<'messages.send'> = { content: 'x', files: [{ name: 'a.txt', b64_content: 'eA==' }] };
  const item: ItemOf<'conversations.list', 'summary'> | undefined = undefined;
  // @ts-expect-error SCIM is not part of the client
  client.scim;
  void [persona, bytes, url, sent, item];
}

test('the table of routes is that of the contract, checked by the compiler', () => {
  const same: Same<Flat, Contract> = true;
  const known: Exclude<OperationId, ContractId> extends never ? true : false = true;
  assert.ok(same && known && compile.length === 0);
});
