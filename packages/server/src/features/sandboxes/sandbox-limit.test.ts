import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { sandboxConfig } from './testing.ts';

test('limits the sandboxes of a workspace when many are made at the same moment', async () => {
  const { call, workspace, query } = await testApp(sandboxConfig({ engine: 'just-bash', max_per_workspace: 3 }));
  const [{ key }, other] = [await workspace(['sandboxes_run']), await workspace(['sandboxes_run'])];
  // Each waits between counting and adding, so that all others count meanwhile.
  await query(
    `create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end';
     create trigger wait before insert on sandboxes for each row execute function wait()`,
  );
  const make = (as: string) => call('POST', '/v1/sandboxes', {}, { key: as });
  const answers = await Promise.all(Array.from({ length: 6 }, () => make(key)));
  assert.deepEqual(
    answers.map(({ status }) => status).sort(),
    [200, 200, 200, 409, 409, 409],
    JSON.stringify(answers.map(({ json }) => json)),
  );
  for (const { status, json } of answers) if (status === 409) assert.equal(json.code, 'sandbox_limit_reached');
  assert.equal((await make(other.key)).status, 200, 'another workspace has a limit of its own');
});
