import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { escapeMarkup } from '../../../lib/text/escape-html.ts';
import { readSettings } from '../../agents/service.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { noReply } from '../no-reply.ts';

export interface ChatPage {
  html: string;
  /** The Content-Security-Policy of the page, with the origins that may embed it. */
  policy: string;
}

const folder = join(import.meta.dirname, '../../../../assets/chat');

/** The files of the page; read when first asked for. */
const known = new Map<string, Buffer>();
export function chatAsset(name: 'chat.js' | 'chat.css' | 'markdown.js' | 'embed.js'): Buffer {
  const bytes = known.get(name) ?? readFileSync(join(folder, name));
  known.set(name, bytes);
  return bytes;
}

/** JSON that can stand in a page: nothing in it ends the element or begins a comment. */
const jsonInPage = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Nothing comes from or goes to another host; only the origins that the deployment names may frame it. */
const policyFor = (origins: readonly string[]) =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  `base-uri 'none'; form-action 'none'; frame-ancestors ${["'self'", ...origins].join(' ')}`;

const icon = (path: string) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="${path}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** The chat page of a deployment. Its texts come from the agent's published settings. */
export function chatPage(deployment: LiveDeployment, token: string): ChatPage {
  const { config } = deployment;
  const settings = effectiveSettings(readSettings(deployment.definition));
  const title = String(config.title ?? deployment.agent_name);
  const placeholder = settings.chat_input_placeholder;
  const data = {
    ...{ token, deployment_id: deployment.id, no_reply: settings.transport_allow_noop ? noReply : null },
    ...{ accent: config.accent ?? null, allow_files: config.allow_files !== false },
  };
  const greeting = typeof config.greeting === 'string' ? config.greeting : '';
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/chat-assets/chat.css">
</head>
<body>
<header>
<h1>${escapeMarkup(title)}</h1>
<button type="button" id="anew" title="New conversation" aria-label="New conversation" hidden>${icon('M12 5v14M5 12h14')}</button>
</header>
<main>
<div id="log" role="log" aria-label="Conversation" tabindex="0">${greeting ? `<p class="greeting">${escapeMarkup(greeting)}</p>` : ''}</div>
<p id="status" role="status" aria-live="polite"></p>
</main>
<form id="form" autocomplete="off">
<ul id="files" aria-label="Files to send"></ul>
<div class="row">
<button type="button" id="attach" title="Attach files" aria-label="Attach files"${data.allow_files ? '' : ' hidden'}>${icon('M21 11l-9 9a5 5 0 0 1-7-7l9-9a3.5 3.5 0 0 1 5 5l-9 9a2 2 0 0 1-3-3l8-8')}</button>
<input type="file" id="picker" multiple hidden>
<textarea id="text" rows="1" maxlength="100000" placeholder="${escapeMarkup(placeholder)}" aria-label="${escapeMarkup(placeholder || 'Message')}"></textarea>
<button type="button" id="stop" title="Stop" aria-label="Stop the answer" hidden>${icon('M7 7h10v10H7z')}</button>
<button type="submit" id="send" title="Send" aria-label="Send">${icon('M12 19V5M5 12l7-7 7 7')}</button>
</div>
</form>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="config">${jsonInPage(data)}</script>
<script type="module" src="/chat-assets/chat.js"></script>
</body>
</html>
`;
  return { html, policy: policyFor((config.allowed_origins as string[] | undefined) ?? []) };
}
