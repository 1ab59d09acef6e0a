import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url));

/**
 * The program as `npm start` starts it: bundled from the sources as they are when it is first asked for. Processes that
 * this one starts use the same bundle.
 */
export function builtProgram(): string {
  process.env['ATRIUM_TEST_PROGRAM'] ||= execFileSync(process.execPath, [build], { encoding: 'utf8' }).trim();
  return process.env['ATRIUM_TEST_PROGRAM'];
}
