/** One thing that took time, as tracing systems know it. */
export interface Span {
  /** 32 and 16 hexadecimal digits. */
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  name: string;
  /** `client`: something outside was asked. */
  kind: 'internal' | 'client';
  started_at: number;
  ended_at: number;
  /** A measure stays one kind of number, also where it happens to be whole; a number by itself counts something. */
  attributes: Record<string, string | number | boolean | { measure: number }>;
  /** Why it failed; null when it did not. */
  error: string | null;
}

/** Takes spans somewhere. Fails when they have not arrived. */
export interface TraceSink {
  send(spans: readonly Span[], signal: AbortSignal): Promise<void>;
}
