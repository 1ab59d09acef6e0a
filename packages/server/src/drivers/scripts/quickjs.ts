import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseStored } from '../../lib/json/parse-stored.ts';
import type { ScriptEnd, ScriptResult, ScriptRunner } from './driver.ts';
import { mostResultBytes, type ScriptRequest } from './request.ts';

const here = import.meta.dirname;
/** The time after which a script that can't be interrupted is killed; starting takes a part of it. */
const graceMs = 2_000;

const packages = () => {
  const entry = createRequire(import.meta.url).resolve('quickjs-emscripten-core');
  return entry.slice(0, entry.lastIndexOf('/node_modules/') + '/node_modules'.length);
};

const ended = (end: ScriptEnd, message: string): ScriptResult => ({ end, value: null, message, logs: [] });

/** A process for each script, so that a script can only break itself. */
export function makeQuickJs({ memory_bytes = 128 * 1024 * 1024 } = {}): ScriptRunner {
  const flags = [
    '--permission',
    ...[packages(), here].map((path) => `--allow-fs-read=${path}`),
    '--max-old-space-size=64',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ];
  return {
    async run({ code, input, timeout_ms, signal }) {
      if (signal?.aborted) return ended('stopped', 'it was stopped');
      const child = spawn(process.execPath, [...flags, join(here, 'child.ts')], {
        env: {},
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const closed = new Promise<void>((resolve) =>
        child.once('close', () => resolve()).once('error', () => resolve()),
      );
      let killed: ScriptEnd | undefined;
      const kill = (end: ScriptEnd) => {
        killed ??= end;
        child.kill('SIGKILL');
      };
      const stop = () => kill('stopped');
      const timer = setTimeout(kill, timeout_ms + graceMs, 'timeout');
      signal?.addEventListener('abort', stop);
      child.stdin.on('error', () => {});
      const request: ScriptRequest = { code, input, timeout_ms, memory_bytes };
      child.stdin.end(JSON.stringify(request));
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostResultBytes * 4) kill('bad_result');
      });
      try {
        const said = await text(child.stdout).catch(() => '');
        await closed;
        if (killed === 'timeout') return ended('timeout', 'it took too long');
        if (killed) return ended(killed, killed === 'stopped' ? 'it was stopped' : 'what it returned is too large');
        // A process without an answer was ended by its memory limit.
        return said ? parseStored<ScriptResult>(said) : ended('memory', 'it used more memory than it may');
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}
