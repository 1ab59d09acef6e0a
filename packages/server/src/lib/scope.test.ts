import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Actor, actorId, isOutsider, personBehind, recordOwner } from './scope.ts';

const actor = (kind: Actor['kind']): { actor: Actor } => ({ actor: { kind, id: 'a', name: 'A' } });
const kinds = ['api_key', 'person', 'link', 'channel', 'trigger', 'system'] as const;
const by = <T>(read: (kind: Actor['kind']) => T) => Object.fromEntries(kinds.map((kind) => [kind, read(kind)]));

test('every actor but the platform is stored as an author', () => {
  const all = { api_key: 'a', person: 'a', link: 'a', channel: 'a', trigger: 'a' };
  assert.deepEqual(
    by((kind) => actorId(actor(kind))),
    { ...all, system: null },
  );
});

test('holders of a link and users of a channel are outsiders, whoever they act for', () => {
  const outside = { api_key: false, person: false, link: true, channel: true, trigger: false, system: false };
  assert.deepEqual(
    by((kind) => isOutsider(actor(kind))),
    outside,
  );
  assert.deepEqual(
    by((kind) => personBehind({ ...actor(kind), person_id: 'p' })),
    by((kind) => (outside[kind] ? null : 'p')),
  );
  assert.deepEqual(
    by((kind) => recordOwner({ ...actor(kind), record_owner_id: 'o' })),
    by((kind) => (outside[kind] ? null : kind === 'person' ? 'a' : 'o')),
  );
});
