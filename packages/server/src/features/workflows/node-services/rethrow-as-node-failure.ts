import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { explainRefusal, WebRefused } from '../../../drivers/web/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import { NodeFailure } from '../nodes/node-failure.ts';

/** Kinds of errors that another try may cure. */
const passing = new Set(['unavailable', 'too_many']);

/** Rethrows errors of other features as node failures, since their messages are meant for users. */
export async function rethrowAsNodeFailure<T>(work: Promise<T>, scope?: Scope): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof InvalidRequest) {
      const validationErrors = error.validationErrors
        .map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
        .join('; ');
      throw new NodeFailure('invalid_request', validationErrors, { passing: false });
    }
    if (error instanceof AppError)
      throw new NodeFailure(error.code, error.message, { passing: passing.has(error.kind) });
    if (error instanceof WebRefused) {
      const curable = error.code === 'timeout' || error.code === 'unreachable';
      const message = scope ? explainRefusal(error, { ...scope, permission: 'flows_edit' }) : error.message;
      throw new NodeFailure(error.code, `The address was not reached: ${message}`, { passing: curable });
    }
    throw error;
  }
}

/**
 * Throws a node failure unless the run has the permission: both its starter and the saver of the workflow must hold
 * it.
 */
export function requirePermission({ permissions }: Pick<Scope, 'permissions'>, permission: Permission): void {
  if (!allows(permissions, permission))
    throw new NodeFailure(
      'forbidden',
      `Whoever started this run, or saved the workflow, lacks the permission ${permission}`,
      { passing: false },
    );
}
