import { asError } from '../../../lib/as-error.ts';
import { EngineFailed, type Limits, type Output, type SandboxDriver, SandboxGone } from '../driver.ts';
import { endOf } from '../remote/end-of.ts';
import { probeRemote } from '../remote/probe.ts';
import { shellFiles } from '../remote/shell-files.ts';
import { type ShellProgram, shellProgram } from '../remote/shell-program.ts';
import { wheelsAt, wheelVariables } from '../wheels.ts';
import { makeEngineApi } from './engine-api.ts';
import { framesOf } from './frames.ts';

export interface DockerOptions {
  socket: string;
  image: string;
  limits: Limits;
  /** The folder of Python wheels on Docker's machine that sandboxes may read. */
  wheels?: string | undefined;
}

const home = '/work';
const user = '1000:1000';

/**
 * Runs each command in a container of its own with the sandbox's volume, so that its processes end with the container.
 * Access to Docker's socket is root access to its machine; operators choose this deliberately.
 */
export function makeDocker({ socket, image, limits, wheels }: DockerOptions): SandboxDriver {
  const api = makeEngineApi(socket);
  const running = new Set<string>();
  const variables = wheels === undefined ? {} : wheelVariables({ home, network: false });
  const volumeOf = (ref: string) => `atrium-sandbox-${ref}`;

  async function wanted(method: string, path: string, body?: unknown) {
    const { status, json } = await api.call(method, path, body);
    if (status >= 400) throw new EngineFailed(`Docker answered ${status}: ${String(json?.message).slice(0, 200)}`);
    return json;
  }

  const containerOf = (ref: string, { script, env }: ShellProgram, as: string) => ({
    Image: image,
    Entrypoint: ['bash', '-c', script],
    Cmd: [],
    Env: Object.entries({ ...variables, ...env }).map(([name, value]) => `${name}=${value}`),
    User: as,
    WorkingDir: home,
    ...{ OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true, AttachStderr: true },
    NetworkDisabled: true,
    Labels: { atrium: 'sandbox' },
    HostConfig: {
      Mounts: [
        { Type: 'volume', Source: volumeOf(ref), Target: home },
        ...(wheels === undefined ? [] : [{ Type: 'bind', Source: wheels, Target: wheelsAt, ReadOnly: true }]),
      ],
      Memory: limits.memory_bytes,
      MemorySwap: limits.memory_bytes,
      PidsLimit: limits.processes,
      Ulimits: [
        { Name: 'fsize', Soft: limits.file_bytes, Hard: limits.file_bytes },
        { Name: 'cpu', Soft: limits.cpu_seconds, Hard: limits.cpu_seconds + 1 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      NetworkMode: 'none',
      CapDrop: ['ALL'],
      ...(as === user ? {} : { CapAdd: ['CHOWN'] }),
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': 'size=64m,mode=1777' },
      LogConfig: { Type: 'none' },
    },
  });

  async function* run(ref: string, program: ShellProgram, signal: AbortSignal, as = user): AsyncGenerator<Output> {
    const made = await api.call('POST', '/containers/create', containerOf(ref, program, as));
    if (made.status >= 400)
      throw new EngineFailed(`Docker answered ${made.status}: ${String(made.json?.message).slice(0, 200)}`);
    const id = made.json.Id as string;
    running.add(id);
    // A container that has ended can't be killed; one that can't be killed is removed below.
    const kill = () => void api.call('POST', `/containers/${id}/kill`).catch(() => {});
    signal.addEventListener('abort', kill);
    try {
      const streams = await api.attach(id);
      streams.on('error', () => {});
      await wanted('POST', `/containers/${id}/start`);
      if (signal.aborted) kill();
      streams.end(program.stdin);
      yield* framesOf(streams);
      const { StatusCode } = await wanted('POST', `/containers/${id}/wait`);
      const { State } = await wanted('GET', `/containers/${id}/json`);
      yield {
        ended: State?.OOMKilled && !signal.aborted ? { exit_code: null, reason: 'memory' } : endOf(StatusCode, signal),
      };
    } finally {
      signal.removeEventListener('abort', kill);
      running.delete(id);
      // The container is gone already, or Docker is: either way the command has ended for the caller.
      await api.call('DELETE', `/containers/${id}?force=true`).catch(() => {});
    }
  }

  async function present(ref: string): Promise<void> {
    const { status } = await api.call('GET', `/volumes/${volumeOf(ref)}`);
    if (status === 404) throw new SandboxGone();
  }

  const files = shellFiles(run, limits, home);
  /** A command in a deleted volume would create a new, empty one. */
  const inPlace =
    <A extends unknown[], R>(work: (ref: string, ...rest: A) => Promise<R>) =>
    async (ref: string, ...rest: A): Promise<R> => {
      await present(ref);
      return work(ref, ...rest);
    };

  const driver: SandboxDriver = {
    engine: 'docker',
    has_terminals: false,

    async create({ id }) {
      await wanted('POST', '/volumes/create', { Name: volumeOf(id), Labels: { atrium: 'sandbox' } });
      const hand = {
        script: 'chown "$ATRIUM_USER" "$ATRIUM_HOME"',
        env: { ATRIUM_USER: user, ATRIUM_HOME: home },
        stdin: Buffer.alloc(0),
      };
      for await (const output of run(id, hand, AbortSignal.timeout(60_000), '0:0'))
        if ('ended' in output && output.ended.exit_code !== 0)
          throw new EngineFailed('Docker could not prepare a sandbox');
      return id;
    },

    start: present,
    stop: async () => {},

    async destroy(ref) {
      const { status } = await api.call('DELETE', `/volumes/${volumeOf(ref)}?force=true`);
      if (status >= 400 && status !== 404)
        throw new EngineFailed(`Docker answered ${status} to the removal of a volume`);
    },

    async *exec(ref, command, signal) {
      await present(ref);
      yield* run(ref, shellProgram(command, limits, home), signal);
    },

    files: {
      list: inPlace(files.list),
      read: inPlace(files.read),
      write: inPlace(files.write),
      remove: inPlace(files.remove),
    },

    async probe() {
      const found = {
        isolation: 'kernel',
        network: false,
        unlimited: ['disk_bytes', 'inodes'],
        note: `image ${image}`,
      } as const;
      try {
        const { status } = await api.call('GET', `/images/${image}/json`);
        if (status === 404)
          return { ...found, usable: false, languages: [], note: `the image is not there: \`docker pull ${image}\`` };
      } catch (error) {
        return { ...found, usable: false, languages: [], note: asError(error).message };
      }
      return probeRemote(driver, found);
    },

    async close() {
      // Best effort while the server closes.
      await Promise.all([...running].map((id) => api.call('DELETE', `/containers/${id}?force=true`).catch(() => {})));
    },
  };
  return driver;
}
