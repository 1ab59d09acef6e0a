import { AppError, type ErrorKind } from '@atrium/contract/errors.ts';

/** An error with the word that SCIM has for it (`scimType`), as its code. */
const scimError = (kind: ErrorKind, code: string, message: string) => new AppError(kind, message, { code });

/** Answered with 400, as SCIM has it. */
export const invalidValue = (message: string) => scimError('bad_request', 'invalidValue', message);
export const invalidFilter = (message: string) => scimError('bad_request', 'invalidFilter', message);
export const invalidPath = (message: string) => scimError('bad_request', 'invalidPath', message);
export const invalidSyntax = (message: string) => scimError('bad_request', 'invalidSyntax', message);
export const mutability = (message: string) => scimError('bad_request', 'mutability', message);
export const uniqueness = (message: string) => scimError('conflict', 'uniqueness', message);
