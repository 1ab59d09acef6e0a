import autocannon from 'autocannon';

export interface Request {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  /** Asked for anew for every request. */
  body?: () => string;
}

export interface Load {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
}

/** Sends a request over and over. Any answer but 2xx ends the bench: what it measured would be no figure. */
export async function load(
  { url, method, headers, body }: Request,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Load> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ method, headers, setupRequest: (request) => (body ? { ...request, body: body() } : request) }],
  });
  if (result.non2xx || result.errors || result['2xx'] === 0)
    throw new Error(`${url}: ${result['2xx']} answers were 2xx, ${result.non2xx} not, ${result.errors} failed`);
  return { per_second: result['2xx'] / result.duration, p50_ms: result.latency.p50, p99_ms: result.latency.p99 };
}
