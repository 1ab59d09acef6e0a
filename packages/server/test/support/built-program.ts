import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/**
 * The program as `npm start` starts it: bundled from the sources as they are when it is first asked for. Processes that
 * this one starts use the same bundle.
 */
export function builtProgram(): string {
  if (!process.env['ATRIUM_TEST_PROGRAM']) {
    execFileSync(process.execPath, [pathOf('scripts/build.ts')], { stdio: ['ignore', 'ignore', 'inherit'] });
    process.env['ATRIUM_TEST_PROGRAM'] = pathOf('start.mjs');
  }
  return process.env['ATRIUM_TEST_PROGRAM'];
}
