import type { EndReason } from '@atrium/contract/sandboxes/engines.ts';
import { type Command, EngineFailed, type Output, type SandboxDriver } from './driver.ts';

export interface Allowed {
  wall_ms: number;
  output_bytes: number;
}

/** Applies the limits that are the same for every engine: time, and size of the output. */
export async function* limited(
  driver: SandboxDriver,
  ref: string,
  command: Command,
  { wall_ms, output_bytes }: Allowed,
  signal?: AbortSignal,
): AsyncGenerator<Output> {
  const ending = new AbortController();
  const end = (reason: EndReason) => ending.abort(reason);
  const stop = () => end('stopped');
  const timer = setTimeout(end, wall_ms, 'timeout');
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  let said = 0;
  try {
    for await (const output of driver.exec(ref, command, ending.signal)) {
      if ('ended' in output) {
        // An engine that was asked to end a command may not know the reason.
        const reason: EndReason = ending.signal.aborted ? ending.signal.reason : output.ended.reason;
        return yield { ended: reason === 'exit' ? output.ended : { exit_code: null, reason } };
      }
      said += output.data.length;
      if (said <= output_bytes) yield output;
      else end('output');
    }
    throw new EngineFailed('The engine did not say how the command ended');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
