import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command, Output, SandboxDriver } from '../../src/drivers/sandboxes/driver.ts';
import { confinedFiles } from '../../src/drivers/sandboxes/local/confined-files.ts';
import { mergeOutput } from '../../src/drivers/sandboxes/merge-output.ts';

const programs = { bash: 'bash', python: 'python3', javascript: 'node' } as const;

/** No sandbox at all, to see that the attacks that do no harm would get through: a test that can't fail shows nothing. */
export function makeUnsandboxed(root: string): SandboxDriver {
  const workOf = (ref: string) => join(root, ref);
  async function* exec(ref: string, command: Command, signal: AbortSignal): AsyncGenerator<Output> {
    const flag = command.language === 'javascript' ? '-e' : '-c';
    const child = spawn(programs[command.language], [flag, command.code], {
      cwd: workOf(ref),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    child.on('error', () => {});
    yield* mergeOutput(child.stdout as Readable, child.stderr as Readable);
    yield { ended: { exit_code: child.exitCode, reason: 'exit' } };
  }
  const unused = () => Promise.reject(new Error('not for attacks'));
  return {
    engine: 'docker',
    has_terminals: false,
    probe: unused,
    create: async ({ id }) => {
      mkdirSync(workOf(id));
      return id;
    },
    start: async () => {},
    stop: async () => {},
    destroy: async () => {},
    exec,
    files: { list: (ref, path) => confinedFiles.list(workOf(ref), path), read: unused, write: unused, remove: unused },
    close: async () => {},
  };
}
