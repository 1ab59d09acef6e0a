import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Bucket } from '../../../src/drivers/s3/driver.ts';
import { signRequest } from '../../../src/drivers/s3/sign-request.ts';
import { type Answered, type Asked, answerRequest, type Bucket, type Nature } from './answer-request.ts';
import { errorPage } from './stored-objects.ts';

/**
 * What goes wrong with a request: a status instead of an answer, no answer for a while, an answer that is cut off in its
 * middle, or one that is lost after the store did what it was asked.
 */
export type Fault = { status: number; code?: string } | 'silent' | 'cut' | 'lost';

export interface S3Server extends Bucket {
  place: S3Bucket;
  /** Every request, as `METHOD key`. */
  asked: string[];
  /** Forgets the faults that have not met a request yet. */
  clearFaults(): void;
  /** Lets the next requests that fit fail, once for each fault. */
  fail(fits: (asked: Asked) => boolean, ...faults: Fault[]): void;
  nature: Nature;
}

const access_key_id = 'TESTKEYID';
const secret_access_key = 'test/secret+of/the+bucket';

/** The code of the refusal; undefined when the signature is right and recent. */
function checkSignature(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const given = request.headers.authorization ?? '';
  const [, id, region = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      given,
    ) ?? [];
  if (id !== access_key_id) return 'InvalidAccessKeyId';
  const signed = names.split(';').filter((name) => !['host', 'x-amz-date', 'x-amz-content-sha256'].includes(name));
  const headers = Object.fromEntries(signed.map((name) => [name, String(request.headers[name])]));
  const time = String(request.headers['x-amz-date']).replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  if (Math.abs(Date.now() - new Date(time).getTime()) > 900_000) return 'RequestTimeTooSkewed';
  const made = signRequest(
    {
      ...{ method: request.method ?? '', host: request.headers.host ?? '', path: decodeURIComponent(url.pathname) },
      ...{ query: Object.fromEntries(url.searchParams), headers, body },
    },
    { region, access_key_id, secret_access_key },
    new Date(time),
  );
  return made.headers['authorization']?.endsWith(`Signature=${signature}`) ? undefined : 'SignatureDoesNotMatch';
}

/** An S3 store in memory on a port of its own, closed when the test file ends. */
export async function s3Server({ prefix = '' } = {}): Promise<S3Server> {
  const bucket: Bucket = { objects: new Map(), uploads: new Map() };
  const nature: Nature = {};
  const asked: string[] = [];
  const faults: { fits: (asked: Asked) => boolean; fault: Fault }[] = [];

  function takeFault(request: Asked): Fault | undefined {
    const index = faults.findIndex(({ fits }) => fits(request));
    return index < 0 ? undefined : faults.splice(index, 1)[0]?.fault;
  }

  function send(response: ServerResponse, { status, headers = {}, body = '' }: Answered, fault?: Fault): void {
    const bytes = Buffer.from(body as string);
    response.writeHead(status, { 'content-length': bytes.length, ...headers });
    if (fault !== 'cut') return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://store');
    const body = await buffer(request);
    const [, name, ...path] = decodeURIComponent(url.pathname).split('/');
    const headers = request.headers as Record<string, string | undefined>;
    const wanted = { method: request.method ?? '', key: path.join('/'), query: url.searchParams, headers, body };
    asked.push(`${wanted.method} ${wanted.key}`);
    const isSlow = nature.slow_down_every !== undefined && asked.length % nature.slow_down_every === 0;
    const fault = takeFault(wanted) ?? (isSlow ? { status: 503, code: 'SlowDown' } : undefined);
    const refusal = checkSignature(request, url, body);
    if (refusal) return send(response, { status: 403, body: errorPage(refusal) });
    if (name !== 'files-of-tests') return send(response, { status: 404, body: errorPage('NoSuchBucket') });
    if (typeof fault === 'object')
      return send(response, { status: fault.status, body: errorPage(fault.code ?? 'InternalError') });
    if (fault === 'silent') await sleep(10_000, undefined, { ref: false });
    const answer = answerRequest(bucket, wanted, nature);
    if (fault === 'lost') return void response.destroy();
    send(response, answer, fault);
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ ...bucket, asked, nature },
    place: { endpoint, region: 'test-1', bucket: 'files-of-tests', prefix, access_key_id, secret_access_key },
    clearFaults: () => void faults.splice(0),
    fail: (fits, ...all) => void faults.push(...all.map((fault) => ({ fits, fault }))),
  };
}
