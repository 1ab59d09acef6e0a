import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAllowList } from '../../../web/allow-list.ts';
import { makeCheckedSockets } from '../../../web/checked-socket.ts';
import type { Ended, SandboxDriver, TerminalHandle } from '../../driver.ts';
import { limited } from '../../limit-command.ts';
import { runToEnd } from '../../run-to-end.ts';
import { smallLimits as limits, sandboxRoot, withoutBubblewrap as skip } from '../../testing.ts';
import { makeBubblewrap } from '../bubblewrap.ts';

/** The shell writes it when a line was entered. */
const entered = '\u001b[?2004l\r';

/** How many processes of the machine have this text in their arguments. */
const processesWith = (text: string) =>
  globSync('/proc/[0-9]*/cmdline').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(text);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  }).length;

/** A terminal that is open, with what it has shown. */
async function openIn(driver: SandboxDriver, ref: string) {
  const attached = Promise.withResolvers<TerminalHandle>();
  const control = new AbortController();
  let shown = '';
  const terminal = { size: { rows: 24, cols: 150 }, attach: attached.resolve };
  const command = { language: 'bash', code: '', cwd: '', env: {}, stdin: '', terminal } as const;
  const ended = (async (): Promise<Ended | undefined> => {
    for await (const output of limited(driver, ref, command, limits, control.signal))
      if ('ended' in output) return output.ended;
      else shown += Buffer.from(output.data);
    return undefined;
  })();
  const { write, resize } = await attached.promise;
  return {
    ...{ ended, resize, close: () => control.abort() },
    /** Types a command, and returns what it has written, up to a mark that it ends with. */
    async ask(code: string): Promise<string> {
      const from = shown.length;
      await write(`${code}; echo "-the-$((1 + 0))-end-"\r`);
      for (let looks = 0; looks < 1200; looks++, await sleep(25)) {
        const text = shown.slice(from);
        const [begin, end] = [text.indexOf(entered), text.indexOf('-the-1-end-')];
        if (begin >= 0 && end >= 0)
          return text
            .slice(begin + entered.length, end)
            .replaceAll('\r', '')
            .trim();
      }
      return assert.fail(`no answer in ${JSON.stringify(shown)}`);
    },
  };
}

suite('terminals of bubblewrap', { skip }, () => {
  const root = sandboxRoot();
  const driver = makeBubblewrap({ root, limits });
  after(() => driver.close());

  test('has the user, the rights and the limits of a command, and a terminal of its own', async () => {
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const { ask, close, ended, resize } = await openIn(driver, ref);
    assert.equal(await ask('id -u; tty; ls /dev/pts'), '1000\n/dev/pts/0\n0  ptmx');
    assert.equal(
      await ask("grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status | tr -s '\\t\\n' ' '"),
      [...['CapEff: 0000000000000000', 'NoNewPrivs: 1', 'Seccomp: 2']].join(' '),
    );
    assert.equal(await ask('ulimit -u; ulimit -n'), `${limits.processes}\n256`);
    // A program that types into the terminal of another could leave its sandbox.
    const push = 'python3 -c "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b\'x\')" 2>&1 | tail -1';
    assert.match(await ask(push), /PermissionError/);
    assert.match(await ask('echo x > /etc/passwd'), /Read-only file system|Permission denied/);
    assert.match(await ask('exec 3<>/dev/tcp/127.0.0.1/5432'), /refused|unreachable/i);
    resize({ rows: 50, cols: 111 });
    // Nothing says when the terminal has its new size.
    for (let looks = 0; looks < 100 && (await ask('stty size')) !== '50 111'; looks++);
    assert.equal(await ask('stty size'), '50 111');
    close();
    assert.deepEqual(await ended, { exit_code: null, reason: 'stopped' });
    await driver.destroy(ref);
  });

  test('ends with its shell, and takes the processes that it left along', async () => {
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const { ask, ended } = await openIn(driver, ref);
    const mark = `left-${randomUUID()}`;
    await ask(`(setsid sh -c "sleep 60; echo ${mark}") & echo begun`);
    const left = () => processesWith(`sleep 60; echo ${mark}`);
    for (let looks = 0; looks < 1200 && left() === 0; looks++) await sleep(25);
    assert.ok(left() > 0, 'the process is there');
    void ask('exit 5').catch(() => {});
    assert.deepEqual(await ended, { exit_code: 5, reason: 'exit' });
    assert.equal(left(), 0);
    await driver.destroy(ref);
  });

  test('reaches the web through a proxy of its own beside that of a command, and nothing private', async () => {
    const web = createServer((_, answer) => answer.end('from the web'));
    const port = await new Promise<number>((resolve) =>
      web.listen(0, '127.0.0.1', () => resolve((web.address() as AddressInfo).port)),
    );
    /** Simulates the internet: a public address that leads to our own server. */
    const open = makeCheckedSockets({
      allow: makeAllowList([]),
      resolve: async (name) => (name === 'public.test' ? ['93.184.216.34'] : ['127.0.0.1']),
      connect: () => {
        const socket = connect({ host: '127.0.0.1', port });
        Object.defineProperty(socket, 'remoteAddress', { get: () => '93.184.216.34' });
        return socket;
      },
    });
    const dir = mkdtempSync(join(tmpdir(), 'atrium-net-'));
    const networked = makeBubblewrap({ root: dir, limits, open });
    after(async () => {
      await networked.close();
      web.close();
      rmSync(dir, { recursive: true, force: true });
    });
    const ref = await networked.create({ id: randomUUID(), persistent: false, network: true });
    const { ask, close, ended } = await openIn(networked, ref);
    const code = (url: string) =>
      `python3 -c "import urllib.request; print(urllib.request.urlopen('${url}', timeout=30).read().decode())" 2>&1 | tail -1`;
    assert.equal(await ask(code('http://public.test/')), 'from the web');
    const command = { language: 'bash', code: code('http://public.test/'), cwd: '', env: {}, stdin: '' } as const;
    assert.equal((await runToEnd(limited(networked, ref, command, limits))).stdout, 'from the web\n');
    assert.equal(
      await ask(code('http://public.test/')),
      'from the web',
      'the end of a command leaves the terminal its way',
    );
    for (const url of ['http://private.test/', `http://127.0.0.1:${port}/`, 'http://169.254.169.254/'])
      assert.match(await ask(code(url)), /Error/, url);
    close();
    await ended;
    assert.deepEqual(readdirSync(join(dir, ref, 'run')), [], 'no socket is left');
    await networked.destroy(ref);
  });
});
