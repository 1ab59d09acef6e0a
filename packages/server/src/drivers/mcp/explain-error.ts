import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { WebRefused } from '../web/driver.ts';
import { McpServerError } from './driver.ts';
import { brokenStreamCode } from './guarded-body.ts';

const fromWeb: Partial<Record<WebRefused['code'], McpServerError['code']>> = {
  timeout: 'timeout',
  too_large: 'too_large',
};

/** Words of a server: short and on one line. */
const quoted = (text: string) =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .slice(0, 1000)
    .toWellFormed();

/** The HTTP status that a server refused us with, if it did. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof StreamableHTTPError || error instanceof SseError) return error.code;
  return undefined;
}

const byStatus = (status: number | undefined, error: unknown): McpServerError => {
  if (status === 401 || status === 403)
    return new McpServerError('unauthorized', `it refuses our credentials (${status})`, error);
  if (status === 404) return new McpServerError('session_lost', 'there is no MCP server at this address', error);
  if (status !== undefined && status >= 300 && status < 400)
    return new McpServerError('bad_answer', 'it sends us to another address', error);
  return new McpServerError(
    'bad_answer',
    status === undefined || status < 0 ? 'it does not speak MCP' : `it answered with status ${status}`,
    error,
  );
};

/** Translates an error of the MCP library into our own words. */
export function explained(error: unknown, signal?: AbortSignal): McpServerError {
  if (error instanceof McpServerError) return error;
  if (signal?.aborted) return new McpServerError('timeout', 'it took too long', error);
  if (error instanceof WebRefused)
    return new McpServerError(fromWeb[error.code] ?? 'unreachable', error.message, error);
  const { cause } = error as { cause?: unknown };
  if (cause instanceof WebRefused) return explained(cause);
  const status = statusOf(error);
  if (status !== undefined) return byStatus(status, error);
  if (error instanceof McpError) {
    // The library puts the error number before the message.
    const words = error.message.replace(/^MCP error -?\d+: /, '');
    if (error.code === ErrorCode.RequestTimeout) return new McpServerError('timeout', 'it took too long', error);
    if (error.code === ErrorCode.ConnectionClosed)
      return new McpServerError('closed', 'the connection broke off', error);
    if (error.code === brokenStreamCode)
      return new McpServerError(words.includes('larger') ? 'too_large' : 'bad_answer', words, error);
    return new McpServerError('refused', quoted(words), error);
  }
  return new McpServerError('bad_answer', 'it answered something that can not be read', error);
}
