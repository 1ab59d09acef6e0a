import { AnswerError } from '../model-errors.ts';
import type { Protocol } from './protocol.ts';

/** The most bytes of a refusal that are read. */
const max_bytes = 1024 * 1024;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the body of an answer that refuses the request. */
export class Refusal {
  readonly #head: { status: number; status_text: string; headers: Readonly<Record<string, string>> };
  readonly #body: Buffer[] = [];
  #size = 0;

  constructor(status: number, status_text: string, headers: Readonly<Record<string, string>>) {
    this.#head = { status, status_text, headers };
  }

  /** Answers whether more of the body is read. */
  data(bytes: Buffer): boolean {
    this.#size += bytes.length;
    if (this.#size > max_bytes) return false;
    this.#body.push(Buffer.from(bytes));
    return true;
  }

  /** The error with the provider's own message; the status has one too. */
  error({ refusalMessage }: Protocol): AnswerError {
    const body = Buffer.concat(this.#body).toString();
    return new AnswerError(refusalMessage(parse(body)) ?? this.#head.status_text, { ...this.#head, body });
  }

  /** The connection broke off inside the body. */
  brokenError(): AnswerError {
    return new AnswerError('Failed to process error response', this.#head);
  }
}

/** Some providers answer 200 and then send an error as the first event: that is a refusal too. */
export function asRefusal(error: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (error instanceof Error || typeof error !== 'object' || error === null || !('message' in error)) return error;
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  const body = JSON.stringify('data' in error ? error.data : error);
  return new AnswerError(String(error.message), { status, headers, body });
}
