import { setTimeout as sleep } from 'node:timers/promises';
import {
  EngineFailed,
  type Entry,
  type Limits,
  type Output,
  type SandboxDriver,
  SandboxFileRefused,
  SandboxGone,
} from '../driver.ts';
import { namesOf } from '../local/open-directory.ts';
import { endOf, reasonOf } from '../remote/end-of.ts';
import { ask, type HttpApi } from '../remote/http-api.ts';
import { probeRemote } from '../remote/probe.ts';
import { shellProgram } from '../remote/shell-program.ts';

export interface DaytonaOptions {
  api_key: string;
  base_url: string;
  limits: Limits;
}

interface FileInfo {
  name: string;
  isDir: boolean;
  mode?: string;
  size: number;
  modifiedAt?: string;
}

const home = '/home/daytona/work';
const stdinFile = '.stdin';
/** In minutes; more than the time after which we stop or remove a sandbox ourselves. */
const idleMinutes = 30;
const [startMs, pollMs] = [120_000, 500];

/** The API takes a command as one text, always this one. The script is passed in the environment. */
const line = 'bash -c "$ATRIUM_SCRIPT"';

/** A sandbox at Daytona, used over plain HTTP. */
export function makeDaytona({ api_key, base_url, limits }: DaytonaOptions): SandboxDriver {
  const api: HttpApi = { name: 'Daytona', base_url, headers: { authorization: `Bearer ${api_key}` } };
  const toolboxes = new Map<string, string>();
  const at = (ref: string, rest = '') => `/sandbox/${encodeURIComponent(ref)}${rest}`;
  const told = async (method: string, path: string, json?: unknown) =>
    (await ask(api, method, path, json === undefined ? {} : { json })).body?.cancel();

  /** Waits until the sandbox is in a state; transitions take a while. */
  async function reached(ref: string, wanted: string): Promise<void> {
    for (const until = Date.now() + startMs; Date.now() < until; await sleep(pollMs)) {
      const { state, toolboxProxyUrl } = (await (await ask(api, 'GET', at(ref))).json()) as {
        state?: string;
        toolboxProxyUrl?: string;
      };
      if (toolboxProxyUrl) toolboxes.set(ref, toolboxProxyUrl);
      if (state === wanted) return;
      if (state === 'destroyed' || state === 'destroying') throw new SandboxGone();
      if (state === 'error' || state === 'build_failed')
        throw new EngineFailed(`Daytona's sandbox is in the state ${state}`);
    }
    throw new EngineFailed(`Daytona's sandbox did not become ${wanted}`);
  }

  async function toolbox(ref: string): Promise<HttpApi> {
    if (!toolboxes.has(ref)) await reached(ref, 'started');
    const url = toolboxes.get(ref);
    if (!url) throw new EngineFailed('Daytona did not say where its sandbox is');
    return { ...api, base_url: `${url.replace(/\/$/, '')}/${encodeURIComponent(ref)}` };
  }

  async function* exec(...[ref, command, signal]: Parameters<SandboxDriver['exec']>): AsyncGenerator<Output> {
    const { script, env } = shellProgram(command, limits, home);
    const quiet = command.stdin
      ? `exec < "$ATRIUM_HOME/${stdinFile}"; rm -f -- "$ATRIUM_HOME/${stdinFile}"\n`
      : 'exec < /dev/null\n';
    if (command.stdin) await write(ref, stdinFile, Buffer.from(command.stdin));
    const seconds = Math.ceil(limits.wall_ms / 1000);
    try {
      const answer = await ask(await toolbox(ref), 'POST', '/process/execute', {
        json: { command: line, envs: { ...env, ATRIUM_SCRIPT: `${quiet}${script}` }, timeout: seconds },
        signal,
      });
      const { exitCode = 0, result } = (await answer.json()) as { exitCode?: number; result?: string };
      if (result) yield { stream: 'stdout', data: Buffer.from(result) };
      yield { ended: endOf(exitCode, signal) };
    } catch (error) {
      if (!signal.aborted) throw error;
      // The API has no way to end one command, so the whole sandbox is stopped.
      // If stopping fails, starting the sandbox reports it.
      await told('POST', at(ref, '/stop')).catch(() => {});
      await reached(ref, 'stopped').catch(() => {});
      await start(ref);
      yield { ended: { exit_code: null, reason: reasonOf(signal) } };
    }
  }

  async function start(ref: string): Promise<void> {
    const { state } = (await (await ask(api, 'GET', at(ref))).json()) as { state?: string };
    if (state !== 'started') await told('POST', at(ref, '/start'));
    await reached(ref, 'started');
  }

  const query = (path: string) => `path=${encodeURIComponent(`${home}/${namesOf(path).join('/')}`)}`;
  const missing = (error: unknown): never => {
    throw error instanceof SandboxGone
      ? new SandboxFileRefused('missing', 'there is no such file or directory')
      : error;
  };

  async function write(ref: string, path: string, content: Uint8Array): Promise<Entry> {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await ask(await toolbox(ref), 'POST', `/files/upload-v2?${query(path)}`, { body: content, headers });
    await answer.body?.cancel();
    return { path: namesOf(path).join('/'), type: 'file', size: content.length, modified_at: new Date() };
  }

  const driver: SandboxDriver = {
    engine: 'daytona',
    has_terminals: false,

    async create({ id, persistent, network }) {
      const answer = await ask(api, 'POST', '/sandbox', {
        json: {
          labels: { atrium: id },
          networkBlockAll: !network,
          autoStopInterval: idleMinutes,
          // -1: never; 0 would be at once.
          autoDeleteInterval: persistent ? -1 : idleMinutes,
        },
      });
      const { id: ref } = (await answer.json()) as { id: string };
      await reached(ref, 'started');
      return ref;
    },

    start,

    async stop(ref) {
      await told('POST', at(ref, '/stop'));
      await reached(ref, 'stopped');
    },

    async destroy(ref) {
      toolboxes.delete(ref);
      await told('DELETE', at(ref)).catch((error) => {
        if (!(error instanceof SandboxGone)) throw error;
      });
    },

    exec,

    files: {
      async list(ref, path) {
        const above = namesOf(path).map((name) => `${name}/`);
        const answer = await ask(await toolbox(ref), 'GET', `/files?${query(path)}`).catch(missing);
        const found = (await answer.json()) as FileInfo[];
        return found
          .map(
            ({ name, isDir, mode = '', size, modifiedAt }): Entry => ({
              path: `${above.join('')}${name}`,
              type: isDir ? 'directory' : mode.startsWith('L') ? 'link' : 'file',
              size: isDir ? 0 : size,
              modified_at: new Date(modifiedAt ?? 0),
            }),
          )
          .sort((a, b) => (a.path < b.path ? -1 : 1));
      },
      async read(ref, path) {
        const answer = await ask(await toolbox(ref), 'GET', `/files/download?${query(path)}`).catch(missing);
        return answer.body ?? (async function* () {})();
      },
      write,
      async remove(ref, path) {
        const answer = await ask(await toolbox(ref), 'DELETE', `/files?${query(path)}&recursive=true`).catch(missing);
        await answer.body?.cancel();
      },
    },

    probe: () =>
      probeRemote(driver, {
        isolation: 'kernel',
        network: true,
        unlimited: ['memory_bytes', 'processes', 'disk_bytes', 'inodes'],
        note: 'output comes when the command has ended, both streams as one; memory and disk are those of its sandbox',
      }),

    close: async () => {},
  };
  return driver;
}
