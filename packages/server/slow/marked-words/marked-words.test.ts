import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodAndPath } from '@atrium/contract/operation.ts';
import type { Route } from '../../src/lib/route.ts';
import { type Caller, makeCallers } from './callers.ts';
import { plantEverything } from './plant-everything.ts';
import { checkStoredWords } from './stored-words.ts';
import { makeSweep } from './sweep.ts';
import { checkTable, isAllowed, isInner, readTable } from './who-sees-what.ts';

const { app, planting, owner, sharee } = await plantEverything();
const { routes, server } = app.app;
const table = readTable();
const callers = await makeCallers(app, { owner, sharee });
const sweep = makeSweep(await server.listen({ port: 0, host: '127.0.0.1' }), planting);

const by = (...methods: string[]) => routes.filter((route) => methods.includes(methodAndPath(route).method));
/** These end or change the session of their caller, who has further requests to send. */
const isAboutOwnSession = ({ tag, id }: Route) => tag === 'Sign-in' && id !== 'personalData.exportOwn';
/** What a caller sees that the table does not allow. */
const leaks = () =>
  sweep
    .sightings()
    .filter((sighting) => !isAllowed(table, sighting))
    .map(
      ({ caller, word, url, operation }) =>
        `${caller.name} sees the ${word.field} of a ${word.kind} in ${operation}, as ${url}`,
    );

test('every table that users write in has a marked word', () => checkStoredWords(planting));

test('docs/people.md says of every marked word who sees it', () => checkTable(table, planting.words));

test('every operation that reads shows a marked word only to those whom docs/people.md names', async (t) => {
  await sweep.walk(callers, by('GET'));
  await sweep.walkMcp(callers);
  t.diagnostic(`${sweep.count()} requests of ${callers.length} callers`);
  assert.equal(leaks().length, 0, leaks().join('\n'));
});

test('every marked word is seen by a caller, unless docs/people.md says that nobody sees it', () => {
  const seen = new Set(sweep.sightings().map(({ word }) => word));
  const unseen = planting.words.filter((word) => !isInner(table, word) && !seen.has(word));
  assert.deepEqual(unseen, []);
});

test('every operation that changes something answers a marked word only to those whom docs/people.md names', async (t) => {
  const mayChange = ({ holds }: Caller) => holds.has('conversations_edit');
  const others = callers.filter(({ holds }) => !holds.has('owner') && !holds.has('org:admin'));
  const isRelease = ({ id }: Route) => id === 'evaluationCases.release';
  const changing = by('POST', 'PUT', 'PATCH').filter((route) => !isAboutOwnSession(route) && !isRelease(route));
  // Those who may change the planted records come after those who may not, and what deletes them comes last.
  for (const some of [others.filter((caller) => !mayChange(caller)), others.filter(mayChange)])
    await sweep.walk(some, changing);
  // A released case is everybody's.
  await sweep.walk(others, routes.filter(isRelease));
  await sweep.walk(
    others,
    by('DELETE').filter((route) => !isAboutOwnSession(route)),
  );
  t.diagnostic(`${sweep.count()} requests in all`);
  assert.equal(leaks().length, 0, leaks().join('\n'));
});
