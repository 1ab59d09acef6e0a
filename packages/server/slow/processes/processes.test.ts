import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { wordsOf } from '../../test/crash/crash-provider.ts';
import { childrenOf, isAlive } from '../../test/support/child-processes.ts';
import { framesOf, openStream } from '../../test/support/resuming-client.ts';
import { adminKey, ask, makeProcessDir, until } from './process-server.ts';

const rig = await makeProcessDir();
const server = rig.start({
  ...{ ATRIUM_LOG_LEVEL: 'debug', ATRIUM_MAX_RUNS: '3', ATRIUM_FAILED_KEYS_PER_ADDRESS: '5' },
  ATRIUM_TRUSTED_PROXIES: 'loopback',
});
const address = await server.ready;
const post = (path: string, body: object, key?: string) =>
  ask(address, path, { method: 'POST', body: JSON.stringify(body), ...(key && { key }) });

/** The numbers of the processes that have logged a request with one of these ids. */
const answeredBy = (ids: readonly string[]) =>
  new Set(
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{') && ids.some((id) => line.includes(id)))
      .map((line) => (JSON.parse(line) as { process: number }).process),
  );

async function talk(name: string): Promise<string> {
  const settings = { model: ['openai/slow'] };
  return (await post('/v1/conversations', { name, settings })).json().id;
}

const nodeOf = async (conversation_id: string) =>
  (
    await rig.query<{ node_id: string; status: string; id: string }>('select * from runs where conversation_id = $1', [
      conversation_id,
    ])
  )[0];

const replyOf = async (id: string): Promise<string> => {
  const { text } = await ask(address, `/v1/conversations/${id}`);
  const { messages } = JSON.parse(text) as { messages: { message_parts: { type: string; content?: string }[] }[] };
  return (messages[1]?.message_parts ?? []).map((part) => (part.type === 'text' ? part.content : '')).join('');
};

suite('two processes on one port', () => {
  test('both answer requests, their log lines carry their number, and the address is printed once', async () => {
    const ids = Array.from({ length: 10 }, () => randomUUID());
    for (const id of ids) {
      const { status } = await ask(address, '/v1/admin/me', { headers: { 'x-request-id': id } });
      assert.equal(status, 200);
    }
    await until('both have answered', () => answeredBy(ids).size === 2);
    assert.deepEqual([...answeredBy(ids)].sort(), [1, 2]);
    assert.equal(server.output().split('Atrium is running at').length, 2);
    assert.equal((await ask(address, '/ready')).status, 200);
    assert.equal((await ask(address, '/health')).status, 200);
  });

  test('metrics are the sum of both, whichever process is asked', async () => {
    for (let count = 0; count < 12; count++) assert.equal((await ask(address, '/v1/agents')).status, 200);
    const pattern = /^atrium_http_request_seconds_count\{method="GET",route="\/v1\/agents",status="200"\} (\d+)$/m;
    for (let look = 0; look < 4; look++) {
      const { status, text, headers } = await ask(address, '/metrics');
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /version=0\.0\.4/);
      assert.equal(Number(pattern.exec(text)?.[1]), 12);
      assert.match(text, /^atrium_database_ready 1$/m);
      assert.match(text, /^atrium_notifications_listening 1$/m);
    }
  });

  test('the system page shows the memory of all processes together', async () => {
    const memoryOf = (pid: number) =>
      1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const readTotal = () =>
      [server.pid, ...childrenOf(server.pid).values()].map(memoryOf).reduce((sum, bytes) => sum + bytes, 0);
    for (let look = 0; look < 4; look++) {
      const { status, text } = await ask(address, '/v1/admin/system');
      const total = readTotal();
      assert.equal(status, 200, text);
      const { memory_bytes } = JSON.parse(text) as { memory_bytes: number };
      assert.ok(memory_bytes > 0.8 * total && memory_bytes < 1.3 * total, `${memory_bytes} of ${total} bytes`);
    }
  });

  test('a key has its rate limit over both', async () => {
    const group = (await post('/v1/admin/groups', { name: 'limited' })).json().id;
    const { value } = (await post(`/v1/admin/groups/${group}/api-keys`, { name: 'k', rate_limit: 6 })).json();
    const answers = [];
    for (let count = 0; count < 12; count++) answers.push((await ask(address, '/v1/admin/me', { key: value })).status);
    assert.deepEqual(answers, [...Array<number>(6).fill(200), ...Array<number>(6).fill(429)]);
  });

  test('wrong keys and wrong passwords count over both', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const keys = [];
    for (let count = 0; count < 7; count++)
      keys.push((await ask(address, '/v1/admin/me', { key: `wrong-${count}`, headers })).status);
    assert.deepEqual(keys, [401, 401, 401, 401, 401, 429, 429]);
    const body = JSON.stringify({ email: 'ada@example.com', password: 'a wrong password' });
    const tries = [];
    for (let count = 0; count < 7; count++) {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json', connection: 'close' } };
      tries.push((await fetch(`${address}/v1/auth/sign-in`, init)).status);
    }
    assert.deepEqual(tries, [401, 401, 401, 401, 401, 429, 429]);
  });

  test('executes at most ATRIUM_MAX_RUNS runs, in whichever process they were asked for', async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, (_, at) => talk(`paced ${at}`)));
    const said = ids.map((id) => post(`/v1/conversations/${id}`, { content: `paced ${id}` }));
    let most = 0;
    const isOver = Promise.all(said).then(() => true);
    for (let over = false; !over; ) {
      const [row] = await rig.query<{ n: string }>(`select count(*) as n from runs where status = 'running'`);
      most = Math.max(most, Number(row?.n));
      over = await Promise.race([isOver, new Promise<false>((look) => setTimeout(look, 50, false))]);
    }
    assert.equal(most, 3);
    for (const answer of await Promise.all(said)) assert.equal(answer.status, 200);
    for (const id of ids) assert.equal(await replyOf(id), wordsOf(`paced ${id}`).join(''));
  });

  test('a stream that was begun in one is followed in the other', async () => {
    const name = 'paced follower';
    const id = await talk(name);
    const first = await openStream({
      ...{ address, path: `/v1/conversations/${id}/stream?format=json`, key: adminKey, body: { content: name } },
    });
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const streams = await Promise.all(
      ids.map((request) =>
        openStream({
          ...{ address, path: `/v1/conversations/${id}/events?format=json&after=0`, key: adminKey },
          headers: { 'x-request-id': request },
        }),
      ),
    );
    const read = async (stream: typeof first) => (await Array.fromAsync(framesOf(stream))).join('\n');
    const [whole, ...others] = await Promise.all([first, ...streams].map(read));
    assert.match(whole ?? '', /word11/);
    for (const other of others) assert.equal(other, whole);
    await until('both have answered', () => answeredBy(ids).size === 2);
  });

  test('a sandbox runs one command at a time, whichever process has it', async () => {
    const { status, text, json } = await post('/v1/sandboxes', {});
    assert.equal(status, 200, text);
    const command = 'if [ -e busy ]; then echo overlap; fi; touch busy; sleep 0.3; rm busy; echo over';
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(`/v1/sandboxes/${json().id}/exec`, { command })),
    );
    const said = answers.map((answer) => (JSON.parse(answer.text) as { stdout: string }).stdout);
    assert.deepEqual(said, Array<string>(6).fill('over\n'));
  });

  test('a killed process is started again, its runs go on in the other, and the port stays open', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, (_, at) => talk(`paced killed ${at}`)));
    for (const id of ids) void post(`/v1/conversations/${id}`, { content: `paced killed ${id}` }).catch(() => {});
    await until('all run', async () =>
      (await Promise.all(ids.map(nodeOf))).every((run) => run?.status === 'running' && run.node_id),
    );
    const nodes = new Set((await Promise.all(ids.map(nodeOf))).map((run) => run?.node_id));
    assert.equal(nodes.size, 2, 'both processes execute runs');
    const [[, victim] = [], [survivor] = []] = [...childrenOf(server.pid)];
    assert.ok(victim && survivor);
    process.kill(victim, 'SIGSTOP');
    // The living process renews its own leases. Those of the other don't run out while the test runs.
    await rig.query(`update runs set leased_until = now() + interval '1 hour' where id in (
      select id from runs where status = 'running' for update skip locked)`);
    process.kill(victim, 'SIGKILL');
    const killed = performance.now();
    const takenOver = until('its runs are taken over', async () => {
      const left = await rig.query(`select 1 from runs where status = 'running'
        and (node_id is null or leased_until > now() + interval '1 minute')`);
      return left.length === 0 ? performance.now() - killed : undefined;
    });
    const asked: string[] = [];
    let answered = 0;
    while (performance.now() - killed < 1500 || answered < 6) {
      assert.ok(performance.now() - killed < 30_000, `${answered} answers in half a minute`);
      const id = randomUUID();
      const answer = await ask(address, '/v1/admin/me', { headers: { 'x-request-id': id } }).catch(() => undefined);
      asked.push(id);
      if (answer?.status === 200) answered++;
      // A client is told when the machine is too busy for its database, and may lose its connection to the killed process.
      else if (answer)
        assert.deepEqual(
          [answer.status, answer.json().code, answer.headers.get('retry-after')],
          [503, 'unavailable', '1'],
        );
    }
    await until('the other process has answered', () => answeredBy(asked).has(survivor));
    const took = await takenOver;
    assert.ok(took < 9000, `its runs were taken over after ${took} ms`);
    await until('all runs are over', async () =>
      (await Promise.all(ids.map(nodeOf))).every((run) => run?.status === 'completed'),
    );
    for (const id of ids) assert.equal(await replyOf(id), wordsOf(`paced killed ${id}`).join(''));
    await until('there are two again', () => childrenOf(server.pid).size === 2);
    assert.equal(isAlive(victim), false);
    assert.match(server.output(), /"message":"process\.ended".*"reason":"it was ended by SIGKILL"/);
    const request = Array.from({ length: 10 }, () => randomUUID());
    await until('the new one answers', async () => {
      for (const id of request) await ask(address, '/v1/admin/me', { headers: { 'x-request-id': id } });
      return answeredBy(request).size === 2;
    });
    // What the killed process had counted up to the last look is still counted.
    const pattern = /^atrium_http_request_seconds_count\{method="GET",route="\/v1\/agents",status="200"\} (\d+)$/m;
    assert.equal(Number(pattern.exec((await ask(address, '/metrics')).text)?.[1]), 12);
  });

  test('SIGTERM ends all processes, and their runs go on at the next start', async () => {
    const id = await talk('paced term');
    void post(`/v1/conversations/${id}`, { content: 'paced term' }).catch(() => {});
    await until('it runs', async () => (await nodeOf(id))?.status === 'running');
    const pids = [...childrenOf(server.pid).values()];
    const begun = performance.now();
    assert.equal(await server.stop(), 0);
    assert.ok(performance.now() - begun < 15_000);
    for (const pid of pids) assert.equal(isAlive(pid), false);
    await assert.rejects(fetch(`${address}/health`));
    const next = rig.start();
    const there = await next.ready;
    await until('the run is over', async () => (await nodeOf(id))?.status === 'completed');
    assert.doesNotMatch(next.output(), /Admin API key/);
    assert.equal((await ask(there, '/v1/admin/me')).status, 200);
    assert.equal(await next.stop(), 0);
  });
});
