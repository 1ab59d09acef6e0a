import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { as, makePeopleIn } from '../../people/testing.ts';

const app = await scriptedApp();
const { call, query } = app;
const people = await makePeopleIn(app);
const [ada, bo, reader, chief] = await Promise.all([
  people.aMember('Admin'),
  people.aMember('Editor'),
  people.aMember('Reader'),
  people.aMember('Admin'),
]);
for (const [id, name] of [
  [ada.id, 'Ada Byron'],
  [bo.id, 'Bo Diddley'],
  [chief.id, 'Chief'],
])
  await query('update people set name = $2 where id = $1', [id, name]);
await call('PATCH', `/v1/admin/users/${chief.id}`, { tenant_admin: true });
const cookieOfChief = String((await people.signIn(chief.email)).headers['set-cookie']).split(';')[0] as string;

type Session = { key: null; headers: Record<string, string> };
const good = async (method: string, path: string, body: unknown, session: Session) => {
  const answer = await call(method, path, body, session);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const [asAda, asBo, asReader, asChief] = [as(ada.cookie), as(bo.cookie), as(reader.cookie), as(cookieOfChief)];
const adaActor = { id: ada.id, name: 'Ada Byron', kind: 'person' };
const reason = 'Approved by legal';

async function lockedAgent(definition: object = { persona: 'Patient' }) {
  const made = await good('POST', '/v1/agents', { name: 'Desk', definition }, asAda);
  const body = { definition: { prompt_lock: true }, lock_reason: reason };
  return good('PATCH', `/v1/agents/${made.id}`, body, asAda);
}
const inboxOf = async (session: Session, status = 'pending') =>
  (await good('GET', `/v1/approvals?kind=agent&status=${status}`, undefined, session)).items;

test('shows who locked an agent, when and why, to everyone who may see the agent', async () => {
  const { id, locks, warnings } = await lockedAgent();
  const [{ locked_at, ...lock }] = locks;
  assert.deepEqual(lock, { lock: 'prompt_lock', locked_by: ada.id, locked_by_actor: adaActor, reason });
  assert.ok(Math.abs(Date.parse(locked_at) - Date.now()) < 60_000);
  assert.equal(warnings, undefined);
  assert.deepEqual((await good('GET', `/v1/agents/${id}`, undefined, asReader)).locks, locks);
  const { items } = await good('GET', '/v1/agents?size=100', undefined, asReader);
  assert.deepEqual(items.find((item: { id: string }) => item.id === id).locks, locks);
});

test('refuses a change of a locked field with who locked it and why, on agents and conversations', async () => {
  const { id, locks } = await lockedAgent();
  const refused = await call('PATCH', `/v1/agents/${id}`, { definition: { persona: 'Rude' } }, asBo);
  assert.deepEqual([refused.status, refused.json.code], [403, 'settings_locked']);
  assert.equal(refused.json.detail, 'These settings are locked: persona');
  assert.deepEqual(refused.json.locks, locks);
  const talk = await good('POST', `/v1/conversations?assistant_id=${id}`, {}, asBo);
  const there = await call('PATCH', `/v1/conversations/${talk.id}`, { settings: { persona: 'Rude' } }, asBo);
  assert.deepEqual([there.status, there.json.locks], [403, locks]);
  const version = await call('POST', `/v1/agents/${id}/versions`, { definition: { prompt_lock: false } }, asBo);
  assert.deepEqual([version.status, version.json.locks], [403, locks]);
});

test('keeps who locked first when the lock is sent again, and forgets it when it is turned off', async () => {
  const { id, locks } = await lockedAgent();
  const again = await good(
    'PATCH',
    `/v1/agents/${id}`,
    { definition: { prompt_lock: true, top_k: 3 }, lock_reason: 'Mine' },
    asBo,
  );
  assert.deepEqual(again.locks, locks);
  assert.deepEqual(again.warnings[0].loc, ['body', 'lock_reason']);
  const off = await good('PATCH', `/v1/agents/${id}`, { definition: { prompt_lock: false } }, asChief);
  assert.deepEqual(off.locks, []);
});

test('asks the administrators of the organization to unlock, who refuse with a note or unlock', async () => {
  const { id } = await lockedAgent();
  const draft = await good('PATCH', `/v1/agents/${id}?preview=true`, { definition: { top_k: 7 } }, asBo);
  assert.equal(draft.draft_definition.prompt_lock, true);
  const path = `/v1/agents/${id}/unlock-requests`;
  const body = { lock: 'prompt_lock', reason: 'New policy' };
  assert.equal((await call('POST', path, body, asReader)).status, 403);
  assert.equal((await call('POST', path, { ...body, lock: 'pii_lock' }, asBo)).json.code, 'not_locked');
  const asked = await good('POST', path, body, asBo);
  assert.deepEqual(asked.asked_by_actor, { id: bo.id, name: 'Bo Diddley', kind: 'person' });
  assert.equal((await call('POST', path, body, asBo)).json.code, 'already_asked');

  const [item] = (await inboxOf(asChief)).filter((each: { id: string }) => each.id === asked.id);
  assert.deepEqual(
    [item.kind, item.type, item.agent_id, item.agent_name, item.lock, item.question, item.needs],
    ['agent', 'unlock', id, 'Desk', 'prompt_lock', 'New policy', 'org:admin'],
  );
  const sees = async (session: Session) =>
    (await inboxOf(session)).some((each: { id: string }) => each.id === asked.id);
  assert.deepEqual([await sees(asBo), await sees(asReader), await sees(asAda)], [true, false, false]);

  // An administrator of the workspace may not unlock.
  assert.equal((await call('POST', `${path}/${asked.id}`, { decision: 'unlock' }, asAda)).status, 403);
  const refused = await good('POST', `${path}/${asked.id}`, { decision: 'refuse', note: 'Ask legal' }, asChief);
  assert.deepEqual([refused.status, refused.note, refused.decided_by_actor.name], ['rejected', 'Ask legal', 'Chief']);
  assert.equal(
    (await call('POST', `${path}/${asked.id}`, { decision: 'unlock' }, asChief)).json.code,
    'already_decided',
  );
  const [mine] = (await inboxOf(asBo, 'rejected')).filter((each: { id: string }) => each.id === asked.id);
  assert.deepEqual([mine.note, mine.decided_by_actor.name], ['Ask legal', 'Chief']);
  assert.equal((await good('GET', `/v1/agents/${id}`, undefined, asBo)).definition.prompt_lock, true);

  const second = await good('POST', path, body, asBo);
  await good('POST', `${path}/${second.id}`, { decision: 'unlock' }, asChief);
  const after = await good('GET', `/v1/agents/${id}`, undefined, asBo);
  assert.deepEqual([after.locks, after.definition.prompt_lock, after.draft_definition.prompt_lock], [[], false, false]);
  assert.equal(after.draft_definition.top_k, 7);
  await good('PATCH', `/v1/agents/${id}`, { definition: { persona: 'New' } }, asBo);
  const { items } = await good('GET', `${path}?status=approved`, undefined, asBo);
  assert.deepEqual(
    items.map((each: { id: string }) => each.id),
    [second.id],
  );
});

test('an unlocked version does not hold more than its authors did', async () => {
  const { id, version_id } = await lockedAgent();
  const path = `/v1/agents/${id}/unlock-requests`;
  const asked = await good('POST', path, { lock: 'prompt_lock', reason: 'x' }, asBo);
  await good('POST', `${path}/${asked.id}`, { decision: 'unlock' }, asChief);
  const rightsOf = async (version: string) =>
    (await query('select rights from agent_versions where id = $1', [version]))[0].rights;
  const now = (await good('GET', `/v1/agents/${id}`, undefined, asBo)).version_id;
  assert.notEqual(now, version_id);
  assert.deepEqual(await rightsOf(now), await rightsOf(version_id));
});

test('withdraws requests when the lock is turned off in another way', async () => {
  const { id } = await lockedAgent();
  const path = `/v1/agents/${id}/unlock-requests`;
  await good('POST', path, { lock: 'prompt_lock', reason: 'x' }, asBo);
  await good('PATCH', `/v1/agents/${id}`, { definition: { prompt_lock: false } }, asChief);
  const { items } = await good('GET', path, undefined, asBo);
  assert.deepEqual(
    items.map(({ status }: { status: string }) => status),
    ['withdrawn'],
  );
});

test('does not find the requests of another agent or workspace', async () => {
  const [one, two] = [await lockedAgent(), await lockedAgent()];
  const asked = await good('POST', `/v1/agents/${one.id}/unlock-requests`, { lock: 'prompt_lock', reason: 'x' }, asBo);
  const decide = (agent: string, headers: Record<string, string> = {}) =>
    call('POST', `/v1/agents/${agent}/unlock-requests/${asked.id}`, { decision: 'unlock' }, as(cookieOfChief, headers));
  assert.equal((await decide(two.id)).status, 404);
  const { id: elsewhere } = await app.workspace();
  assert.equal((await decide(one.id, { 'x-workspace-id': elsewhere })).status, 404);
});

test('locks that came with an import or a published version name who brought them', async () => {
  const agent = await good('POST', '/v1/agents', { name: 'V' }, asAda);
  const version = await good('POST', `/v1/agents/${agent.id}/versions`, { definition: { pii_lock: true } }, asBo);
  assert.deepEqual((await good('GET', `/v1/agents/${agent.id}`, undefined, asBo)).locks, []);
  await good('POST', `/v1/agents/${agent.id}/versions/${version.id}/publish`, {}, asAda);
  const [lock] = (await good('GET', `/v1/agents/${agent.id}`, undefined, asBo)).locks;
  assert.deepEqual([lock.lock, lock.locked_by, lock.reason], ['pii_lock', ada.id, null]);
  const file = { format: 'atrium.agent', version: 1, agent: { name: 'F', definition: { guardrail_lock: true } } };
  const imported = await good('POST', '/v1/agents/import', file, asBo);
  assert.deepEqual(imported.agent.locks[0].locked_by, bo.id);
});

test('shows the reason of an unlock request to its asker and to those who decide, and to no other Editor', async () => {
  const { id } = await lockedAgent();
  const path = `/v1/agents/${id}/unlock-requests`;
  const asked = await good('POST', path, { lock: 'prompt_lock', reason: 'My illness needs it' }, asBo);
  await good('POST', `${path}/${asked.id}`, { decision: 'refuse', note: 'See the nurse' }, asChief);
  const other = await people.aMember('Editor');
  const seen = async (session: Session) => {
    const { items } = await good('GET', path, undefined, session);
    assert.deepEqual(
      items.map((each: { id: string }) => each.id),
      [asked.id],
    );
    return [items[0].reason, items[0].note];
  };
  assert.deepEqual(await seen(asBo), ['My illness needs it', 'See the nurse']);
  assert.deepEqual(await seen(asChief), ['My illness needs it', 'See the nurse']);
  assert.deepEqual(await seen(as(other.cookie)), [null, null]);
  assert.deepEqual(await seen(asAda), [null, null]);
});
