import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { withoutBubblewrap } from '../../../drivers/sandboxes/testing.ts';
import { sandboxConfig } from '../testing.ts';
import { readTerminal } from './testing.ts';

test('stores no word of a terminal in plain where text is encrypted', { skip: withoutBubblewrap }, async () => {
  const app = await testApp({ ...sandboxConfig({ engine: 'bubblewrap' }), encrypt_at_rest: true });
  const address = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
  const { id } = (await app.call('POST', '/v1/sandboxes', {})).json;
  const opened = (await app.call('POST', `/v1/sandboxes/${id}/terminals`, {})).json;
  const path = `/v1/sandboxes/${id}/terminals/${opened.id}`;
  const reading = await readTerminal(`${address}${path}/output`, app.admin);
  // A program that does not read keeps what is typed in the table.
  await app.query(
    `create function keep() returns trigger language plpgsql as 'begin return null; end';
     create trigger keep before delete on sandbox_terminal_input for each row execute function keep()`,
  );
  assert.equal((await app.call('POST', `${path}/input`, { data: 'echo helio""trope\r' })).status, 200);
  await reading.shows(/\nheliotrope/);
  const stored = await app.query(
    'select text from sandbox_terminal_input union all select text from sandbox_terminal_output',
  );
  assert.ok(stored.length >= 2);
  for (const { text } of stored) assert.match(text, /^atrium-sealed:1:/);
  assert.ok(!app.logged.some((line) => line.includes('helio')), 'no log has it');
  await app.query('drop trigger keep on sandbox_terminal_input');
  assert.equal((await app.call('DELETE', path)).status, 200);
  await reading.done;
});
