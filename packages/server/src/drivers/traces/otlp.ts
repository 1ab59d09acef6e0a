import type { Span, TraceSink } from './driver.ts';

const kinds = { internal: 1, client: 3 };
const nanoseconds = (ms: number) => `${Math.round(ms)}000000`;

function anyValue(value: Span['attributes'][string]) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return typeof value === 'number' ? { intValue: String(value) } : { doubleValue: value.measure };
}

const attributesOf = (attributes: Span['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

const spanOf = (span: Span) => ({
  traceId: span.trace_id,
  spanId: span.span_id,
  ...(span.parent_id !== null && { parentSpanId: span.parent_id }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.started_at),
  endTimeUnixNano: nanoseconds(span.ended_at),
  attributes: attributesOf(span.attributes),
  // A successful span has no status: the conventions reserve "ok" for operators.
  status: span.error === null ? {} : { code: 2, message: span.error },
});

/** A collector that speaks OTLP over HTTP with JSON. Its address is the operator's own choice, often on this machine. */
export function makeOtlp(options: { endpoint: string; headers: Record<string, string>; service: string }): TraceSink {
  const { endpoint, headers, service } = options;
  const resource = { attributes: attributesOf({ 'service.name': service }) };
  return {
    async send(spans, signal) {
      const body = {
        resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'atrium' }, spans: spans.map(spanOf) }] }],
      };
      const response = await fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal,
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The collector answered ${response.status}`);
    },
  };
}
