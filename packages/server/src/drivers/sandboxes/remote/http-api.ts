import { asError } from '../../../lib/as-error.ts';
import { EngineFailed, SandboxGone } from '../driver.ts';

export interface HttpApi {
  name: string;
  base_url: string;
  headers: Record<string, string>;
}

/** Sends one request to a remote engine. 404 means that the sandbox is gone; any other error that the engine failed. */
export async function ask(
  { name, base_url, headers }: HttpApi,
  method: string,
  path: string,
  options: { json?: unknown; body?: Uint8Array; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const { json, body, signal = AbortSignal.timeout(120_000) } = options;
  const content = json === undefined ? body : JSON.stringify(json);
  let answer: Response;
  try {
    answer = await fetch(`${base_url.replace(/\/$/, '')}${path}`, {
      method,
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }), ...options.headers },
      ...(content !== undefined && { body: content as string }),
      redirect: 'error',
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new EngineFailed(`${name} can't be reached: ${asError(error).message}`);
  }
  if (answer.status === 404) {
    await answer.body?.cancel();
    throw new SandboxGone();
  }
  // The answer is not repeated, since it may contain what was sent.
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new EngineFailed(`${name} answered ${answer.status}`);
  }
  return answer;
}
