import { isAudited } from '@atrium/contract/operation.ts';
import type { FastifyRequest } from 'fastify';
import type { AuditTrail, RequestOrigin, RequestRecorder } from '../features/audit/ports.ts';
import { fieldsOf } from '../lib/json/fields-of.ts';
import { errorFields } from '../lib/log.ts';
import type { Route } from '../lib/route.ts';
import type { ReadNote, Scope } from '../lib/scope.ts';
import { hasKeyHeader } from './auth.ts';
import { errorAnswer } from './errors.ts';
import type { AnyInput } from './validate.ts';

const originOf = (request: FastifyRequest): RequestOrigin => ({
  address: request.ip,
  user_agent: request.headers['user-agent'],
  request_id: request.id,
});

/** Refused for want of rights; of a sign-in also for too many tries. */
const refusals = new Set([403, 404]);
const refusalsOfSignIn = new Set([401, 403, 404, 429]);

/** A request that only tries what would happen changes nothing. */
const isDryRun = ({ query }: AnyInput): boolean => fieldsOf(query)['dry_run'] === true;

/** Records the requests of one operation in the audit log: what was done, and what was refused. */
export function makeAuditing(route: Route, audit: AuditTrail) {
  const isRecorded = isAudited(route);
  const isSignIn = isRecorded && route.tag === 'Sign-in';

  /** A wrong key is recorded at every operation, a missing one at none: that is a probe, not an attempt. */
  function isRefusal(request: FastifyRequest, status: number): boolean {
    if (status === 401 && hasKeyHeader(request)) return true;
    return isRecorded && (isSignIn ? refusalsOfSignIn : refusals).has(status);
  }

  async function refuse(request: FastifyRequest, error: unknown, recorder?: RequestRecorder): Promise<void> {
    const { status, body } = errorAnswer(error);
    if (!isRefusal(request, status)) return;
    const { principal, params } = request;
    const reason = body.code ?? String(status);
    await audit.refuse({ operation: route, principal, params, reason, recorder, ...originOf(request) });
  }

  return {
    refuse,
    /** Runs the request with recorders in its scope: of what it reads, and of its change where the operation is audited. */
    async record<T>(
      request: FastifyRequest,
      scope: Scope,
      input: AnyInput,
      run: (handler: () => unknown) => Promise<T>,
    ): Promise<T> {
      const reads = collectReads(request, scope);
      const answer = await recordChange(request, scope, input, run);
      await reads.write();
      return answer;
    },
  };

  /** Collects what the request reads, and writes it before the answer is sent; what a stream reads later, at once. */
  function collectReads(request: FastifyRequest, scope: Scope) {
    const origin = originOf(request);
    const noted = new Map<string, ReadNote>();
    const writeOne = (read: ReadNote) => audit.recordRead({ operation: route, scope, read, ...origin });
    scope.noteRead = (read) => void noted.set(`${read.kind} ${read.id}`, read);
    return {
      async write(): Promise<void> {
        scope.noteRead = (read) =>
          void writeOne(read).catch((error) => scope.log.warn('audit.not-written', errorFields(error)));
        for (const read of noted.values()) await writeOne(read);
      },
    };
  }

  async function recordChange<T>(
    request: FastifyRequest,
    scope: Scope,
    input: AnyInput,
    run: (handler: () => unknown) => Promise<T>,
  ): Promise<T> {
    if (!isRecorded || isDryRun(input)) {
      try {
        return await run(() => route.handler(scope, input));
      } catch (error) {
        if (isRecorded) await refuse(request, error);
        throw error;
      }
    }
    const recorder = audit.begin(scope, route, input, originOf(request));
    scope.audit = recorder;
    try {
      return await run(async () => {
        const result = await route.handler(scope, input);
        await recorder.finish(result);
        return result;
      });
    } catch (error) {
      await refuse(request, error, recorder);
      throw error;
    }
  }
}
