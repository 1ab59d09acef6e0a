import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemas } from './descriptions.ts';
import { changeGroup, type WantedGroup } from './group-document.ts';
import type { Change } from './patch.ts';
import { pick, windowOf } from './shape.ts';

const [ada, bo] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const group: WantedGroup = { name: 'Staff', external_id: 'e', members: new Set([ada]) };
const after = (...changes: object[]) => changeGroup(group, changes as Change[]);
const membersAfter = (change: object) => [...after({ attribute: 'members', ...change }).members];

test('adds, replaces and removes the members that a directory names', () => {
  assert.deepEqual(membersAfter({ op: 'add', value: [{ value: bo }] }), [ada, bo]);
  assert.deepEqual(membersAfter({ op: 'replace', value: [{ value: bo }] }), [bo]);
  assert.deepEqual(membersAfter({ op: 'remove', selected: ada.toUpperCase() }), []);
  assert.deepEqual(membersAfter({ op: 'remove', value: [{ value: bo }] }), [ada]);
  assert.deepEqual(membersAfter({ op: 'remove', value: [] }), [ada], 'an empty list names no member');
  assert.deepEqual(membersAfter({ op: 'remove' }), [], 'all of them');
});

test('refuses to remove what a group always has, and ignores other changes of it', () => {
  for (const attribute of ['id', 'meta']) {
    assert.throws(() => after({ op: 'remove', attribute }), /can not be changed/);
    assert.deepEqual(after({ op: 'replace', attribute, value: 'x' }), group);
  }
  assert.throws(() => after({ op: 'remove', attribute: 'displayname' }));
  assert.equal(after({ op: 'remove', attribute: 'externalid' }).external_id, null);
  assert.equal(after({ op: 'replace', attribute: 'displayname', value: ' New ' }).name, 'New');
});

test('returns the attributes that a request wants, and always id and schemas', () => {
  const resource = { schemas: ['s'], id: 'i', userName: 'u', name: { givenName: 'g' }, active: undefined };
  const wanted = (query: object) => Object.keys(pick(query as never, resource));
  assert.deepEqual(wanted({}), ['schemas', 'id', 'userName', 'name']);
  assert.deepEqual(wanted({ attributes: 'urn:a:b:USERNAME, name.givenName' }), ['schemas', 'id', 'userName', 'name']);
  assert.deepEqual(wanted({ attributes: 'userName' }), ['schemas', 'id', 'userName']);
  assert.deepEqual(wanted({ excludedAttributes: 'id,schemas,name' }), ['schemas', 'id', 'userName']);
});

test('moves the window of a list into its bounds', () => {
  const window = (startIndex: number, count: number) => windowOf({ startIndex, count } as never);
  assert.deepEqual(window(3, 10), { start: 3, offset: 2, limit: 10 });
  assert.deepEqual(window(-1, -1), { start: 1, offset: 0, limit: 0 });
  assert.equal(window(1, 201).limit, 200);
});

test('describes which attributes a user needs, may have several of, and tells apart by case', () => {
  const user = schemas[0]?.['attributes'] as Record<string, unknown>[];
  const named = (field: string) => user.filter((one) => one[field] === true).map(({ name }) => name);
  assert.deepEqual([named('required'), named('caseExact')], [['userName'], ['externalId']]);
  assert.ok(named('multiValued').includes('emails') && !named('multiValued').includes('userName'));
});
