// `npm run mutants`: changes the program in small ways and reports the changes that no test near them notices.
// `--seed` and `--count` choose the mutants; `--again survived` judges those that survived once more, after tests were added.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../global-setup.ts';
import { chooseMutants } from './choose-mutants.ts';
import { dropOldDatabases } from './drop-databases.ts';
import { findMutants } from './find-mutants.ts';
import { type Area, areas, isIn } from './folders.ts';
import { type Baseline, judgeMutant } from './judge-mutant.ts';
import { ImportGraph, isSource, testsNear } from './nearby-tests.ts';
import { orderTests } from './order-tests.ts';
import { equivalenceOf, outcomeLine, summarize } from './report.ts';
import { Results } from './results.ts';
import { makeScratch } from './scratch.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '6f0bebb6' },
    count: { type: 'string', default: '200' },
    'at-once': { type: 'string', default: '1' },
    again: { type: 'string' },
    /** Prints the choice, or what is known of it, and judges nothing. */
    list: { type: 'boolean', default: false },
  },
});

const root = resolve(import.meta.dirname, '../../../..');
const results = new Results(join(root, `node_modules/.cache/mutants/${values.seed}.jsonl`));
const graph = new ImportGraph(root);

function mutantsOf(area: Area) {
  const sources = graph.files.filter((file) => isIn(area, file) && isSource(file));
  return sources.flatMap((file) => findMutants(file, readFileSync(join(root, file), 'utf8')));
}

/** Judges the mutants that are due, each worker in a copy of its own. */
async function judgeAll(): Promise<void> {
  const isAgain = values.again === 'survived';
  const due = results.due(isAgain).filter((mutant) => !isAgain || equivalenceOf(mutant) === undefined);
  const baseline: Baseline = new Map();
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      isStopped = true;
    });
  async function work(): Promise<void> {
    const scratch = makeScratch(root);
    try {
      for (let mutant = due.shift(); mutant && !isStopped; mutant = due.shift()) {
        const { file } = mutant;
        const area = areas.find((one) => isIn(one, file));
        const near = [...testsNear(graph, file), area?.tests ?? []];
        const outcome = await judgeMutant(scratch, mutant, orderTests(root, file, near, baseline), baseline);
        results.record(outcome);
        console.log(outcomeLine(mutant, outcome));
        await dropOldDatabases();
      }
    } finally {
      scratch.remove();
    }
  }
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
}

if (!results.chosen) results.choose(chooseMutants(areas.map(mutantsOf), values.seed, Number(values.count)));
if (values.list) {
  for (const { file, line, operator, before } of results.chosen ?? [])
    console.log(`${file}:${line} ${operator}: ${before}`);
} else {
  await globalSetup();
  try {
    await judgeAll();
  } finally {
    await globalTeardown();
  }
}
console.log(summarize(results));
