import { EngineFailed, type Limits, type Output, type SandboxDriver, SandboxGone } from '../driver.ts';
import { endOf, reasonOf } from '../remote/end-of.ts';
import { ask, type HttpApi } from '../remote/http-api.ts';
import { probeRemote } from '../remote/probe.ts';
import { shellFiles } from '../remote/shell-files.ts';
import { type ShellProgram, shellProgram } from '../remote/shell-program.ts';
import { envelope, messagesOf } from './connect-stream.ts';

export interface E2bOptions {
  api_key: string;
  base_url: string;
  template: string;
  limits: Limits;
}

interface ProcessEvent {
  event?: {
    start?: { pid: number };
    data?: { stdout?: string; stderr?: string };
    end?: { exitCode?: number };
  };
}

const home = '/home/user/work';
const user = 'user';
const daemonPort = '49983';
/** The sandbox ends or pauses by itself after this time without us: the idle time plus the longest command. */
const lifetimeSeconds = 30 * 60;

/** The address of the daemons in sandboxes, beside that of the API. */
const daemonAddress = (base_url: string) => base_url.replace(/^(https?:\/\/)api\./, '$1sandbox.');

/** A small virtual machine at E2B, used over plain HTTP. */
export function makeE2b({ api_key, base_url, template, limits }: E2bOptions): SandboxDriver {
  const api: HttpApi = { name: 'E2B', base_url, headers: { 'x-api-key': api_key } };
  /** The tokens of the sandboxes' daemons; requested again after a restart. */
  const tokens = new Map<string, string>();

  const remember = async (answer: Response) => {
    const { sandboxID, envdAccessToken = '' } = (await answer.json()) as {
      sandboxID: string;
      envdAccessToken?: string;
    };
    tokens.set(sandboxID, envdAccessToken);
    return sandboxID;
  };
  const path = (ref: string) => `/sandboxes/${encodeURIComponent(ref)}`;
  const connect = async (ref: string) =>
    void (await remember(await ask(api, 'POST', `/v2${path(ref)}/connect`, { json: { timeout: lifetimeSeconds } })));

  async function daemon(ref: string): Promise<HttpApi> {
    if (!tokens.has(ref)) await connect(ref);
    const token = tokens.get(ref);
    return {
      name: 'E2B',
      base_url: daemonAddress(base_url),
      headers: {
        'e2b-sandbox-id': ref,
        'e2b-sandbox-port': daemonPort,
        authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}`,
        'connect-protocol-version': '1',
        ...(token && { 'x-access-token': token }),
      },
    };
  }

  const call = async (ref: string, method: string, message: unknown) =>
    (await ask(await daemon(ref), 'POST', `/process.Process/${method}`, { json: message })).body?.cancel();

  async function feed(ref: string, pid: number, stdin: Uint8Array): Promise<void> {
    const chunk = 1024 * 1024;
    for (let at = 0; at < stdin.length; at += chunk) {
      const part = Buffer.from(stdin.subarray(at, at + chunk)).toString('base64');
      await call(ref, 'SendInput', { process: { pid }, input: { stdin: part } });
    }
    await call(ref, 'CloseStdin', { process: { pid } });
  }

  async function* run(ref: string, { script, env, stdin }: ShellProgram, signal: AbortSignal): AsyncGenerator<Output> {
    let pid: number | undefined;
    const open = new AbortController();
    const kill = () => {
      if (pid === undefined) return open.abort();
      call(ref, 'SendSignal', { process: { pid }, signal: 'SIGNAL_SIGKILL' }).catch(() => open.abort());
    };
    signal.addEventListener('abort', kill);
    let exit_code: number | undefined;
    try {
      const process = { cmd: '/bin/bash', args: ['-c', script], envs: env };
      const answer = await ask(await daemon(ref), 'POST', '/process.Process/Start', {
        body: envelope({ process, stdin: true }),
        headers: { 'content-type': 'application/connect+json' },
        signal: open.signal,
      });
      if (!answer.body) throw new EngineFailed('E2B answered nothing');
      for await (const message of messagesOf(answer.body)) {
        const { start, data, end } = (message as ProcessEvent).event ?? {};
        if (start) {
          pid = start.pid;
          if (signal.aborted) kill();
          await feed(ref, pid, stdin);
        }
        for (const stream of ['stdout', 'stderr'] as const)
          if (data?.[stream]) yield { stream, data: Buffer.from(data[stream], 'base64') };
        if (end) exit_code = end.exitCode ?? 0;
      }
    } catch (error) {
      if (!signal.aborted || error instanceof SandboxGone) throw error;
    } finally {
      signal.removeEventListener('abort', kill);
    }
    yield { ended: exit_code === undefined ? { exit_code: null, reason: reasonOf(signal) } : endOf(exit_code, signal) };
  }

  /** Ends the processes that a command left running: all of the user, since nothing else runs as that user. */
  async function sweep(ref: string): Promise<void> {
    const script = { script: 'kill -KILL -1', env: {}, stdin: Buffer.alloc(0) };
    for await (const _ of run(ref, script, AbortSignal.timeout(10_000)));
  }

  const driver: SandboxDriver = {
    engine: 'e2b',
    has_terminals: false,

    create: async ({ id, persistent, network }) =>
      remember(
        await ask(api, 'POST', '/v2/sandboxes', {
          json: {
            templateID: template,
            timeout: lifetimeSeconds,
            metadata: { atrium: id },
            allow_internet_access: network,
            autoPause: persistent,
          },
        }),
      ),

    start: connect,

    async stop(ref) {
      await ask(api, 'POST', `${path(ref)}/pause`, { json: {} }).then((answer) => answer.body?.cancel());
      tokens.delete(ref);
    },

    async destroy(ref) {
      tokens.delete(ref);
      await ask(api, 'DELETE', path(ref)).then(
        (answer) => answer.body?.cancel(),
        (error) => {
          if (!(error instanceof SandboxGone)) throw error;
        },
      );
    },

    async *exec(ref, command, signal) {
      try {
        yield* run(ref, shellProgram(command, limits, home), signal);
      } finally {
        // Processes that could not be ended are ended after the next command, or with the sandbox.
        await sweep(ref).catch(() => {});
      }
    },

    files: shellFiles(run, limits, home),

    probe: () =>
      probeRemote(driver, {
        isolation: 'machine',
        network: true,
        unlimited: ['memory_bytes', 'processes', 'disk_bytes', 'inodes'],
        note: `template ${template}; memory and disk are those of its machine`,
      }),

    close: async () => {},
  };
  return driver;
}
