import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { errorCode } from '../error-code.ts';
import { isDatabaseOutage } from './database-outages.ts';
import { isOutage } from './is-outage.ts';

const isSqlState = (code: unknown) => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);

/**
 * Whether work that failed with this error may be stored all the same: the answer to its last statement may be lost. Not when
 * the work refused itself, or when the database says what is wrong, because it has rolled back then.
 */
export function mayBeStored(error: unknown): boolean {
  if (error === undefined || error instanceof AppError || error instanceof InvalidRequest) return false;
  if (isDatabaseOutage(error) || isOutage(error)) return true;
  return !isSqlState(errorCode(error));
}
