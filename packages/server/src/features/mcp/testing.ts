import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';

type Message = { id?: string | number; method: string; params?: Record<string, unknown> };
type Take = (message: Message, response: ServerResponse, request: IncomingMessage) => unknown;

/** A scripted MCP server that records the requests it gets. */
export async function scriptedMcp() {
  const asked: { message: Message; headers: IncomingMessage['headers'] }[] = [];
  const events = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    const own = script.before?.(request, response);
    if (own === true) return;
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      events.add(response);
      return;
    }
    // A client that disconnects while sending has sent nothing.
    const sent = await text(request).catch(() => undefined);
    if (sent === undefined) return;
    const message = JSON.parse(sent || '{}') as Message;
    asked.push({ message, headers: request.headers });
    const take = script.take[message.method] ?? standard[message.method];
    const result = take ? await take(message, response, request) : undefined;
    if (response.headersSent || response.destroyed) return;
    if (message.id === undefined) return void response.writeHead(202).end();
    if (result === hang) return;
    script.answer(response, message, result ?? {});
  });

  const hang = Symbol('hang');
  const standard: Record<string, Take> = {
    initialize: ({ params }) => ({
      protocolVersion: params?.['protocolVersion'],
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'scripted', version: '1' },
    }),
    'tools/list': () => ({ tools: script.tools }),
    'tools/call': ({ params }) => ({
      content: [{ type: 'text', text: `called ${JSON.stringify(params?.['arguments'])}` }],
    }),
  };
  const json = (response: ServerResponse, body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const script = {
    asked,
    hang,
    url: '',
    /** Only the calls of tools. */
    calls: () => asked.filter(({ message }) => message.method === 'tools/call'),
    tools: [
      {
        name: 'echo',
        description: 'Says it back',
        inputSchema: { type: 'object', properties: { say: { type: 'string' } }, required: ['say'] },
      },
    ] as Record<string, unknown>[],
    take: {} as Record<string, Take>,
    /** Returns true when it has answered the request itself. */
    before: undefined as ((request: IncomingMessage, response: ServerResponse) => boolean | undefined) | undefined,
    answer: (response: ServerResponse, { id }: Message, result: unknown): unknown =>
      json(response, { jsonrpc: '2.0', id, result }),
    /** Sends a notification to all listeners. */
    notify(method: string) {
      for (const one of events) one.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method })}\n\n`);
    },
    /** Answers with a stream of events. */
    stream: (response: ServerResponse, ...frames: string[]) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const frame of frames) response.write(frame);
    },
    listeners: () => events.size,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
  // Only the client closes idle connections: if both sides close at once, a request loses its answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  script.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  after(script.close);
  return script;
}

/** The address of a server that only serves the metadata of its login. */
export async function describedLogin(): Promise<string> {
  const server = createServer((_, response) => {
    const description = {
      ...{
        resource: origin,
        authorization_servers: [origin],
        issuer: origin,
        code_challenge_methods_supported: ['S256'],
      },
      ...{ authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(description));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => server.close());
  return `${origin}/mcp`;
}
