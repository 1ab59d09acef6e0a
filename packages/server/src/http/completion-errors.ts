import { completionError } from '@atrium/contract/completions/completion-error.ts';
import type { Fault } from '@atrium/contract/errors.ts';
import type { ErrorAnswer } from './errors.ts';

const placeOf = ({ loc }: Fault) => loc.slice(1).join('.');

/** Where it is and what is wrong there; what was sent is not said again, for it may be a file. */
const faultText = (fault: Fault) => (placeOf(fault) ? `${placeOf(fault)}: ${fault.msg}` : fault.msg);

function bodyOf({ status, body: { detail, code } }: ErrorAnswer) {
  if (!Array.isArray(detail)) return completionError(status, code ?? 'error', String(detail));
  const faults = detail as Fault[];
  const [first] = faults;
  const param = (first && placeOf(first)) || null;
  return completionError(status, first?.type ?? 'invalid_request', faults.map(faultText).join('; '), param);
}

/** The same status in the body that clients of the chat completions protocol read. */
export function completionErrorAnswer(answer: ErrorAnswer) {
  // Such clients repeat whatever is a conflict; none of ours goes away by itself.
  const retry = answer.status === 409 ? { 'x-should-retry': 'false' } : {};
  return { status: answer.status, body: bodyOf(answer), headers: { ...retry, ...answer.headers } };
}
