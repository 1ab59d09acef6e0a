/** One validation error of a request. `loc` begins with `body`, `query`, `path` or `header`. */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** Who changed a record since the client has read it. */
export interface EtagMismatch {
  etag: string;
  updated_at: string | null;
  updated_by: string | null;
  updated_by_actor: { id: string; name: string; kind: string } | null;
}

/** A request that failed. `status` is 0 when there was no answer: `code` is then `network` or `timeout`. */
export class AtriumError extends Error {
  override readonly name = 'AtriumError';
  readonly status: number;
  /** What programs branch on: `not_found`, `etag_mismatch`, `validation_error` … */
  readonly code: string;
  /** What happened, in words. */
  readonly detail: string;
  /** The validation errors of a 422. */
  readonly faults: readonly Fault[];
  readonly requestId: string | undefined;
  /** Seconds, as the server asked for. */
  readonly retryAfter: number | undefined;
  /** The whole answer, for the fields that some errors have. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>, headers?: Headers, cause?: unknown) {
    // Errors of the completions endpoints have the shape of their protocol.
    const { detail = body['error'], code } = body;
    const { message } = Object(detail) as { message?: string };
    const faults = Array.isArray(detail) ? (detail as Fault[]) : [];
    const text = faults.length
      ? faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
      : String(message ?? detail ?? `The server answered ${status}`);
    super(text, { cause });
    this.status = status;
    this.code = String(
      code ?? (Object(detail) as { code?: string }).code ?? (faults.length ? 'validation_error' : `http_${status}`),
    );
    this.detail = text;
    this.faults = faults;
    this.body = body;
    this.requestId = headers?.get('x-request-id') ?? undefined;
    const after = headers?.get('retry-after');
    const seconds = after ? Number(after) : Number.NaN;
    this.retryAfter = !after ? undefined : Number.isNaN(seconds) ? (Date.parse(after) - Date.now()) / 1000 : seconds;
  }

  /** The texts of the validation errors by field: `{ 'definition.temperature': 'Input should be …' }`. */
  get fields(): Record<string, string> {
    return Object.fromEntries(this.faults.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]).reverse());
  }

  /** Set when a save was refused because the record is newer. */
  get etagMismatch(): EtagMismatch | undefined {
    return this.code === 'etag_mismatch' ? (this.body as unknown as EtagMismatch) : undefined;
  }

  /** Whether the same request may succeed a little later. */
  get isPassing(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

export async function errorOf(response: Response): Promise<AtriumError> {
  const text = await response.text().catch(() => '');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy answers in its own words.
  }
  return new AtriumError(response.status, Object(body) as Record<string, unknown>, response.headers);
}
