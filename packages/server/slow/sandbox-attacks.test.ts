import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { isPublic } from '../src/drivers/sandboxes/bubblewrap/sandbox-uid.ts';
import { hasBubblewrap } from '../src/drivers/sandboxes/testing.ts';
import { type Outcomes, withTable } from './attacks/attack-table.ts';

/** Every attack on every engine that this machine has, as root and as an ordinary user where we are root. */
const program = new URL('./attacks/run-attacks.ts', import.meta.url).pathname;
const document = new URL('../../../docs/sandboxes.md', import.meta.url);
const nobody = 65534;
const isRoot = process.getuid?.() === 0;
const canBeNobody = isRoot && isPublic(process.execPath) && isPublic(program.replace(/\/[^/]+$/, ''));

interface Line {
  attack: string;
  held: boolean;
  why: string;
}

interface Place {
  name: string;
  engine: string;
  user: boolean;
  skip?: string | false;
}

const needed = process.env['SANDBOXES_REQUIRED'] === '1';
const noBubblewrap = !hasBubblewrap && !needed && 'bubblewrap is not installed (apt-get install bubblewrap)';
const noUser = isRoot && !canBeNobody && 'an ordinary user can not read this directory';
const noRoot = !isRoot && 'this is no root';
const places: Place[] = [
  { name: 'no sandbox', engine: 'none', user: true, skip: noUser },
  { name: 'bubblewrap, root', engine: 'bubblewrap', user: false, skip: noBubblewrap || noRoot },
  {
    name: 'bubblewrap, root, no control group',
    engine: 'bubblewrap without a control group',
    user: false,
    skip: noBubblewrap || noRoot,
  },
  { name: 'bubblewrap, user', engine: 'bubblewrap', user: true, skip: noBubblewrap || noUser },
  { name: 'just-bash, root', engine: 'just-bash', user: false, skip: noRoot },
  { name: 'just-bash, user', engine: 'just-bash', user: true, skip: noUser },
];

const outcomes: Outcomes = new Map();

/** A process of its own, which the secrets are given to from the beginning, and which can't take long. */
async function attacked({ name, engine, user }: Place): Promise<Line[]> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, engine], {
    env: { PATH: process.env['PATH'], HOME: '/tmp', ATTACK_SECRET: randomBytes(12).toString('hex') },
    ...(user && isRoot && { uid: nobody, gid: nobody }),
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 1_200_000,
    killSignal: 'SIGKILL',
  });
  const lines: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    outcomes.set(line.attack, (outcomes.get(line.attack) ?? new Map()).set(name, line.held));
  }
  return lines;
}

for (const place of places)
  test(`${place.name}`, { skip: place.skip ?? false }, async (t) => {
    const lines = await attacked(place);
    assert.ok(lines.length > 5, 'the attacks were not made');
    for (const { attack, held, why } of lines)
      await t.test(attack, () =>
        // Without a sandbox they must get through, else they show nothing.
        assert.equal(held, place.engine !== 'none', why || 'it did not get through without a sandbox'),
      );
  });

test('the table in docs/sandboxes.md is what came of it', {
  skip: places.some(({ skip }) => skip) && 'not every place was tried',
}, () => {
  // Those that are tried everywhere first; else in the order in which they were made.
  const all = [...outcomes].sort((a, b) => b[1].size - a[1].size);
  const columns = places.map(({ name }) => name);
  const written = readFileSync(document, 'utf8');
  const fresh = withTable(written, columns, new Map(all));
  if (process.env['WRITE_TABLE'] === '1') writeFileSync(document, fresh);
  else assert.equal(written, fresh, 'run `WRITE_TABLE=1 npm run test:sandboxes`');
});
