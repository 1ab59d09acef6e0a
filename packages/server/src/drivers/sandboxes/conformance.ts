import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { type Command, type SandboxDriver, SandboxFileRefused, SandboxGone } from './driver.ts';
import { limited } from './limit-command.ts';
import { runToEnd } from './run-to-end.ts';

export interface Conforming {
  make(): SandboxDriver;
  /** Whether both streams arrive while the command runs, and separately. */
  streams?: boolean;
  /** Why the engine can't be tested here. */
  skip?: string | false;
}

const allowed = { wall_ms: 60_000, output_bytes: 1024 * 1024 };

/** The tests that every engine must pass. */
export function sandboxConformance(name: string, { make, streams = true, skip = false }: Conforming): void {
  suite(`sandboxes: ${name}`, { skip }, () => {
    let driver: SandboxDriver;
    let ref: string;
    const create = (persistent = false) => driver.create({ id: randomUUID(), persistent, network: false });
    const run = (code: string, more: Partial<Command & typeof allowed> = {}, signal?: AbortSignal, own = ref) => {
      const { wall_ms, output_bytes } = { ...allowed, ...more };
      const command: Command = { language: 'bash', code, cwd: '', env: {}, stdin: '', ...more };
      return runToEnd(limited(driver, own, command, { wall_ms, output_bytes }, signal));
    };
    const content = async (path: string) => Buffer.concat(await Array.fromAsync(await driver.files.read(ref, path)));
    const refused =
      (code: SandboxFileRefused['code'], ...more: SandboxFileRefused['code'][]) =>
      (error: unknown) =>
        error instanceof SandboxFileRefused && [code, ...more].includes(error.code);

    before(async () => {
      driver = make();
      ref = await create();
    });
    after(async () => {
      await driver.destroy(ref);
      await driver.close();
    });

    test('the self-test describes the engine', async () => {
      const probe = await driver.probe();
      assert.equal(probe.usable, true, probe.note);
      assert.ok(probe.languages.includes('bash'));
    });

    test('passes input, variables and directory to a command, and returns output and exit code', async () => {
      await run('mkdir -p below');
      const env = { A: 'a b', B: "it's $HOME `id`" };
      const said = await run('cat; echo "$A|$B"; basename "$PWD"; exit 7', { stdin: 'in\n', env, cwd: 'below' });
      assert.equal(said.stdout, "in\na b|it's $HOME `id`\nbelow\n");
      assert.deepEqual(said.ended, { exit_code: 7, reason: 'exit' });
    });

    test('runs a command of any text', async () => {
      const said = await run(`printf '%s' "'\\"\\$ \\\\ é 你好 \n\t"; :`);
      assert.equal(said.stdout, `'"$ \\ é 你好 \n\t`);
    });

    test('keeps the two streams apart', { skip: !streams && 'this engine has one' }, async () => {
      const { stdout, stderr } = await run('echo out; echo err >&2');
      assert.deepEqual([stdout, stderr], ['out\n', 'err\n']);
    });

    test('keeps files from one command to the next', async () => {
      await run('echo one > kept.txt');
      await driver.stop(ref);
      await driver.start(ref);
      assert.equal((await run('cat kept.txt')).stdout, 'one\n');
    });

    test('writes and reads bytes unchanged, by commands and by file operations', async () => {
      const bytes = randomBytes(100_000);
      const entry = await driver.files.write(ref, 'a/b/c.bin', bytes);
      assert.deepEqual([entry.path, entry.type, entry.size], ['a/b/c.bin', 'file', bytes.length]);
      assert.ok(bytes.equals(await content('a/b/c.bin')));
      assert.equal((await run('wc -c < a/b/c.bin')).stdout.trim(), '100000');
      await driver.files.write(ref, 'a/b/c.bin', Buffer.from('again'));
      assert.equal((await content('a/b/c.bin')).toString(), 'again');
      assert.equal((await run('echo own > a/b/own.txt; echo more >> a/b/c.bin; cat a/b/c.bin')).stdout, 'againmore\n');
    });

    test('lists names in order, with their kinds and sizes', async () => {
      await run('mkdir -p l/dir; printf 12345 > "l/with space.txt"; : > l/empty');
      const entries = await driver.files.list(ref, 'l');
      assert.deepEqual(
        entries.map(({ path, type, size }) => [path, type, size]),
        [
          ['l/dir', 'directory', 0],
          ['l/empty', 'file', 0],
          ['l/with space.txt', 'file', 5],
        ],
      );
      assert.ok(entries.every(({ modified_at }) => Math.abs(Date.now() - modified_at.getTime()) < 600_000));
    });

    test('refuses paths that do not exist or lead outside', async () => {
      await assert.rejects(content('no/such'), refused('missing'));
      await assert.rejects(driver.files.list(ref, 'no/such'), refused('missing'));
      await assert.rejects(driver.files.remove(ref, 'no-such'), refused('missing'));
      for (const path of ['../x', 'a/../../x', `${'n'.repeat(300)}`, 'a\0b']) {
        await assert.rejects(content(path), refused('bad_path'));
        await assert.rejects(driver.files.list(ref, path), refused('bad_path'));
        await assert.rejects(driver.files.write(ref, path, Buffer.from('x')), refused('bad_path'));
        await assert.rejects(driver.files.remove(ref, path), refused('bad_path'));
      }
    });

    test('removes a directory with its content', async () => {
      await run('mkdir -p r/s/t; echo x > r/s/t/u; echo y > r/v');
      await driver.files.remove(ref, 'r');
      await assert.rejects(driver.files.list(ref, 'r'), refused('missing'));
    });

    test('ends a command with the reason timeout or stopped', async () => {
      const endless = 'while true; do sleep 0.05; done';
      assert.deepEqual((await run(endless, { wall_ms: 700 })).ended, { exit_code: null, reason: 'timeout' });
      const leaving = new AbortController();
      const running = run(endless, {}, leaving.signal);
      setTimeout(() => leaving.abort(), 500);
      assert.deepEqual((await running).ended, { exit_code: null, reason: 'stopped' });
      assert.equal((await run('echo still')).stdout, 'still\n');
    });

    test('ends a command that writes more output than allowed', async () => {
      // Not so much that an engine which keeps it in memory meets another limit first.
      const { ended, stdout } = await run("for i in $(seq 1 300); do printf '%01000d' 1; done", {
        output_bytes: 100_000,
      });
      assert.deepEqual(ended, { exit_code: null, reason: 'output' });
      assert.ok(stdout.length <= 100_000);
    });

    test('a destroyed sandbox is gone, and can be destroyed again', async () => {
      const gone = await create(true);
      await driver.files.write(gone, 'x', Buffer.from('x'));
      await driver.destroy(gone);
      await driver.destroy(gone);
      await assert.rejects(driver.start(gone), SandboxGone);
      await assert.rejects(run('true', {}, undefined, gone), SandboxGone);
    });

    test('keeps sandboxes apart', async () => {
      const other = await create();
      await driver.files.write(other, 'theirs.txt', Buffer.from('theirs'));
      assert.equal((await run('cat theirs.txt 2> /dev/null; ls theirs.txt 2> /dev/null; :')).stdout, '');
      await driver.destroy(other);
    });
  });
}
