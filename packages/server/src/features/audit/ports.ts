import type { Operation } from '@atrium/contract/operation.ts';
import type { ChangeRecorder, Principal, ReadNote, Scope } from '../../lib/scope.ts';

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

/** A record of another person that a request has read. */
export interface RecordedRead extends RequestOrigin {
  operation: Operation;
  scope: Pick<Scope, 'tenant_id' | 'workspace_id' | 'actor' | 'person_id' | 'session_id'>;
  read: ReadNote;
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
  /** Records a refusal; those of one account, operation and reason are counted together. Never fails. */
  refuse(refusal: Refusal): Promise<void>;
  /** Records a read; those of one caller, operation and record are counted together. */
  recordRead(read: RecordedRead): Promise<void>;
}
