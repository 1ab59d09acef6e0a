import { z } from 'zod';
import { texts, type Values, webAddress, whole } from '../lib/environment-fields.ts';

/** Settings of insights, analytics and the export of traces. */
export const insightVariables = {
  ATRIUM_INSIGHTS_MODEL: z
    .string()
    .optional()
    .describe(
      'Model that is asked about conversations that are over (provider/name); without it the least expensive one',
    ),
  ATRIUM_INSIGHTS_AFTER: z.coerce
    .number()
    .min(0)
    .max(10_000)
    .default(10)
    .describe('Minutes without a message after which a conversation counts as over and is looked at'),
  ATRIUM_TRACE_DAYS: whole(0, 3650, 14).describe(
    'Days for which the prompts of runs are kept, sealed, for their traces; 0 keeps none',
  ),
  ATRIUM_LEDGER_DAYS: z.coerce
    .number()
    .int()
    .max(36_500)
    .refine((days) => days === 0 || days >= 92, 'should be 0, or at least 92')
    .default(400)
    .describe('Days for which single calls of models are kept, at least 92; figures stay. 0 keeps them for ever'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress
    .optional()
    .describe('Address of an OpenTelemetry collector (OTLP over HTTP with JSON) that traces of runs are sent to'),
  OTEL_EXPORTER_OTLP_HEADERS: texts()
    .refine((entries) => entries.every((entry) => /^[\w-]+=/.test(entry)), {
      error: 'OTEL_EXPORTER_OTLP_HEADERS must be name=value, separated by commas',
    })
    .describe('Headers for the collector, as name=value, separated by commas'),
  OTEL_SERVICE_NAME: z.string().min(1).default('atrium').describe('What traces call this program'),
};

type InsightValues = Values<typeof insightVariables>;

/** Where traces are sent; `wait_ms` after the end of a run. */
interface OtlpConfig {
  endpoint: string;
  headers: Record<string, string>;
  service: string;
  wait_ms: number;
}

function otlpFrom(e: InsightValues): OtlpConfig | undefined {
  if (!e.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  const headers = e.OTEL_EXPORTER_OTLP_HEADERS.map((entry) => {
    const [name = '', ...value] = entry.split('=');
    return [name, decodeURIComponent(value.join('='))];
  });
  return {
    endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: Object.fromEntries(headers),
    service: e.OTEL_SERVICE_NAME,
    wait_ms: 3000,
  };
}

export const insightsFrom = (e: InsightValues) => ({
  insights_model: e.ATRIUM_INSIGHTS_MODEL,
  insights_after_ms: Math.round(e.ATRIUM_INSIGHTS_AFTER * 60_000),
  trace_days: e.ATRIUM_TRACE_DAYS,
  ledger_days: e.ATRIUM_LEDGER_DAYS,
  otlp: otlpFrom(e),
});
