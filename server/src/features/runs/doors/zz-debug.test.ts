import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDoors, slowly, until } from './testing.ts';
const { provider, talk, call, stream, open, runsOf, query, another, logged, app } = await openDoors();
test('y', async () => {
  const node = await another();
  const path = await talk();
  provider.reply(slowly(60, 50));
  const w = await stream(path, 'Hello', 'ui', node);
  await w.heard('w01');
  await w.leave();
  const waiting = await open(`${path}/stream?if_running=enqueue`, { method: 'POST', body: { content: 'x' }, ...node });
  await waiting.leave();
  const t = Date.now();
  const iv = setInterval(async () => console.log(Date.now() - t, (await runsOf(path)).map((r) => r.status), await new Promise((r) => node.app.server.server.getConnections((_, n) => r(n))), node.logged.slice(-3)), 1500);
  await node.close();
  clearInterval(iv);
  console.log('closed', Date.now() - t);
});
