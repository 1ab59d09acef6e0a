import assert from 'node:assert/strict';
import { type Attack, stoppedByLimit, tries } from './attack.ts';
import { attackLimits, type Rig, type Said } from './attack-setup.ts';

const { memory_bytes, disk_bytes, inodes, processes } = attackLimits;
const mebibytes = (bytes: number) => bytes / 1024 / 1024;

/** What the files of a sandbox came to, seen from outside. */
async function usedBy(rig: Rig, ref: string, path = ''): Promise<{ bytes: number; count: number }> {
  const total = { bytes: 0, count: 0 };
  for (const entry of await rig.driver.files.list(ref, path)) {
    total.count++;
    total.bytes += entry.size;
    if (entry.type !== 'directory') continue;
    const below = await usedBy(rig, ref, entry.path);
    total.bytes += below.bytes;
    total.count += below.count;
  }
  return total;
}

const isKernel = (rig: Rig) => rig.driver.engine !== 'just-bash';

/** Emulated shells end some of these with their own error before a limit applies; the test only requires an end. */
const endsBy =
  (...reasons: Parameters<typeof stoppedByLimit>) =>
  (said: Said, rig: Rig) =>
    isKernel(rig)
      ? stoppedByLimit(...reasons)(said)
      : assert.ok(said.reason !== 'exit' || said.exit_code !== 0 || !said.stdout.includes('all'));

/** Taking more than its share. Each stops by itself at a few times the limit, should nothing stop it. */
export const resourceExhaustionAttacks: Attack[] = [
  tries(
    'starts hundreds of processes',
    'bash',
    () =>
      `count=0; for i in $(seq 1 400); do sleep 3 & count=$i; done; [ "$(jobs -p | wc -l)" -gt ${processes * 2} ] && BREAK; wait; echo all`,
    { check: endsBy('processes') },
  ),
  tries(
    'starts a fork bomb',
    'bash',
    () =>
      'depth=0; bomb() { [ "$1" -gt 9 ] && return; bomb $(($1 + 1)) & bomb $(($1 + 1)) & wait; sleep 1; }; bomb 0; echo all',
    { check: (said, rig) => isKernel(rig) && stoppedByLimit('processes')(said) },
  ),
  tries(
    'takes much memory in one process',
    'python',
    () => `
held = []
for i in range(${mebibytes(memory_bytes) * 6}):
    held.append(bytearray(1024 * 1024))
    for j in range(0, 1024 * 1024, 4096): held[-1][j] = 1
BREAK`,
    { check: (said, rig) => isKernel(rig) && stoppedByLimit('memory')(said) },
  ),
  tries(
    'takes much memory in many processes',
    'bash',
    () => `
for i in 1 2 3 4 5 6; do python3 -c "
import os, time
held = bytearray(${Math.floor(mebibytes(memory_bytes) * 0.7)} * 1024 * 1024)
for j in range(0, len(held), 4096): held[j] = 1
open('ready.%d' % os.getpid(), 'w').close()
time.sleep(4)" & done
sleep 2; together=0
for pid in $(jobs -pr); do [ -e "ready.$pid" ] && together=$((together + 1)); done
[ "$together" -ge 3 ] && BREAK; wait; true`,
    { check: (said, rig) => isKernel(rig) && stoppedByLimit('memory')(said) },
  ),
  tries('loops for ever', 'bash', () => 'while true; do :; done', { check: endsBy('cpu', 'timeout') }),
  tries(
    'uses up CPU time in children',
    'bash',
    () => 'while true; do (i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done); done',
    {
      check: endsBy('cpu', 'timeout'),
    },
  ),
  {
    name: 'writes one big file',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const said = await rig.run(
        ref,
        'head -c 20000000 /dev/zero > big; code=$?; [ -e /dev/zero ] && exit $code; x=$(printf "%01000000d" 1); for i in $(seq 20); do printf %s "$x" >> big || exit 9; done',
      );
      endsBy('file_size')(said, rig);
      const { bytes } = await usedBy(rig, ref);
      assert.ok(bytes <= attackLimits.file_bytes, `${bytes} bytes were written`);
    },
  },
  {
    name: 'writes many files of some size',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const script = `import os
for i in range(60):
    with open('/work/f%d' % i, 'wb') as f: f.write(b'x' * 4000000)
print('all')`;
      endsBy('disk')(await rig.run(ref, script, 'python'), rig);
      const { bytes } = await usedBy(rig, ref);
      assert.ok(bytes <= disk_bytes * 5, `${bytes} bytes were kept`);
      assert.ok((await rig.run(ref, 'rm -f f*; ls | wc -l')).stdout.trim() === '0', 'a full sandbox can be emptied');
    },
  },
  {
    name: 'writes into files that are deleted already',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const script = `import os
held = []
for i in range(200):
    f = open('/work/f', 'wb'); os.unlink('/work/f'); held.append(f)
    f.write(b'x' * 4000000); f.flush()
print('all')`;
      endsBy('disk')(await rig.run(ref, script, 'python'), rig);
    },
  },
  {
    name: 'makes many small files',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const script = `import os, time
for i in range(${inodes * 20}):
    open('/work/f%d' % i, 'w').close()
    if i % 1000 == 0: time.sleep(0.1)
time.sleep(1)
print('all')`;
      endsBy('inodes')(await rig.run(ref, script, 'python'), rig);
      const { count } = await usedBy(rig, ref);
      assert.ok(count < inodes * 12, `${count} files were made`);
    },
  },
  {
    name: 'makes a tree deeper than a path may be long',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const name = 'd'.repeat(100);
      const script = `import os
for i in range(300):
    os.mkdir('${name}'); os.chdir('${name}')
open('x', 'w').write('x')`;
      await rig.run(ref, script, 'python');
      await rig.driver.destroy(ref);
      await assert.rejects(rig.driver.files.list(ref, ''), /gone/);
    },
  },
  {
    name: 'hides files in a directory that nobody may read',
    async attempt(rig) {
      const ref = await rig.sandbox();
      const script =
        'mkdir hidden; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 6000000 /dev/zero > hidden/$i || exit 9; done; chmod 000 hidden; sleep 1; echo all';
      endsBy('disk')(await rig.run(ref, script), rig);
      await rig.driver.destroy(ref);
      await assert.rejects(rig.driver.files.list(ref, ''), /gone/);
    },
  },
  tries(
    'fills memory by way of /tmp, /dev/shm and /',
    'bash',
    () => `
for place in /tmp /dev/shm /dev / /run /etc; do
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do head -c 7000000 /dev/zero > $place/fill$i 2>/dev/null || break; done
done
sum=$(cat /tmp/fill* /dev/shm/fill* /dev/fill* /fill* 2>/dev/null | wc -c)
[ "$sum" -gt ${150 * 1024 * 1024} ] && BREAK; true`,
  ),
  tries('says more than anybody reads', 'bash', () => "while true; do printf '%010000d' 1; done", {
    check(said, rig) {
      endsBy('output', 'cpu')(said, rig);
      assert.ok(said.stdout.length <= attackLimits.output_bytes, `${said.stdout.length} bytes came out`);
    },
  }),
  tries(
    'recurses without end',
    'python',
    () => 'def f(): return f()\nimport sys\nsys.setrecursionlimit(10**7)\nf()\nBREAK',
    // It ends at one limit or another, or the language ends it.
    { check: (said) => assert.ok(said.reason !== 'exit' || said.exit_code !== 0) },
  ),
];
