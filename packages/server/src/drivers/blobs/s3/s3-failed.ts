import { AppError } from '@atrium/contract/errors.ts';

/**
 * A request that the store refused or did not answer. Callers of the API read only that files are not at hand; the
 * reason is for the log and for the operator, and names neither keys nor the bucket.
 */
export class S3Failed extends AppError {
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  /** The store's word for it, such as `AccessDenied`, or that of the network. */
  readonly reason: string;

  constructor(status: number | undefined, reason: string, message = 'Files are not at hand; try again later') {
    super('unavailable', message, status === 507 ? { code: 'storage_full' } : {});
    this.status = status;
    this.reason = reason;
  }
}

export const isMissing = (error: unknown) =>
  error instanceof S3Failed && error.status === 404 && error.reason === 'NoSuchKey';

export const isRefusedByCondition = (error: unknown) => error instanceof S3Failed && error.status === 412;
