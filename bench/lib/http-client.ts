import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export interface HttpClient {
  /** The answer; any status but 200 and 201 is an error. */
  send(path: string, body?: object, method?: string): Promise<IncomingMessage>;
  /** The answer's JSON. */
  json<T>(path: string, body?: object, method?: string): Promise<T>;
  close(): void;
}

/** Sends requests over connections that stay open, with as little work of its own as possible. */
export function makeHttpClient(address: string, headers: Record<string, string> = {}): HttpClient {
  // Each open stream holds a connection, so their number is not limited.
  const agent = new Agent({ keepAlive: true });
  async function send(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<IncomingMessage> {
    const all = { 'content-type': 'application/json', ...headers };
    const sent = httpRequest(`${address}${path}`, { agent, method, headers: all });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200 && response.statusCode !== 201)
      throw new Error(`${path}: ${response.statusCode} ${await textOf(response)}`);
    return response;
  }
  return {
    send,
    json: async <T>(path: string, body?: object, method?: string) =>
      JSON.parse(await textOf(await send(path, body, method))) as T,
    close: () => agent.destroy(),
  };
}
