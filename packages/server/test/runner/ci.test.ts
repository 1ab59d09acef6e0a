import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';

const dir = mkdtempSync(join(tmpdir(), 'atrium-ci-'));
after(() => rmSync(dir, { recursive: true, force: true }));
mkdirSync(join(dir, '.ci'));
mkdirSync(join(dir, 'bin'));
cpSync(new URL('../../../../.ci/run', import.meta.url).pathname, join(dir, '.ci/run'));
for (const program of ['bwrap', 'chromium']) writeFileSync(join(dir, 'bin', program), '#!/bin/sh\n', { mode: 0o755 });

/** `.ci/run` with an npm that does what the script says. */
function runCi(npm: string): { status: number | null; lines: string[] } {
  writeFileSync(join(dir, 'bin/npm'), `#!/bin/sh\necho "npm $*"\n${npm}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${join(dir, 'bin')}${delimiter}${process.env['PATH']}` };
  const { status, stdout } = spawnSync(join(dir, '.ci/run'), { env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const commands = [
  'npm ci',
  'npm test',
  'npm run test:deep',
  'npm run check',
  'npm run test:browser',
  'npm run test:slow',
  'npm run test:chaos',
];

test('.ci/run ends with the flaky tests of all suites', () => {
  const { status, lines } = runCi('case "$*" in test|*slow) echo "flaky: $*" >> "$FLAKY_TESTS";; esac');
  assert.equal(status, 0);
  assert.deepEqual(lines, [...commands, 'flaky: test', 'flaky: run test:slow']);
});

test('.ci/run reports that no test was flaky when none was', () => {
  assert.deepEqual(runCi('').lines, [...commands, 'no flaky tests']);
});

test('.ci/run stops at the first command that fails', () => {
  for (const [index, command] of commands.entries()) {
    const { status, lines } = runCi(`[ "npm $*" != "${command}" ]`);
    assert.equal(status, 1, command);
    assert.deepEqual(lines, [...commands.slice(0, index + 1), 'failed with exit status 1', 'no flaky tests']);
  }
});
