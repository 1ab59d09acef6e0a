import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCallers } from './callers.ts';
import { plantEverything } from './plant-everything.ts';
import { checkStoredWords } from './stored-words.ts';
import { inParallel, makeSweep } from './sweep.ts';
import { checkTable, isAllowed, isInner, readTable } from './who-sees-what.ts';

const { app, planting, owner, sharee } = await plantEverything();
const { routes, server } = app.app;
const table = readTable();
const callers = await makeCallers(app, { owner, sharee });
const origin = await server.listen({ port: 0, host: '127.0.0.1' });

test('every table that users write in has a marked word', () => checkStoredWords(planting));

test('docs/people.md says of every marked word who sees it', () => checkTable(table, planting.words));

test('a marked word is seen only by those whom docs/people.md names', async (t) => {
  const sweep = makeSweep(origin, planting);
  const reads = routes.filter(({ route }) => route.startsWith('GET '));
  await inParallel(callers, 6, (caller) => sweep.walk(caller, reads));
  const sightings = [...sweep.sightings.values()];
  t.diagnostic(`${sweep.count()} requests of ${callers.length} callers`);
  const leaks = sightings
    .filter((sighting) => !isAllowed(table, sighting))
    .map(
      ({ caller, word, url, operation }) =>
        `${caller.name} sees the ${word.field} of a ${word.kind} in ${operation}, as ${url}`,
    );
  const unseen = planting.words
    .filter((word) => !isInner(table, word) && !sightings.some((sighting) => sighting.word === word))
    .map(({ kind, field }) => `no caller sees the ${field} of a ${kind}`);
  assert.equal(unseen.length + leaks.length, 0, [...unseen, ...leaks].join('\n'));
});
