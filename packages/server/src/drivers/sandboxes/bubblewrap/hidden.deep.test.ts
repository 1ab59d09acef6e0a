import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, suite, test } from 'node:test';
import type { Language } from '@atrium/contract/sandboxes/engines.ts';
import type { SandboxDriver } from '../driver.ts';
import type { Installation } from '../installation.ts';
import { makeJustBash } from '../just-bash/just-bash.ts';
import { limited } from '../limit-command.ts';
import { runToEnd } from '../run-to-end.ts';
import { smallLimits as limits, sandboxRoot, withoutBubblewrap } from '../testing.ts';
import { makeBubblewrap } from './bubblewrap.ts';

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const skip = withoutBubblewrap || (isWritable('/usr/local') ? false : 'only root can install something below /usr');
const root = sandboxRoot();
const name = `atrium-hidden-${process.pid}`;
const secret = randomBytes(12).toString('hex');
const places: string[] = [];
const uninstall = () => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
};
afterEach(uninstall);

/** A file that all users may read, in directories that all users may enter. */
function put(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o755 });
  writeFileSync(path, `SECRET=${secret}\n`, { mode: 0o644 });
  return path;
}

/** A copy of the program and its data in a directory, readable by all users. */
function install(program_dir: string, data_dir: string): Installation {
  const config = join('/usr/local', name, 'etc');
  places.push(program_dir, data_dir, join('/usr/local', name));
  put(join(data_dir, 'master.key'));
  put(join(data_dir, 'blobs/ab/blob'));
  return {
    program_dir,
    main: put(join(program_dir, 'packages/server/src/main.ts')),
    env_files: [put(join(program_dir, '.env')), put(join(config, '.env')), join(config, 'no-such/.env')],
    data_dir,
    config_files: [put(join(config, 'models.json'))],
  };
}

const everyFile = ({ main, env_files, data_dir, config_files }: Installation) => [
  ...[main, ...env_files, ...config_files],
  ...[join(data_dir, 'master.key'), join(data_dir, 'blobs/ab/blob')],
];

async function run(driver: SandboxDriver, code: string, language: Language = 'bash'): Promise<string> {
  const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
  try {
    const command = { language, code, cwd: '', env: {}, stdin: '' } as const;
    const { stdout, stderr } = await runToEnd(limited(driver, ref, command, limits));
    assert.match(stdout, /begun/, stderr);
    return stdout + stderr;
  } finally {
    await driver.destroy(ref);
  }
}

/** All ways in which code in a sandbox can try to read a file. */
const attacks = (files: readonly string[]): [Language, string][] => [
  [
    'bash',
    `echo begun; ${files.map((file) => `cat '${file}' '/proc/self/root${file}' '/proc/1/root${file}'`).join('; ')}`,
  ],
  [
    'bash',
    `echo begun; grep -rs ${secret.slice(0, 8)} /usr/src /usr/local /usr/share/${name} /opt /etc /tmp /run /work`,
  ],
  [
    'bash',
    `echo begun; ${files.map((file) => `ln -s '${file}' l; cat l; rm l; cp '${file}' c; cat c; umount '${file}'`).join('; ')}
    for above in ${files.map((file) => `'${join(file, '..')}'`).join(' ')}; do umount "$above"; ls "$above/"; cat "$above"/*; done`,
  ],
  [
    'python',
    `print('begun')
for path in ${JSON.stringify(files)}:
    for name in [path, '/proc/self/cwd/../' + path, '/usr/../' + path]:
        try: print(open(name).read())
        except OSError as error: print(type(error).__name__)`,
  ],
];

suite('canary in a sandbox', { skip }, () => {
  for (const [place, program_dir, data_dir] of [
    ['/usr/src', `/usr/src/${name}`, `/usr/src/${name}/data`],
    ['/opt', `/opt/${name}`, `/usr/local/${name}-data`],
    ['/usr/local/lib', `/usr/local/lib/${name}`, `/usr/share/${name}`],
  ] as const)
    test(`code does not read the program at ${place}, its .env, its configuration and its data`, async () => {
      const installation = install(program_dir, data_dir);
      const files = everyFile(installation);
      const nothing = { program_dir: '/none', main: '/none', env_files: [], data_dir: '/none', config_files: [] };
      const open = makeBubblewrap({ root, limits, installation: nothing });
      const driver = makeBubblewrap({ root, limits, installation });
      try {
        // Without the masks the code reads files below /usr, so the attack itself works.
        assert.match(await run(open, attacks(files)[0]?.[1] as string), new RegExp(secret));
        for (const [language, code] of attacks(files))
          assert.doesNotMatch(await run(driver, code, language), new RegExp(secret), code.slice(0, 60));
        const probe = await driver.probe();
        assert.deepEqual([probe.usable, probe.note.includes('can read')], [true, false], probe.note);
        assert.ok(
          readdirSync(data_dir).every((entry) => !entry.startsWith('canary')),
          'the self-test leaves nothing',
        );
      } finally {
        await Promise.all([open.close(), driver.close()]);
      }
    });

  test('hides the target of a linked path, and files that are added later', async () => {
    const installation = install(`/usr/src/${name}-real`, `/usr/local/${name}-real-data`);
    const [program_dir, data_dir] = [`/usr/local/${name}-link`, `/opt/${name}-data-link`];
    places.push(program_dir, data_dir);
    symlinkSync(installation.program_dir, program_dir);
    symlinkSync(installation.data_dir, data_dir);
    const driver = makeBubblewrap({ root, limits, installation: { ...installation, program_dir, data_dir } });
    try {
      const late = put(join('/usr/local', name, 'etc/no-such/.env'));
      const files = [...everyFile(installation), `${program_dir}/.env`, `${data_dir}/master.key`, late];
      for (const [language, code] of attacks(files))
        assert.doesNotMatch(await run(driver, code, language), new RegExp(secret), code.slice(0, 60));
      assert.equal((await driver.probe()).usable, true);
    } finally {
      await driver.close();
    }
  });

  test('the self-test refuses the engine when it can read the program, its .env or a file of the data directory', async () => {
    const own = install(`/usr/local/lib/${name}-seen`, `/usr/local/${name}-seen-data`);
    // One file is where no mask can cover it: directly in /usr, which sandboxes need.
    const inUsr = put(`/usr/${name}.ts`);
    places.push(inUsr);
    const elsewhere = { ...own, config_files: [], env_files: [] };
    for (const [installation, seen] of [
      [{ ...elsewhere, program_dir: '/usr', main: inUsr }, inUsr],
      [{ ...elsewhere, data_dir: '/usr' }, /\/usr\/canary-/],
    ] as const) {
      const driver = makeBubblewrap({ root, limits, installation });
      const { usable, note } = await driver.probe();
      await driver.close();
      assert.equal(usable, false, note);
      assert.match(note, seen instanceof RegExp ? seen : new RegExp(`it can read ${seen}`));
    }
    assert.ok(readdirSync('/usr').every((entry) => !entry.startsWith('canary')));
  });
});

test('the emulated shell reads nothing of the program, its .env and its data', async () => {
  const data_dir = sandboxRoot();
  const files = [put(join(data_dir, 'master.key')), put(join(data_dir, '.env'))];
  const own = join(import.meta.dirname, '../../../main.ts');
  assert.ok(existsSync(own));
  const installation = {
    program_dir: join(own, '../../../..'),
    main: own,
    env_files: files.slice(1),
    data_dir,
    config_files: [],
  };
  const driver = makeJustBash({
    root: join(data_dir, 'sandboxes'),
    limits: { ...limits, memory_bytes: 4 * limits.memory_bytes },
    installation,
  });
  try {
    const probe = await driver.probe();
    assert.equal(probe.usable, true, probe.note);
    const code = `echo begun; ${[own, ...files].map((file) => `cat '${file}' '../../..${file}'`).join('; ')}`;
    assert.doesNotMatch(await run(driver, code), new RegExp(`${secret}|enableCompileCache`));
  } finally {
    await driver.close();
  }
});
