import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '@atrium/contract/permissions.ts';
import { type Actor, noPerson } from '../../lib/scope.ts';
import { type Caller, mayEditOthers, type OwnedKind, onlyOwner, runReach, seesAll } from './service.ts';

const caller = (kind: Actor['kind'], permissions: Permission[] = [], more: Partial<Caller> = {}): Caller => ({
  ...{ actor: { kind, id: 'me', name: 'Me' }, permissions: new Set(permissions), ...more },
});
const kinds: OwnedKind[] = ['conversation', 'run', 'file'];
const seen = (one: Caller) => kinds.filter((kind) => seesAll(one, kind));

test('sees the records of everybody only with the permission of their kind', () => {
  for (const kind of ['person', 'api_key'] as const) {
    assert.deepEqual(seen(caller(kind)), []);
    assert.deepEqual(seen(caller(kind, ['conversations_read'])), ['conversation']);
    assert.deepEqual(seen(caller(kind, ['runs_read_all'])), ['run']);
    assert.deepEqual(seen(caller(kind, ['files_read_all'])), ['file']);
    assert.deepEqual(seen(caller(kind, [], { wide_reach: true })), kinds);
  }
});

test('visitors and triggers are limited elsewhere in conversations, and see no other records', () => {
  for (const kind of ['link', 'channel'] as const) {
    assert.deepEqual(seen(caller(kind, ['runs_read_all', 'files_read_all'])), ['conversation']);
  }
  assert.deepEqual(seen(caller('trigger')), ['conversation']);
  assert.deepEqual(seen(caller('trigger', ['files_read_all'])), ['conversation', 'file']);
  assert.deepEqual(seen(caller('system')), kinds);
});

test('names the owner whose records alone a caller sees', () => {
  const of = (one: Caller) => kinds.map((kind) => onlyOwner(one, kind));
  assert.deepEqual(of(caller('person')), ['me', 'me', 'me']);
  assert.deepEqual(of(caller('api_key', [], { record_owner_id: 'account' })), ['account', 'account', 'account']);
  assert.deepEqual(of(caller('api_key')), [noPerson, noPerson, noPerson]);
  assert.deepEqual(of(caller('system')), [undefined, undefined, undefined]);
  assert.deepEqual(of(caller('system', [], { own_conversations: true, person_id: 'p' })), ['p', undefined, undefined]);
  assert.deepEqual(of(caller('system', [], { own_conversations: true })), [noPerson, undefined, undefined]);
  assert.deepEqual(of(caller('trigger', [], { conversations_of: 'o', person_id: 'p' })), ['o', 'p', 'p']);
});

test('edits conversations of others only with the permission, unless it acts for a record of its own', () => {
  assert.deepEqual([mayEditOthers(caller('person')), mayEditOthers(caller('api_key'))], [false, false]);
  assert.equal(mayEditOthers(caller('person', ['conversations_edit'])), true);
  assert.equal(mayEditOthers(caller('api_key', [], { wide_reach: true })), true);
  assert.equal(mayEditOthers(caller('trigger')), true);
});

test('reads the runs of its conversations and workflows besides its own', () => {
  const narrow = { owner_id: 'me', all_conversations: false, edits_workflows: false };
  assert.deepEqual(runReach(caller('person')), narrow);
  assert.deepEqual(runReach(caller('person', ['conversations_read'])), narrow);
  assert.deepEqual(runReach(caller('person', ['conversations_read', 'agents_run', 'flows_edit'])), {
    ...{ owner_id: 'me', all_conversations: true, edits_workflows: true },
  });
  assert.equal(runReach(caller('person', ['runs_read_all'])), undefined);
});
