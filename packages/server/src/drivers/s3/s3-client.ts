import * as http from 'node:http';
import * as https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../lib/error-code.ts';
import type { Log } from '../../lib/log.ts';
import type { S3Bucket } from './driver.ts';
import { readBytes } from './read-body.ts';
import { isOrdinary, isRetryable, S3Failed } from './s3-failed.ts';
import { signRequest } from './sign-request.ts';

export interface S3Options {
  log: Log;
  /** The setting that names the bucket, for errors that an operator reads. */
  setting?: string;
  /** How often a request is sent before it counts as failed. */
  attempts?: number;
  /** The pause after the first failure; each further one is twice as long. */
  wait_ms?: number;
  /** How long the store may be silent. */
  timeout_ms?: number;
}

interface S3Request {
  /** For the log. */
  operation: string;
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** The whole name of an object; the bucket itself when absent. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer;
  /** The element that an answer is made of. Anything else with status 200, a proxy's page or an error, is no answer. */
  root?: string;
}

export type S3Client = ReturnType<typeof makeS3Client>;

const maxAnswer = 8 * 1024 * 1024;
const maxWait = 5000;

export const textIn = (xml: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? '';

/** The text of an element. Names are ours, of letters that XML does not escape; others never match what is looked for. */
export const plainText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Sends signed requests to one bucket; repeats those that fail for a reason that may be over soon. */
export function makeS3Client(bucket: S3Bucket, options: S3Options) {
  const { log, setting = 'ATRIUM_BLOBS', attempts = 5, wait_ms = 100, timeout_ms = 30_000 } = options;
  const { protocol, host, hostname, port } = new URL(bucket.endpoint);
  const { request, Agent } = protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });

  const send = ({ method, key, query, headers, body }: S3Request) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const path = `/${bucket.bucket}${key === undefined ? '' : `/${key}`}`;
      const signed = signRequest({ method, host, path, query, headers, body }, bucket, new Date());
      const length = body && { 'content-length': body.length };
      const sent = request({
        ...{ agent, method, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: signed.path },
        // Set here it counts while the connection is made, too.
        timeout: timeout_ms,
        headers: { ...signed.headers, ...length },
      });
      sent.on('timeout', () => sent.destroy(new Error('The store does not answer')));
      sent.on('error', reject).on('response', (response) => {
        sent.setTimeout(0);
        resolve(response);
      });
      sent.end(body);
    });

  async function refusal({ method }: S3Request, response: http.IncomingMessage): Promise<S3Failed> {
    // Such an answer has no body. A 404 without the store's own word may come from a proxy in front of it.
    if (method === 'HEAD' && response.statusCode === 404) {
      response.resume();
      return new S3Failed(404, 'NoSuchKey');
    }
    const xml = (await readBytes(response, timeout_ms, maxAnswer)).toString();
    return new S3Failed(response.statusCode, textIn(xml, 'Code'));
  }

  /** Waits before the next attempt; gives up after the last one. */
  async function pause(operation: string, failure: S3Failed, failures: number): Promise<void> {
    const { status, reason } = failure;
    const isLast = failures >= attempts || !isRetryable(failure);
    if (isLast) {
      if (!isOrdinary(failure)) log.warn('s3.failed', { operation, status, reason, attempts: failures });
      throw failure;
    }
    log.debug('s3.retry', { operation, status, reason });
    const wait = Math.min(wait_ms * 2 ** (failures - 1), maxWait);
    await sleep(wait * (0.5 + Math.random() / 2));
  }

  /** The words of the network are not passed on: they have the address of the store. */
  const failureOf = (error: unknown) =>
    error instanceof S3Failed ? error : new S3Failed(undefined, String(errorCode(error) ?? 'no answer'));

  /** Hands the answer to a function, whose errors count as those of the request. */
  async function exchange<T>(asked: S3Request, use: (response: http.IncomingMessage) => Promise<T> | T): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        const response = await send(asked);
        if ((response.statusCode ?? 500) >= 300) throw await refusal(asked, response);
        return await use(response);
      } catch (error) {
        await pause(asked.operation, failureOf(error), failures);
      }
    }
  }

  return {
    exchange,
    pause: (operation: string, error: unknown, failures: number) => pause(operation, failureOf(error), failures),
    timeout_ms,
    setting,
    bucket: bucket.bucket,
    prefix: bucket.prefix,

    /** The headers and the whole body of an answer. */
    call: (asked: S3Request) =>
      exchange(asked, async (response) => {
        const bytes = await readBytes(response, timeout_ms, maxAnswer);
        // The end of an upload in parts answers 200 before it knows whether it succeeds.
        const text = bytes.toString();
        if (asked.root && !new RegExp(`<${asked.root}[\\s>]`).test(text))
          throw new S3Failed(undefined, textIn(text, 'Code') || 'another answer');
        return { status: response.statusCode, headers: response.headers, bytes, text };
      }),
  };
}
