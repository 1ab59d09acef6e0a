import assert from 'node:assert/strict';
import { as, makePeopleIn } from '../../src/features/people/testing.ts';
import { sandboxConfig } from '../../src/features/sandboxes/testing.ts';
import { makeRecordSteps } from './record-world-steps.ts';
import { makeRandom } from './seeded-random.ts';
import { type CallOptions, testApp } from './test-app.ts';

/** What lets a person run things, and see nothing that others run. */
const running = ['flows_run', 'agents_run', 'files_read', 'files_edit', 'sandboxes_run', 'tables_read', 'kbs_query'];
/** Single permissions of keys; none of them opens a record of another person. */
const single = ['flows_run', 'agents_run', 'files_read', 'sandboxes_run', 'insights_read', 'agents_edit'];

interface Reader {
  name: string;
  options: CallOptions;
}

/**
 * Makes worlds one after another in one workspace: in each step a person starts, stops, uploads, converses or deletes, or a
 * webhook comes in. Everybody else must get the same bytes as before the step: the two worlds differ only by what is
 * forbidden to them. Returns how many such pairs of worlds were compared.
 */
export async function compareRecordWorlds(least: number, seed: number): Promise<number> {
  const random = makeRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const app = await testApp({ roles: ['http', 'worker'], db_pool: 12, ...sandboxConfig({ engine: 'just-bash' }) });
  const { call } = app;
  const people = await makePeopleIn(app);
  const good = async (path: string, body: object) => {
    const answer = await call('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const permissions = Object.fromEntries(running.map((name) => [name, true]));
  const fields = { name: 'Worker', scope: 'workspace', group_id: people.home, permissions };
  const role = await good('/v1/admin/roles', fields);
  const workers: Reader[] = [];
  for (const name of ['Ada', 'Bo', 'Cy', 'Di']) {
    const { headers } = await people.accept((await people.invite(role.id)).token);
    workers.push({ name, options: as(String(headers['set-cookie']).split(';')[0] as string) });
  }
  const keys: Reader[] = [];
  for (const name of single) {
    const at = `/v1/admin/groups/${people.home}`;
    const { id: service_account_id } = await good(`${at}/service-accounts`, { name, permissions: [name] });
    const { value } = await good(`${at}/api-keys`, { name, permissions: [name], service_account_id });
    keys.push({ name: `a key with ${name}`, options: { key: value } });
  }
  const readers = [...workers, ...keys, { name: 'a Reader', options: as((await people.aMember('Reader')).cookie) }];

  const steps = await makeRecordSteps(app, { random, pick });
  const ask = async ({ options }: Reader) =>
    Promise.all(
      steps.paths().map(async (path) => {
        const { status, text } = await call('GET', path, undefined, options);
        return `${path}: ${status} ${text}`;
      }),
    );

  const administrator: Reader = { name: 'the administrator', options: {} };
  let compared = 0;
  let noticed = 0;
  for (let step = 0; compared < least; step++) {
    assert.ok(step < least * 4, `too few worlds could be compared, seed ${seed}`);
    const actor = pick(workers);
    const others = readers.filter((reader) => reader !== actor);
    const before = await Promise.all(others.map(ask));
    const seen = await ask(administrator);
    const done = await steps.take(actor.options);
    const now = await Promise.all(others.map(ask));
    for (const [index, { name }] of others.entries()) {
      const told = `${name} after step ${step}, in which ${actor.name} ${done}, seed ${seed}`;
      assert.deepEqual(now[index], before[index], told);
      compared++;
    }
    if ((await ask(administrator)).some((answer, index) => answer !== seen[index])) noticed++;
  }
  // What is compared is not empty: an administrator sees the steps.
  assert.ok(noticed > 0, `an administrator sees none of the steps, seed ${seed}`);
  return compared;
}
