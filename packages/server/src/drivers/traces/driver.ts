/** A span of a trace, as in OpenTelemetry. */
export interface Span {
  /** 32 and 16 hexadecimal digits. */
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  name: string;
  /** `client`: a call to another service. */
  kind: 'internal' | 'client';
  started_at: number;
  ended_at: number;
  /** `{ measure }` is sent as a floating-point number, also when it is whole; a bare number as an integer. */
  attributes: Record<string, string | number | boolean | { measure: number }>;
  /** Why it failed; null when it did not. */
  error: string | null;
}

/** Sends spans to a collector. Fails when they have not arrived. */
export interface TraceSink {
  send(spans: readonly Span[], signal: AbortSignal): Promise<void>;
}
