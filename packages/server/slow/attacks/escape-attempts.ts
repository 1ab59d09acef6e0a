import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, tries } from './attack.ts';

const python = (name: string, script: (rig: import('./attack-setup.ts').Rig) => string, more = {}) =>
  tries(name, 'python', script, more);

/** Attempts to read or change things outside the sandbox. */
export const escapeAttacks: Attack[] = [
  tries('reads a file of the machine', 'bash', (rig) => `cat '${rig.host_file}'; cat ../../../../..${rig.host_file}`, {
    harmless: true,
  }),
  python(
    'reads a file of the machine with a real language',
    (rig) => `
import os
for path in ['${rig.host_file}', '/work/../../../..${rig.host_file}', '/proc/self/root${rig.host_file}', '/proc/1/root${rig.host_file}']:
    try: print(open(path).read())
    except Exception as e: print(type(e).__name__)`,
    { harmless: true },
  ),
  python(
    'finds secrets of the server in /proc',
    () => `
import os, glob
for path in glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline') + glob.glob('/proc/*/task/*/environ'):
    try: print(open(path, 'rb').read().decode('latin1'))
    except Exception as e: pass
print(dict(os.environ))`,
    { harmless: true },
  ),
  python(
    'leaves through /proc/*/root or an open descriptor',
    (rig) => `
import os, glob
for link in glob.glob('/proc/[0-9]*/root') + glob.glob('/proc/[0-9]*/cwd') + glob.glob('/proc/[0-9]*/fd/*'):
    for path in [link + '${rig.host_file}', link + '/../../../../..${rig.host_file}']:
        try:
            with open(path) as f: print(f.read())
        except Exception: pass
for fd in range(3, 300):
    try:
        target = os.readlink('/proc/self/fd/%d' % fd)
        if not target.startswith(('/dev/null', '/proc/', 'anon_inode:')): BREAK
    except Exception: pass`,
  ),
  python(
    'signals the server',
    () => `
import os
try:
    os.kill(${process.pid}, 0); BREAK
except Exception as e: print(type(e).__name__)`,
    { harmless: true },
  ),
  python(
    'connects to a port of the machine',
    (rig) => `
import socket
for host in ['127.0.0.1', 'localhost', '0.0.0.0']:
    try:
        s = socket.create_connection((host, ${rig.tcp_port}), 2); print(s.recv(100)); BREAK
    except Exception as e: print(type(e).__name__)`,
    { harmless: true },
  ),
  python(
    'connects to an abstract socket of the machine',
    (rig) => `
import socket
try:
    s = socket.socket(socket.AF_UNIX); s.connect(chr(0) + '${rig.abstract_name}'); print(s.recv(100)); BREAK
except Exception as e: print(type(e).__name__)`,
    { harmless: true },
  ),
  python(
    'opens sockets of other families (vsock, netlink, packet, crypto)',
    () => `
import socket
for family in (40, 16, 17, 38, 31, 29):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            socket.socket(family, kind, 0); print(family, kind); BREAK
        except Exception: pass`,
    { harmless: true },
  ),
  python(
    'makes namespaces, mounts and devices',
    () => `
import ctypes, os
try: libc = ctypes.CDLL(None, use_errno=True)
except Exception: raise SystemExit
for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000):
    if libc.unshare(flag) == 0: BREAK
if libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0: BREAK
if libc.chroot(b'/tmp') == 0: BREAK
if libc.mknod(b'/work/dev', 0o60666, 0x0800) == 0: BREAK
if libc.mknod(b'/tmp/fifo', 0o10666, 0) == 0: BREAK
if libc.setuid(0) == 0: BREAK`,
  ),
  python(
    'uses calls that broke kernels (bpf, io_uring, userfaultfd, keyctl, perf, ptrace, clone3)',
    () => `
import ctypes, platform
try: libc = ctypes.CDLL(None, use_errno=True)
except Exception: raise SystemExit
arm = platform.machine() == 'aarch64'
buffer = ctypes.create_string_buffer(256)
calls = {'bpf': (321, 280), 'io_uring_setup': (425, 425), 'userfaultfd': (323, 282), 'keyctl': (250, 219),
  'add_key': (248, 217), 'perf_event_open': (298, 241), 'ptrace': (101, 117), 'clone3': (435, 435),
  'process_vm_readv': (310, 270), 'open_by_handle_at': (304, 265), 'pidfd_getfd': (438, 438), 'x32 getpid': (0x40000027, 0x40000027)}
for name, numbers in calls.items():
    ctypes.set_errno(0)
    result = libc.syscall(numbers[1 if arm else 0], 1, buffer, 64, 0, 0, 0)
    # 1 is EPERM and 38 ENOSYS: the filter's answers. Anything else has come to the kernel.
    if result >= 0 or ctypes.get_errno() not in (1, 38): print(name, result, ctypes.get_errno()); BREAK`,
  ),
  tries(
    'changes the kernel by /proc/sys (core_pattern)',
    'bash',
    () => `
for file in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sysrq-trigger /proc/1/oom_score_adj; do
  if [ "$file" = /proc/sysrq-trigger ]; then [ -w "$file" ] && BREAK
  elif [ -e "$file" ]; then value=$(cat "$file" 2>/dev/null); { printf '%s' "$value" > "$file"; } 2>/dev/null && [ "\${file%%oom*}" = "$file" ] && BREAK; fi
done; true`,
  ),
  tries(
    'writes to the system',
    'bash',
    () => `
for place in / /usr /usr/bin /etc /bin /lib /opt /run /var /root /home /proc /dev /sys; do
  { echo x > "$place/atrium-attack"; } 2>/dev/null && [ -e /usr/bin/env ] && BREAK
done; true`,
  ),
  {
    name: 'leaves a file with the setuid bit',
    async attempt(rig) {
      const ref = await rig.sandbox();
      await rig.run(
        ref,
        'cp /usr/bin/id /work/id 2>/dev/null || echo x > /work/id; chmod 4755 /work/id; chmod 2755 /work/id; true',
      );
      await rig.run(ref, "import os\nos.close(os.open('/work/made', os.O_CREAT | os.O_WRONLY, 0o4755))", 'python');
      if (rig.root === undefined) return;
      const work = join(rig.root, ref, 'work');
      for (const name of readdirSync(work)) {
        const { mode, uid } = statSync(join(work, name));
        assert.equal(mode & 0o6000, 0, `${name} has a setuid or setgid bit`);
        if (process.getuid?.() === 0 && rig.driver.engine === 'bubblewrap')
          assert.notEqual(uid, 0, `${name} is root's`);
      }
    },
  },
  {
    name: 'reads what another sandbox holds',
    async attempt(rig) {
      const [mine, theirs] = [await rig.sandbox(), await rig.sandbox()];
      await rig.driver.files.write(theirs, 'private.txt', Buffer.from(rig.file_secret));
      const places = [
        '/work/private.txt',
        `/work/../../${theirs}/work/private.txt`,
        `${rig.root}/${theirs}/work/private.txt`,
      ];
      const bash = await rig.run(
        mine,
        `${places.map((place) => `cat '${place}'`).join('\n')}\nls -laR / 2>/dev/null | grep -c private.txt`,
      );
      const found = await rig.run(
        mine,
        `
import os
for path in ${JSON.stringify(places)}:
    try: print(open(path).read())
    except Exception: pass
for base, _, names in os.walk('/'):
    if base.startswith(('/proc', '/usr')): continue
    for name in names:
        if name == 'private.txt':
            try: print(open(os.path.join(base, name)).read())
            except Exception: pass`,
        'python',
      );
      assert.ok(!`${bash.stdout}${found.stdout}`.includes(rig.file_secret), 'another sandbox was read');
      const link = await rig.run(mine, `ln -s '${rig.root}/${theirs}/work/private.txt' stolen; cat stolen`);
      assert.ok(!link.stdout.includes(rig.file_secret), 'another sandbox was read by a link');
    },
  },
  {
    name: 'goes on after its command has ended',
    harmless: true,
    async attempt(rig) {
      const ref = await rig.sandbox();
      const background = "(trap '' TERM HUP; sleep 1.2; echo late > late.txt) > /dev/null 2>&1 &";
      await rig.run(ref, `setsid bash -c "${background}" > /dev/null 2>&1; ${background}\necho started`);
      const names = async () => (await rig.driver.files.list(ref, '')).map(({ path }) => path);
      const before = await names();
      await sleep(2_000);
      assert.deepEqual(await names(), before, 'a background process has gone on');
    },
  },
  {
    name: 'holds the output open after its command has ended',
    async attempt(rig) {
      const { ms, stdout } = await rig.run(await rig.sandbox(), '(sleep 6) & echo started');
      assert.match(stdout, /started/);
      assert.ok(ms < 18_000, `the answer took ${Math.round(ms)} ms`);
    },
  },
  {
    name: 'outlives its time by ignoring signals and leaving its session',
    async attempt(rig) {
      const ref = await rig.sandbox();
      // The test finds the process by this number, which no other process sleeps for.
      const nap = `300.${Math.floor(Math.random() * 1e9)}`;
      const script = `trap '' TERM INT HUP; (trap '' TERM; setsid sleep ${nap}) & while true; do sleep 0.1; done`;
      const { reason, ms } = await rig.run(ref, script, 'bash', 1_500);
      assert.equal(reason, 'timeout');
      assert.ok(ms < 25_000, `it took ${Math.round(ms)} ms`);
      for (let looks = 0; looks < 100 && sleepers(nap).length > 0; looks++) await sleep(100);
      assert.deepEqual(sleepers(nap), [], 'a process is left');
    },
  },
];

/** Finds processes on this machine, in any namespace, that sleep for this time. */
const sleepers = (nap: string) =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith(`sleep\0${nap}`);
    } catch {
      return false;
    }
  });
