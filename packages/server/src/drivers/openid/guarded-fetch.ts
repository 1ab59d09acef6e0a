import type { CustomFetch } from 'openid-client';
import type { Web, WebRequest } from '../web/driver.ts';

const mostBytes = 1024 * 1024;
const mostTime = 10_000;
const noBody = new Set([101, 204, 205, 304]);

/** The `fetch` of the OpenID library, over the guarded fetch. Redirects are not followed: the client's secret stays where it was sent. */
export const makeOpenIdFetch =
  (web: Web): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await web.fetch(url, {
      ...{ method: method as NonNullable<WebRequest['method']>, headers, follow: false, has_secrets: true },
      ...(body !== undefined && body !== null && { body: String(body) }),
      ...(signal && { signal }),
      ...{ max_bytes: mostBytes, timeout_ms: mostTime, idle_ms: mostTime },
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return new Response(noBody.has(answer.status) ? null : Buffer.concat(chunks), {
      ...{ status: answer.status, headers: { ...answer.headers } },
    });
  };
