import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hiddenPaths, ownInstallation } from './installation.ts';

test('hides the whole checkout: every package, installed packages and the .env file beside them', () => {
  const installation = ownInstallation('/data/sandboxes', ['/etc/atrium/mcp.json']);
  const { program_dir, main } = installation;
  const manifest = JSON.parse(readFileSync(join(program_dir, 'package.json'), 'utf8')) as { workspaces?: string[] };
  assert.deepEqual(manifest.workspaces, ['packages/*']);
  assert.ok(existsSync(main) && main.startsWith(`${program_dir}/`));
  assert.ok(existsSync(join(program_dir, 'node_modules')));
  const hidden = hiddenPaths(installation);
  for (const path of [program_dir, '/data', join(program_dir, '.env'), '/etc/atrium/mcp.json'])
    assert.ok(hidden.includes(path), path);
});
