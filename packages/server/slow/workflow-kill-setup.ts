import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { aNode, anEdge } from '../src/features/workflows/testing.ts';
import { adminKey } from '../test/support/test-config.ts';
import { makeDatabase, testPool } from '../test/support/test-database.ts';

const program = new URL('./workflow-program.ts', import.meta.url).pathname;

/** The sub-workflow of the large workflow. */
const inner = {
  nodes: [
    aNode('in', 'InputNode', { label: 'word' }),
    aNode('mark', 'EffectNode'),
    aNode('text', 'ComposeTextNode', { template: '<((w))>' }),
    aNode('out', 'OutputNode', { label: 'marked' }),
  ],
  edges: ['in.output -> mark.value', 'mark.output -> text.variables[w]', 'text.output -> out.input'].map(anEdge),
};

/** Thirty nodes: two branches, a loop with an effect and another workflow in it, an approval, a delay, a merge. */
function large(inner_id: string) {
  const chain = Array.from({ length: 10 }, (_, index) =>
    aNode(`c${index}`, 'ComposeTextNode', { template: `((v)).${index}` }),
  );
  return {
    nodes: [
      aNode('list', 'InputNode', { label: 'list', type: 'list' }),
      aNode('name', 'InputNode', { label: 'name' }),
      ...chain,
      aNode('e1', 'EffectNode'),
      aNode('if', 'ConditionNode', { expression: 'length(value) > 3' }),
      aNode('long', 'ComposeTextNode', { template: 'long ((v))' }),
      aNode('short', 'ComposeTextNode', { template: 'short ((v))' }),
      aNode('either', 'MergeNode', { mode: 'first' }),
      aNode('loop', 'LoopNode', { at_once: 2 }),
      aNode('sub', 'SubWorkflowNode', { workflow_id: inner_id }),
      aNode('e2', 'EffectNode'),
      aNode('got', 'ComposeTextNode', { template: '((i)):((sub))' }),
      aNode('wait', 'DelayNode', { seconds: 0.05 }),
      aNode('ask', 'ApprovalNode', { question: 'Go on with ((v))?' }),
      aNode('no', 'OutputNode', { label: 'no' }),
      aNode('e3', 'EffectNode'),
      aNode('sw', 'SwitchNode', { cases: ['value == "nothing"', 'length(value) > 0'] }),
      aNode('never', 'OutputNode', { label: 'never' }),
      aNode('all', 'MergeNode', { mode: 'dict' }),
      aNode('e4', 'EffectNode'),
      aNode('out', 'OutputNode', { label: 'all' }),
    ],
    edges: [
      'name.output -> c0.variables[v]',
      ...chain.slice(1).map((_, index) => `c${index}.output -> c${index + 1}.variables[v]`),
      'c9.output -> e1.value',
      'e1.output -> if.value',
      'if.true -> long.variables[v]',
      'if.false -> short.variables[v]',
      'long.output -> either.values[a]',
      'short.output -> either.values[b]',
      'list.output -> loop.list',
      'loop.item -> e2.value',
      'e2.output -> sub.inputs[word]',
      'sub.output -> got.variables[sub]',
      'loop.index -> got.variables[i]',
      'got.output -> loop.result',
      'loop.results -> wait.value',
      'either.output -> ask.value',
      'either.output -> ask.variables[v]',
      'ask.approved -> e3.value',
      'ask.rejected -> no.input',
      'e3.output -> sw.value',
      'sw.case_1 -> never.input',
      'sw.case_2 -> all.values[word]',
      'wait.output -> all.values[list]',
      'all.output -> e4.value',
      'e4.output -> out.input',
    ].map(anEdge),
  };
}

interface Server {
  address: string;
  child: ChildProcess;
  dead: Promise<unknown>;
}

/** A place where workflows run and die. */
export async function makeWorkflowKillSetup() {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-workflows-'));
  const { connection, drop } = await makeDatabase();
  const db = testPool(connection);
  await db.query('create table effects (key text primary key, times int not null)');
  let server: Server | undefined;

  async function start(env: Record<string, string> = {}): Promise<Server> {
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        WORKFLOW_DATABASE: JSON.stringify(connection),
        WORKFLOW_DIR: dir,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const dead = once(child, 'exit');
    const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
    server = { address, child, dead };
    return server;
  }

  async function call(method: string, path: string, body?: object) {
    const { address } = server ?? (await start());
    const headers = { 'x-api-key': adminKey, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  }

  async function stop(): Promise<void> {
    server?.child.kill('SIGKILL');
    await server?.dead;
    server = undefined;
  }

  await start();
  const { id: inner_id } = await call('POST', '/v1/workflows', { name: 'inner', definition: inner });
  const { id } = await call('POST', '/v1/workflows', { name: 'large', definition: large(inner_id) });
  await stop();

  /** Whether the server answers; one that has died is started again. */
  async function trying<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      await server?.dead;
      await start();
      return undefined;
    }
  }

  return {
    /** A run on a server that dies once at this write, and is then started again; whether it died at all. */
    async round(env: Record<string, string>) {
      await start(env);
      const dying = server as Server;
      let died = false;
      void dying.dead.then(() => {
        died = true;
      });
      const input = { list: ['a', 'b', 'c'], name: 'Ada' };
      const known = await db.query('select max(id::text) as id from workflow_runs');
      let run = await trying(() => call('POST', `/v1/workflows/${id}/runs`, { input }));
      // It died with the answer on its lips: the run is there all the same.
      if (!run) {
        const { rows } = await db.query('select id from workflow_runs where id::text > $1 order by id desc limit 1', [
          known.rows[0].id ?? '',
        ]);
        assert.ok(rows[0], 'the run was stored before it was answered');
        run = { id: rows[0].id };
      }
      const until = Date.now() + 60_000;
      for (;;) {
        assert.ok(Date.now() < until, `the run does not end: ${JSON.stringify(run)}`);
        const now = await trying(() => call('GET', `/v1/runs/${run.id}`));
        if (now?.finished_at) {
          run = now;
          break;
        }
        if (now?.status === 'awaiting_human_feedback')
          await trying(async () => {
            for (const asked of await call('GET', `/v1/runs/${run.id}/approvals`))
              if (asked.decision === null)
                await call('POST', `/v1/runs/${run.id}/approvals/${asked.id}`, { decision: 'approve' });
          });
        await sleep(20);
      }
      const { rows: marks } = await db.query('select key, times from effects where key like $1 order by key', [
        `${run.id}%`,
      ]);
      const { rows: batches } = await db.query(
        'select events from workflow_journal where run_id = $1 order by first_seq',
        [run.id],
      );
      const events = batches.flatMap((row) => JSON.parse(row.events) as { type: string; node?: string }[]);
      const killed = died;
      await stop();
      const effects = marks.map(({ key }) => key.slice(run.id.length + 1) as string);
      const again = marks.flatMap(({ times }, index) => {
        const path = effects[index] as string;
        const own = events.filter(({ node }) => node === path).map(({ type }) => type);
        // It may be tried once more only when it was under way at the kill, and never once its end is stored.
        const begun = own.filter((type) => type === 'start').length;
        return times > begun || own.lastIndexOf('start') > own.indexOf('end') ? [`${path}: ${own} ${times}`] : [];
      });
      return { died: killed, status: run.status as string, error: run.error, output: run.output, effects, again };
    },
    async close() {
      await stop();
      await db.end();
      await drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
