import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program beside ours, once it has said its first line. */
export async function startBeside(program: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  return { pid: child.pid as number, line: String(line).trim(), stop };
}
