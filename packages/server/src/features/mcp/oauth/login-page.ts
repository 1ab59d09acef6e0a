import { hash } from 'node:crypto';
import { escapeMarkup } from '../../../lib/text/escape-html.ts';

/** The values that the login page shows. */
export interface LoginPageContent {
  server: string;
  workspace: string;
  issuer: string;
  scope: string | null;
  /** Proves that the form was sent from this page in the browser that the page was shown in. */
  proof: string;
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}' +
  'dt{font-weight:600}dd{margin:0 0 .75rem;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 1.25rem}';

/** No scripts, no external content and no frames, so that the user has seen the page before pressing the button. */
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function loginPage({ server, workspace, issuer, scope, proof }: LoginPageContent): string {
  const told = { 'MCP server': server, Workspace: workspace, 'You will log in at': issuer, 'It asks for': scope };
  const list = Object.entries(told)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeMarkup(String(value))}</dd>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Log in to an MCP server</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>Log in to an MCP server</h1>
<dl>
${list}
</dl>
<p>When you have logged in, every agent of this workspace that uses this server acts there <strong>with your rights</strong>.
Go on only if you have asked for this yourself, or know who did. If somebody sent you here unasked, close this window.</p>
<form method="post">
<input type="hidden" name="proof" value="${escapeMarkup(proof)}">
<button type="submit">Go on</button>
</form>
</body>
</html>
`;
}
