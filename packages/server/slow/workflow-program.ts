import { keyed, plain } from '@atrium/contract/workflows/node-types/connectors.ts';
import { nodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import pg from 'pg';
import { makeApp } from '../src/app.ts';
import { defineNode } from '../src/features/workflows/nodes/define-node.ts';
import { makeLog } from '../src/lib/log.ts';
import { testConfig } from '../test/support/test-config.ts';
import { testPool } from '../test/support/test-database.ts';

/**
 * The server with a node whose effects can be counted. With DIE_AT it kills itself as with kill -9 at that write to a
 * journal, counted from 1: right after it has been stored, or, with DIE_BEFORE, right before.
 */
const connection = JSON.parse(process.env['WORKFLOW_DATABASE'] as string) as pg.PoolConfig;
const dieAt = Number(process.env['DIE_AT'] ?? 0);
const dieBefore = process.env['DIE_BEFORE'] === '1';

let writes = 0;
const die = () => process.kill(process.pid, 'SIGKILL');
const { query } = pg.Client.prototype as unknown as { query(...args: unknown[]): Promise<unknown> };
(pg.Client.prototype as unknown as { query: typeof query }).query = function counted(this: pg.Client, ...args) {
  const [first] = args as [{ text?: string } | string];
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  const counts = text.includes('insert into workflow_journal') && ++writes === dieAt;
  if (counts && dieBefore) die();
  const told = args.at(-1);
  // A pool calls with a function at the end.
  if (counts && typeof told === 'function') return query.apply(this, [...args.slice(0, -1), die]);
  const answer = query.apply(this, args);
  return counts ? answer.then(die) : answer;
};

const effects = testPool(connection);

/** Leaves a mark that would be seen twice. */
const effectNode = defineNode(
  nodeType({
    type: 'EffectNode',
    title: 'Effect',
    description: 'Does something that counts.',
    category: 'other',
    inputs: [
      plain('value', { data_type: 'Custom', optional: true }),
      keyed('more', { optional: true, data_type: 'Custom' }),
    ],
    outputs: [plain('output', { data_type: 'Custom' })],
    config: {},
    effects: 'outside',
    repeatable: true,
  }),
  async ({ key }, { value = null }) => {
    await effects.query(
      'insert into effects (key, times) values ($1, 1) on conflict (key) do update set times = effects.times + 1',
      [key],
    );
    return { output: value };
  },
);

const log = makeLog('error', (line) => process.stderr.write(line));
const app = await makeApp(testConfig(process.env['WORKFLOW_DIR'] as string), connection, log, {
  nodes: [effectNode],
  alone: true,
});
process.stdout.write(`${await app.server.listen({ host: '127.0.0.1', port: 0 })}\n`);
