/** The error body of the chat completions protocol. */
export interface CompletionError {
  error: { message: string; type: string; param: string | null; code: string };
}

const types: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

export const completionError = (
  status: number,
  code: string,
  message: string,
  param: string | null = null,
): CompletionError => ({
  error: { message, type: types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'), param, code },
});
