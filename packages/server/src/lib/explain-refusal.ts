import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';

/** The message of a refusal, with the first place that was wrong; undefined for any other error. */
export function explainRefusal(error: unknown): string | undefined {
  if (error instanceof AppError) return error.message;
  if (!(error instanceof InvalidRequest)) return undefined;
  const [first] = error.validationErrors;
  return first ? `${first.loc.join('.')}: ${first.msg}` : error.message;
}
