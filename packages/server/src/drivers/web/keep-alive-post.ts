import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { unpackers } from './answer-body.ts';
import { blockedPorts } from './blocked-ports.ts';
import type { Post, PostReceiver } from './driver.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
/** Identity: a compressed stream would wait for the end of its blocks. */
const ownHeaders = { 'user-agent': 'Atrium', accept: '*/*', 'accept-encoding': 'identity' };

/** The address, or why nothing is sent there: the rules of fetch. */
function checkedUrl(address: string): URL | TypeError {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return new TypeError('The address is not a valid web address');
  if (url.username || url.password) return new TypeError('The address has a user name or password in it');
  return blockedPorts.has(url.port) ? new TypeError('bad port') : url;
}

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

/** Passes calls on until the answer is over, so that its receiver hears of one end only. */
class Delivery implements Dispatcher.DispatchHandler {
  #receiver: PostReceiver | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: { reason: Error } | undefined;
  #unpacker: Transform | undefined;

  constructor(receiver: PostReceiver) {
    this.#receiver = receiver;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(reason: unknown): void {
    if (!this.#receiver) return;
    this.fail(reason);
    // A request that still waits for its connection is closed when it gets one.
    this.#aborted = { reason: reason instanceof Error ? reason : new Error('Aborted', { cause: reason }) };
    this.#controller?.abort(this.#aborted.reason);
  }

  fail(error: unknown): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.#unpacker?.destroy();
    receiver?.fail(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(this.#aborted.reason);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, given: object, text = ''): void {
    if (status < 200) return;
    if (redirects.has(status)) {
      this.abort(new TypeError('unexpected redirect'));
      return;
    }
    const headers = headersOf(given as Record<string, string>);
    const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (coding !== 'identity' && coding !== '') this.#unpack(coding);
    this.#receiver?.head(status, text, headers);
  }

  /** Some servers compress an answer although they were asked not to. */
  #unpack(coding: string): void {
    this.#unpacker = unpackers[coding]?.();
    if (!this.#unpacker) this.abort(new TypeError('The answer is packed in an unknown way'));
    this.#unpacker
      ?.on('data', (bytes: Buffer) => this.#receiver?.data(bytes))
      .on('end', () => this.#end())
      .on('error', (error) => this.abort(error));
  }

  #end(): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.end();
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#unpacker) this.#unpacker.write(bytes);
    else this.#receiver?.data(bytes);
  }

  onResponseEnd(): void {
    if (this.#unpacker) this.#unpacker.end();
    else this.#end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }
}

/** The POST of `Post` over the connections of a dispatcher, which checks them when they open. */
export const makeKeepAlivePost =
  (dispatch: Dispatcher['dispatch']): Post =>
  (address, { headers, body }, receiver) => {
    const delivery = new Delivery(receiver);
    const url = checkedUrl(address);
    if (url instanceof Error) queueMicrotask(() => delivery.fail(url));
    else
      try {
        const path = url.pathname + url.search;
        const sent = { ...ownHeaders, ...headers };
        dispatch({ origin: url.origin, path, method: 'POST', headers: sent, body }, delivery);
      } catch (error) {
        queueMicrotask(() => delivery.fail(error));
      }
    return delivery;
  };
