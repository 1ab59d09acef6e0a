import { AtriumError } from '@atrium/sdk';
import { t } from '../text/en.ts';

export interface Failure {
  title: string;
  help: string;
  requestId?: string | undefined;
}

/** What failed and what to do, in words for the person who asked. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof AtriumError)) return error instanceof TypeError ? t.failures.offline : t.failures.unknown;
  const requestId = error.requestId ?? undefined;
  const own = (failure: Failure): Failure => ({ ...failure, requestId });
  if (error.status === 0) return t.failures.offline;
  if (error.status === 401) return t.failures.signedOut;
  if (error.status === 403)
    return own({ title: t.failures.forbidden.title, help: error.message || t.failures.forbidden.help });
  if (error.status === 404) return own(t.failures.gone);
  if (error.code === 'etag_mismatch') return own(t.failures.conflict);
  if (error.status === 422) return own({ ...t.failures.invalid, ...(error.message && { help: error.message }) });
  if (error.status === 429 || error.status === 503) return own(t.failures.busy);
  if (error.status >= 500) return own(t.failures.broken);
  return { title: error.message || t.failures.broken.title, help: '', requestId };
}
