import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SandboxFileRefused } from '../../src/drivers/sandboxes/driver.ts';
import type { Attack } from './attack.ts';
import type { Rig } from './attack-setup.ts';

const read = async (rig: Rig, ref: string, path: string) =>
  (await buffer(Readable.from(await rig.driver.files.read(ref, path)))).toString();

/** Asserts that the driver refuses the work within 20 seconds and does not return the secret. */
async function refused(rig: Rig, work: () => Promise<unknown>, what: string): Promise<void> {
  const late = Symbol('late');
  const found = await Promise.race([
    work().then(
      (value) => value,
      (error: unknown) => error,
    ),
    new Promise((resolve) => setTimeout(resolve, 20_000, late)),
  ]);
  assert.notEqual(found, late, `${what} makes the reader wait`);
  assert.ok(!String(found).includes(rig.file_secret), `${what} leads out`);
  assert.ok(found instanceof SandboxFileRefused, `${what} is not refused: ${String(found)}`);
}

/** Files that try to trick the server when it reads a sandbox's files from outside. */
export const misleadingFileAttacks: Attack[] = [
  {
    name: 'leads the reader of its files out by links',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const at = rig.host_file.lastIndexOf('/');
      const [folder, name] = [rig.host_file.slice(0, at), rig.host_file.slice(at + 1)];
      await rig.run(
        ref,
        `ln -s '${rig.host_file}' link; ln -s '${folder}' folder; ln -s /proc/self/environ environ; ln -s / top; mkdir real; true`,
      );
      for (const path of [
        'link',
        `folder/${name}`,
        'environ',
        `top${rig.host_file}`,
        `../../..${rig.host_file}`,
        rig.host_file,
      ])
        await refused(rig, () => read(rig, ref, path), path);
      await refused(rig, () => rig.driver.files.list(ref, '../'), 'a list of what is above');
      for (const path of ['folder', 'top']) {
        const found = await rig.driver.files
          .list(ref, path)
          .then((entries) => entries.map((entry) => entry.path), String);
        assert.ok(!String(found).includes(name), `a list shows what ${path} leads to`);
        await rig.driver.files.write(ref, `${path}/written.txt`, Buffer.from('x')).catch(() => {});
      }
      assert.equal(existsSync(`${folder}/written.txt`), false, 'a write went out');
      await rig.driver.files.write(ref, 'link', Buffer.from('mine')).catch(() => {});
      assert.equal(readFileSync(rig.host_file, 'utf8'), rig.file_secret, 'a write went through a link');
      await rig.driver.files.remove(ref, 'folder').catch(() => {});
      assert.equal(readFileSync(rig.host_file, 'utf8'), rig.file_secret, 'a removal went through a link');
    },
  },
  {
    name: 'swaps a directory for a link while its files are read',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const folder = rig.host_file.slice(0, rig.host_file.lastIndexOf('/'));
      const script = `
import os, time
os.makedirs('/work/a', exist_ok=True); open('/work/a/secret.txt', 'w').write('harmless')
end = time.time() + 2
while time.time() < end:
    try:
        os.rename('/work/a', '/work/b'); os.symlink('${folder}', '/work/a'); os.unlink('/work/a'); os.rename('/work/b', '/work/a')
    except OSError: pass`;
      const racing = rig.run(ref, script, 'python');
      let reads = 0;
      for (let over = false; !over; reads++) {
        const text = await read(rig, ref, 'a/secret.txt').catch((error: Error) => error.message);
        assert.ok(!text.includes(rig.file_secret), 'the race was won');
        over = await Promise.race([
          racing.then(() => true),
          new Promise<false>((resolve) => setImmediate(resolve, false)),
        ]);
      }
      assert.ok(reads > 10, `only ${reads} reads`);
    },
  },
  {
    name: 'makes the reader of its files wait at a FIFO',
    async attempt(rig) {
      const ref = await rig.sandbox();
      await rig.run(ref, 'mkfifo fifo; mkdir -p directory; true');
      await rig.run(
        ref,
        "import os, socket\ntry: os.mkfifo('/work/fifo2')\nexcept Exception: pass\ntry: socket.socket(socket.AF_UNIX).bind('/work/socket')\nexcept Exception: pass",
        'python',
      );
      for (const path of ['fifo', 'fifo2', 'socket', 'directory', 'missing'])
        await refused(rig, () => read(rig, ref, path), path);
    },
  },
];
