import { invalid } from '@atrium/contract/errors.ts';
import type { ExecAnswer, ExecRequest } from '@atrium/contract/sandboxes/schema.ts';
import { type Ended, type Output, type SandboxEngines, SandboxFileRefused } from '../../drivers/sandboxes/driver.ts';
import { sseAnswer } from '../../lib/responses/sse.ts';
import type { Frame } from '../../lib/responses/sse-frame.ts';
import type { Scope } from '../../lib/scope.ts';
import { BoundedOutput } from './bounded-output.ts';
import { commandOf } from './command-of.ts';
import type { Lane, Lanes } from './command-slots.ts';
import type { FilesHold, StoredFiles } from './files/stored-files.ts';
import type { SandboxCommands } from './ports.ts';
import type { Opened, Sandboxes } from './service.ts';
import type { StopNotifier } from './stop-notifier.ts';

/** True when there is more than a sandbox may have. */
async function storeFiles(hold: FilesHold): Promise<boolean> {
  try {
    await hold.release();
    return false;
  } catch (error) {
    if (error instanceof SandboxFileRefused) return true;
    throw error;
  }
}

/** Runs commands in sandboxes, one at a time in each, and ends them when their sandbox is stopped. */
export function makeSandboxCommands(options: {
  engines: SandboxEngines;
  sandboxes: Sandboxes;
  lanes: Lanes;
  stopNotifier: StopNotifier;
  files: StoredFiles;
}): SandboxCommands {
  const { engines, sandboxes, lanes, stopNotifier, files } = options;
  const running = new Map<string, Set<AbortController>>();
  stopNotifier.on((sandbox_id) => {
    for (const each of running.get(sandbox_id) ?? []) each.abort();
  });

  /** Waits for a slot and runs the command. The last output is always `ended`. */
  async function* run(
    scope: Scope,
    opened: Opened,
    request: ExecRequest,
    caller?: AbortSignal,
  ): AsyncGenerator<Output> {
    const { id, group_id } = opened.row;
    const stopping = new AbortController();
    const abort = () => stopping.abort();
    const own = running.get(id) ?? new Set();
    running.set(id, own.add(stopping));
    if (caller?.aborted) abort();
    caller?.addEventListener('abort', abort);
    const wall_ms = request.timeout * 1000;
    const wait_ms = Math.min(wall_ms, 60_000);
    let [lane, hold]: [Lane | undefined, FilesHold | undefined] = [undefined, undefined];
    const refused = (): Output => ({
      ended: { exit_code: null, reason: stopping.signal.aborted ? 'stopped' : 'concurrency' },
    });
    try {
      // Files first, as everywhere: two that have one of both each would wait for one another.
      hold = await files.take(opened, wait_ms, stopping.signal);
      if (!hold) return yield refused();
      lane = await lanes.take(group_id, id, wait_ms, stopping.signal);
      if (!lane) return yield refused();
      const { driver, ref } = await sandboxes.wake(scope, opened);
      await scope.requireLease?.();
      let last: Output | undefined;
      for await (const output of engines.exec(driver, ref, commandOf(request), wall_ms, stopping.signal))
        if ('ended' in output) last = output;
        else yield output;
      sandboxes.forgetUsage(id);
      // The command has come to its end when another node would find its files.
      const isFull = await storeFiles(hold);
      if (last) yield isFull ? { ended: { exit_code: null, reason: 'disk' } } : last;
    } catch (error) {
      throw await sandboxes.explain(scope, opened, error);
    } finally {
      // Where storing failed, its error came above.
      await hold?.release().catch(() => {});
      lane?.release();
      caller?.removeEventListener('abort', abort);
      own.delete(stopping);
      if (own.size === 0) running.delete(id);
      await sandboxes.touch(scope, id);
    }
  }

  async function answer(scope: Scope, opened: Opened, request: ExecRequest, caller?: AbortSignal): Promise<ExecAnswer> {
    const begun = performance.now();
    const [stdout, stderr] = [new BoundedOutput(), new BoundedOutput()];
    let ended: Ended = { exit_code: null, reason: 'stopped' };
    for await (const output of run(scope, opened, request, caller))
      if ('ended' in output) ended = output.ended;
      else (output.stream === 'stdout' ? stdout : stderr).add(output.data);
    return {
      ...ended,
      stdout: stdout.text,
      stderr: stderr.text,
      truncated: stdout.truncated || stderr.truncated,
      duration_ms: Math.round(performance.now() - begun),
      engine: opened.row.engine,
      isolation: opened.row.isolation,
    };
  }

  /** Yields `output` frames as the output comes, then an `end` frame with the remaining fields of the blocking answer. */
  async function* frames(scope: Scope, opened: Opened, request: ExecRequest): AsyncGenerator<Frame> {
    const begun = performance.now();
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const frame = (event: string, data: object): Frame => ({ event, data: JSON.stringify(data) });
    try {
      for await (const output of run(scope, opened, request, scope.signal)) {
        if ('data' in output) {
          const text = decoders[output.stream].decode(output.data, { stream: true });
          if (text) yield frame('output', { stream: output.stream, text });
          continue;
        }
        for (const stream of ['stdout', 'stderr'] as const) {
          const text = decoders[stream].decode();
          if (text) yield frame('output', { stream, text });
        }
        const { engine, isolation } = opened.row;
        yield frame('end', { ...output.ended, duration_ms: Math.round(performance.now() - begun), engine, isolation });
      }
    } catch (error) {
      // The status is sent already. The frame has the error that the blocking call would have answered with.
      yield frame('error', await sandboxes.toldOf(scope, error));
    }
  }

  return {
    async exec(scope: Scope, id: string, request: ExecRequest) {
      commandOf(request);
      if (request.stream && scope.idempotency)
        throw invalid(['header', 'idempotency-key'], 'a stream of output can not be given again', null);
      const opened = await sandboxes.open(scope, id);
      await sandboxes.touch(scope, id);
      if (request.stream) return sseAnswer(frames(scope, opened, request));
      // With an Idempotency-Key the answer is stored, so a caller that disconnects does not end the command.
      return answer(scope, opened, request, scope.idempotency ? undefined : scope.signal);
    },

    run: async (scope: Scope, id: string, request: ExecRequest, signal?: AbortSignal): Promise<ExecAnswer> =>
      answer(scope, await sandboxes.open(scope, id), request, signal),
  };
}
