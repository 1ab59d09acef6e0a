import type { EndReason } from '@atrium/contract/sandboxes/engines.ts';
import type { Ended } from '../driver.ts';

/** The reason for an exit code: a shell returns 128 plus the signal that ended the last program. */
const bySignal: Record<number, EndReason> = { [128 + 24]: 'cpu', [128 + 25]: 'file_size' };

export function endOf(exit_code: number | null, signal: AbortSignal): Ended {
  if (signal.aborted) return { exit_code: null, reason: reasonOf(signal) };
  const reason = bySignal[exit_code ?? 0];
  return reason ? { exit_code: null, reason } : { exit_code, reason: 'exit' };
}

export const reasonOf = (signal: AbortSignal): EndReason =>
  typeof signal.reason === 'string' ? (signal.reason as EndReason) : 'timeout';
