import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { Json } from './scripted-server.ts';

const u32 = (number: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(7), length, Buffer.from(value)]);
}

/** One message of AWS' binary event stream: lengths, headers, payload, each part with its checksum. */
function message(type: string, payload: object): Buffer {
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([u32(headers.length + body.length + 16), u32(headers.length)]);
  const whole = Buffer.concat([lengths, u32(crc32(lengths)), headers, body]);
  return Buffer.concat([whole, u32(crc32(whole))]);
}

const said = (text: string) => [
  message('messageStart', { role: 'assistant' }),
  message('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
  message('contentBlockStop', { contentBlockIndex: 0 }),
  message('messageStop', { stopReason: 'end_turn' }),
  message('metadata', { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 1 } }),
];

/** Enough of Bedrock's converse-stream to answer one text, or one status. */
export async function bedrockProvider(answer: { text?: string; status?: number; error?: string }) {
  const requests: { path: string; headers: Json; body: Json }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(await textOf(request)) });
    if (answer.status !== undefined)
      return void response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message: answer.error }));
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    response.end(Buffer.concat(said(answer.text ?? '')));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
