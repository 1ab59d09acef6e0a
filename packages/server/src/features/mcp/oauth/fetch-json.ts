import { text } from 'node:stream/consumers';
import { explainRefusal, type Web, WebRefused, type WebRequest } from '../../../drivers/web/driver.ts';
import { isRecord } from '../../../lib/json/fields-of.ts';
import { TokenRefused } from './request-token.ts';

type Answered = { status: number; said: Record<string, unknown>; headers: Readonly<Record<string, string>> };

/** Requests JSON from an authorization server. An answer that is not a JSON object is read as an empty one. */
export async function askJson(web: Web, url: string, request: WebRequest = {}): Promise<Answered> {
  try {
    const answer = await web.fetch(url, {
      ...request,
      headers: { accept: 'application/json', ...request.headers },
      // Redirects are not followed: an answer counts only for the address that was asked.
      ...{ follow: false, max_bytes: 200_000, timeout_ms: 10_000 },
    });
    const { status, headers } = answer;
    const body = await text(answer.body);
    try {
      const said: unknown = JSON.parse(body);
      return { status, headers, said: isRecord(said) ? said : {} };
    } catch {
      return { status, headers, said: {} };
    }
  } catch (error) {
    // Only members of the workspace who connect servers read it.
    if (error instanceof WebRefused)
      throw new TokenRefused(`it could not be asked how to log in: ${explainRefusal(error, 'members')}`);
    throw error;
  }
}
