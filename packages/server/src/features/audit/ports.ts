import type { Operation } from '@atrium/contract/operation.ts';
import type { ChangeRecorder, Principal, Scope } from '../../lib/scope.ts';

/** Where a request comes from. */
export interface RequestOrigin {
  address: string;
  user_agent: string | undefined;
  request_id: string;
}

/** A request that was refused. */
export interface Refusal extends RequestOrigin {
  operation: Operation;
  /** Null: a caller without a valid credential. */
  principal: Principal | null;
  params: unknown;
  /** The code of the answer. */
  reason: string;
  /** Of a request that got as far as its service. */
  recorder?: RequestRecorder | undefined;
}

/** The recorder of one request. */
export interface RequestRecorder extends ChangeRecorder {
  /** Writes the row if no transaction of the request has; called when the operation has succeeded. */
  finish(result: unknown): Promise<void>;
  /** The person whose account a refused sign-in named. */
  readonly person: { tenant_id: string; person_id: string } | undefined;
}

/** Writes the audit log for the HTTP server. */
export interface AuditTrail {
  /** Begins to record a request of an operation that is audited. */
  begin(
    scope: Scope,
    operation: Operation,
    input: { params: unknown; body: unknown },
    origin: RequestOrigin,
  ): RequestRecorder;
  /** Records a refusal; those of one caller and network are counted together. Never fails. */
  refuse(refusal: Refusal): Promise<void>;
}
