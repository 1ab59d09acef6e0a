import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Given to `skip` of every story: why it can't run here. */
export const withoutBrowser = existsSync(executablePath)
  ? false
  : `there is no Chromium at ${executablePath}; install it, or name another one in CHROMIUM`;

let started: Promise<Browser> | undefined;
after(async () => (await started)?.close());

function browser(): Promise<Browser> {
  if (!started) {
    const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
    started = chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet] });
  }
  return started;
}

export interface Look {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** A phone: touch, and no pointer that hovers. */
  touch?: boolean;
}

/** A window of its own, with its own cookies. It notices what no story may cause. */
export interface Window {
  page: Page;
  context: BrowserContext;
  /** Fails on faults of accessibility. Call it in every state that a story reaches. */
  checkAccess(): Promise<void>;
  /** Fails if a request left the origin or the browser wrote anything to its console. Call it at the end. */
  checkQuiet(allowed?: RegExp): void;
}

/** Opens a window on the server, signed in when a cookie is given. */
export async function openWindow(address: string, cookie?: string, look: Look = {}): Promise<Window> {
  const { width = 1440, height = 900, theme = 'light', touch = false } = look;
  const context = await (await browser()).newContext({
    ...{ viewport: { width, height }, colorScheme: theme, hasTouch: touch, isMobile: touch, baseURL: address },
    ...{ locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
  });
  after(() => context.close().catch(() => {}));
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=', 2);
    await context.addCookies([{ name, value, url: address, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const noise: string[] = [];
  page.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== address)
      noise.push(`left the origin: ${request.url()}`);
  });
  return {
    page,
    context,
    async checkAccess() {
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
      assert.deepEqual(found, [], 'accessibility');
    },
    checkQuiet(allowed) {
      assert.deepEqual(
        noise.filter((line) => !allowed?.test(line)),
        [],
        'the browser said something',
      );
    },
  };
}
