import { escapeMarkup } from '../lib/text/escape-html.ts';
import type { ErrorAnswer } from './errors.ts';

/** A page of the console says the reason in its own words; this one says it where there is no console. */
const pageOf = (code: string, detail: string) => {
  const address = escapeMarkup(`/sign-in?failed=${encodeURIComponent(code)}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Not signed in</title>
</head>
<body>
<h1>You are not signed in</h1>
<p>${escapeMarkup(detail)}</p>
<p><a href="${address}">Back to sign-in</a></p>
</body>
</html>
`;
};

/** An error for a person whose browser opened an operation: the same status and headers, with a page that leads to sign-in. */
export function errorPageAnswer({ status, body: { code = 'invalid', detail }, headers }: ErrorAnswer) {
  const words = typeof detail === 'string' ? detail : 'The address is not complete';
  return {
    status,
    body: pageOf(code, words),
    headers: {
      ...{ ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      ...{ 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", 'referrer-policy': 'no-referrer' },
    },
  };
}
