import { conversations } from './conversations.ts';
import { drivers } from './drivers.ts';
import { events } from './events.ts';
import { http } from './http.ts';
import { insights } from './insights.ts';
import { largeBase } from './large-base.ts';
import { printTable } from './lib/figure.ts';
import { lists } from './lists.ts';
import { longFiles } from './long-files.ts';
import { processes } from './processes.ts';
import { runs } from './runs.ts';
import { sandboxes } from './sandboxes.ts';
import { search } from './search.ts';
import { startAndMemory } from './start-and-memory.ts';
import { tables } from './tables.ts';
import { tagger } from './tagger.ts';
import { turns } from './turns.ts';
import { workflows } from './workflows.ts';

const benches = [
  startAndMemory,
  http,
  conversations,
  lists,
  runs,
  processes,
  turns,
  drivers,
  tables,
  insights,
  sandboxes,
  tagger,
  workflows,
  largeBase,
  events,
  search,
  longFiles,
];
const wanted = process.argv.slice(2);
const strange = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (strange.length) {
  process.stderr.write(`No bench named ${strange.join(', ')}; there are ${benches.map((b) => b.name).join(', ')}.\n`);
  process.exit(1);
}

for (const bench of benches)
  if (wanted.length === 0 || wanted.includes(bench.name)) printTable(bench.name, await bench.run());
