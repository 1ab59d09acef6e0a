import type { Ended, Output } from './driver.ts';

/** Collects the whole output of a command that is known to print little. */
export async function runToEnd(
  outputs: AsyncIterable<Output>,
): Promise<{ stdout: string; stderr: string; ended: Ended }> {
  const said: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  let ended: Ended = { exit_code: null, reason: 'stopped' };
  for await (const output of outputs)
    if ('ended' in output) ended = output.ended;
    else said[output.stream].push(output.data);
  const text = (chunks: Uint8Array[]) => Buffer.concat(chunks).toString();
  return { stdout: text(said.stdout), stderr: text(said.stderr), ended };
}
