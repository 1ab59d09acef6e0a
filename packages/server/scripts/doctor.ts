import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxEngineNames } from '@atrium/contract/sandboxes/engines.ts';
import { makeSandboxEngines } from '../src/app/tools/sandboxes.ts';
import { loadConfig } from '../src/config.ts';
import type { Probe } from '../src/drivers/sandboxes/driver.ts';
import { environmentFindings } from './doctor-addresses.ts';
import { storedFindings } from './doctor-database.ts';
import { fileFindings } from './doctor-files.ts';
import { mailFindings } from './doctor-mail.ts';

/** Says what this machine can do and what would make it better. Changes nothing; the server may run meanwhile. */
if (existsSync('.env')) process.loadEnvFile('.env');
const config = loadConfig(process.env);
const say = (text = '') => process.stdout.write(`${text}\n`);

say(`Node ${process.version} on ${process.platform} ${process.arch}, data in ${config.data_dir}`);
say(
  `Settings: valid; roles ${config.roles.join(', ')}; database ${config.database_url ? 'at DATABASE_URL' : 'embedded'}`,
);

const dir = mkdtempSync(join(tmpdir(), 'atrium-doctor-'));
mkdirSync(join(dir, 'sandboxes'));
const engines = makeSandboxEngines({ ...config, data_dir: dir });
const line = ({ usable, isolation, languages, network, unlimited, note }: Probe) =>
  usable
    ? [
        `works, isolation ${isolation}, ${languages.join(' ')}${network ? ', network' : ''}`,
        ...(unlimited.length ? [`no limit of ${unlimited.join(', ')}`] : []),
        note,
      ].join('; ')
    : note;

say('\nSandboxes:');
for (const engine of sandboxEngineNames) {
  const driver = engines.driver(engine);
  say(`  ${engine.padEnd(11)} ${driver ? line(await driver.probe()) : 'not configured'}`);
}
const chosen = await engines.chosen();
say(chosen.usable ? `New sandboxes get ${chosen.engine} (${chosen.isolation}).` : 'No sandbox can be made here.');
const isolated = chosen.usable && chosen.isolation !== 'emulated';
if (!isolated) {
  say('For real programs and the isolation of a kernel, one of these:');
  if (process.platform === 'linux')
    say('  sudo apt-get install bubblewrap   (what is said about it above may ask for more)');
  say('  ATRIUM_SANDBOX_ENGINE=docker      with a Docker engine and ATRIUM_SANDBOX_IMAGE pulled');
  say('  E2B_API_KEY or DAYTONA_API_KEY    for sandboxes elsewhere');
}
await engines.close();
rmSync(dir, { recursive: true, force: true });

const fromEnvironment = await environmentFindings(config);
if (fromEnvironment.length) say('\nProviders of the environment at private addresses (used as they are):');
for (const text of fromEnvironment) say(`  ${text}`);

say('\nFiles and indexes:');
for (const text of await fileFindings(config)) say(`  ${text}`);

say('\nMail to people:');
for (const text of await mailFindings(config, process.env)) say(`  ${text}`);

say('\nStored:');
for (const text of await storedFindings(config)) say(`  ${text}`);
