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

const retryableStatuses = new Set<number | undefined>([undefined, 408, 429, 500, 502, 503, 504]);
/** Reasons for which a request can succeed later, although their status says otherwise. */
const retryableReasons = new Set(['RequestTimeout', 'ConditionalRequestConflict', 'OperationAborted', 'InternalError']);

export const isRetryable = ({ status, reason }: S3Failed) =>
  retryableStatuses.has(status) || retryableReasons.has(reason);

export const isMissing = (error: unknown) =>
  error instanceof S3Failed && error.status === 404 && error.reason === 'NoSuchKey';

export const isRefusedByCondition = (error: unknown) => error instanceof S3Failed && error.status === 412;

/** The object has the version that the caller knows. */
export const isUnchanged = (error: unknown) => error instanceof S3Failed && error.status === 304;

/** Answers that callers ask for: conditions, and objects or uploads that are gone or have no bytes. */
export const isOrdinary = (error: S3Failed) =>
  isMissing(error) ||
  isUnchanged(error) ||
  isRefusedByCondition(error) ||
  error.reason === 'NoSuchUpload' ||
  error.status === 416;
