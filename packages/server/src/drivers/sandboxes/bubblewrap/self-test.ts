import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Language, languages } from '@atrium/contract/sandboxes/engines.ts';
import type { Probe, SandboxDriver } from '../driver.ts';
import { type Installation, readingScript, withCanary } from '../installation.ts';
import { runToEnd } from '../run-to-end.ts';

interface Tested {
  root: string;
  installation: Installation;
  hasFilter: boolean;
  hasNetwork: boolean;
  memoryHeld(): Promise<boolean>;
  hasNode: boolean;
  driver: SandboxDriver;
}

const unusable = (note: string): Probe => ({
  usable: false,
  isolation: 'kernel',
  languages: [],
  network: false,
  unlimited: [],
  note,
});

/** What the test script must find: a user without rights, no way out, a filter, nothing of this machine. */
const canary = `
[ "$(id -u)" = 1000 ] || echo "it runs as $(id -u)"
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || echo 'it has capabilities'
grep -q '^NoNewPrivs:[[:space:]]*1$' /proc/self/status || echo 'it could gain privileges'
grep -q '^Seccomp:[[:space:]]*2$' /proc/self/status || echo 'there is no system-call filter'
[ -e /etc/shadow ] || [ -e /root ] || [ -e "$1" ] && echo 'it sees files of this machine'
[ "$(ls /sys/class/net 2>/dev/null | grep -vc '^lo$')" = 0 ] || echo 'it sees network interfaces'
{ echo x > /usr/canary; } 2>/dev/null && echo 'it can change the system'
{ echo x > /canary; } 2>/dev/null && echo 'it can write outside of /work and /tmp'
for fd in /proc/self/fd/*; do
  case "\${fd##*/} $(readlink "$fd")" in [012]' '*|*' /dev/null'|*' ') ;; *) echo 'it has open files of ours' ;; esac
done
for program in bash python3 node; do command -v "$program" > /dev/null && echo "has $program"; done
echo done
`;

function advice(error: string): string {
  if (/ENOENT/.test(error)) return 'bubblewrap is not installed: `apt-get install bubblewrap` (or dnf, apk, pacman)';
  const restricted = readOr('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1';
  if (restricted)
    return (
      'AppArmor keeps bubblewrap from making user namespaces: load the profile `bwrap-userns-restrict` of the package ' +
      `apparmor-profiles (${error})`
    );
  if (/No permissions to create|Operation not permitted|unshare|setting up uid map/i.test(error))
    return (
      'user namespaces are not allowed here; in a container add `--security-opt seccomp=unconfined --cap-add SYS_ADMIN`, ' +
      `or use another engine (${error})`
    );
  return error;
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

const programs: Record<Language, string> = { bash: 'bash', python: 'python3', javascript: 'node' };

/** Creates a sandbox, runs the test script in it, and removes it. */
export async function selfTest(tested: Tested): Promise<Probe> {
  const { root, installation, hasFilter, hasNetwork, memoryHeld, hasNode, driver } = tested;
  if (process.platform !== 'linux') return unusable('bubblewrap runs on Linux only');
  if (!hasFilter) return unusable(`there is no system-call filter for ${process.arch}`);
  const id = randomUUID();
  try {
    await driver.create({ id, persistent: false, network: false });
    const { stdout, stderr, ended } = await withCanary(installation, (files) => {
      const code = `set -- '${root.replaceAll("'", '')}'\n${readingScript(files)}\n${canary}`;
      const command = { language: 'bash', code, cwd: '', env: {}, stdin: '' } as const;
      return runToEnd(driver.exec(id, command, AbortSignal.timeout(20_000)));
    });
    const lines = stdout.trim().split('\n');
    if (ended.reason !== 'exit' || lines.at(-1) !== 'done')
      return unusable(`the self-test ended early (${ended.reason}): ${stderr.trim().slice(-200)}`);
    const wrong = lines.filter((line) => line !== 'done' && !line.startsWith('has '));
    if (wrong.length) return unusable(`the self-test does not hold: ${wrong.join(', ')}`);
    const held = (await memoryHeld()) ? 'memory held by a control group' : 'memory watched (no control group)';
    return {
      usable: true,
      isolation: 'kernel',
      languages: languages.filter((language) => lines.includes(`has ${programs[language]}`)),
      network: hasNetwork && hasNode,
      unlimited: [],
      note: held,
    };
  } catch (error) {
    return unusable(advice(error instanceof Error ? error.message : String(error)));
  } finally {
    // The result of the self-test counts; a directory that is left over does no harm.
    await driver.destroy(id).catch(() => {});
  }
}
