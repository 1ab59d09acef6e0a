import { randomUUID } from 'node:crypto';
import { type Language, languages } from '@atrium/contract/sandboxes/engines.ts';
import type { Probe, SandboxDriver } from '../driver.ts';
import { runToEnd } from '../run-to-end.ts';

const programs: Record<Language, string> = { bash: 'bash', python: 'python3', javascript: 'node' };

/** Creates a sandbox, runs a test in it, and removes it. */
export async function probeRemote(driver: SandboxDriver, found: Omit<Probe, 'usable' | 'languages'>): Promise<Probe> {
  let ref: string | undefined;
  try {
    ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const code = `for program in ${Object.values(programs).join(' ')}; do command -v "$program" > /dev/null && echo "has $program"; done; echo done`;
    const command = { language: 'bash', code, cwd: '', env: {}, stdin: '' } as const;
    const { stdout, stderr, ended } = await runToEnd(driver.exec(ref, command, AbortSignal.timeout(60_000)));
    const lines = stdout.trim().split('\n');
    if (lines.at(-1) !== 'done')
      return {
        ...found,
        usable: false,
        languages: [],
        note: `the self-test ended early (${ended.reason}): ${stderr.trim().slice(-200)}`,
      };
    return { ...found, usable: true, languages: languages.filter((name) => lines.includes(`has ${programs[name]}`)) };
  } catch (error) {
    return { ...found, usable: false, languages: [], note: error instanceof Error ? error.message : String(error) };
  } finally {
    // The result of the self-test counts; the engine ends a sandbox that is left over.
    if (ref !== undefined) await driver.destroy(ref).catch(() => {});
  }
}
