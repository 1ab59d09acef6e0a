import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { consoleApp } from './console-app.ts';
import { fillBase } from './fill-base.ts';
import type { makeRefundAgent } from './requests.ts';

type ConsoleApp = Awaited<ReturnType<typeof consoleApp>>;
type Agent = Awaited<ReturnType<typeof makeRefundAgent>>;

/** Brings a page into a state that only actions lead to. */
export interface State {
  path: string;
  reach?: (page: Page) => Promise<unknown>;
  /** Who looks at it: an administrator of the organization unless it says otherwise. */
  as?: 'administrator' | 'reader' | 'nobody' | undefined;
}

const cited = 'Goods that arrive broken are refunded within 30 days [1]. The receipt is needed [1].';

async function fillTabs(app: ConsoleApp, agent: string) {
  const at = `/v1/agents/${agent}`;
  const web = await app.call('POST', `${at}/deployments`, {
    ...{ channel: 'web', name: 'Shop page' },
    config: { title: 'Ask Ada', greeting: 'Hello! What can I do for you?', accent: '#0b7a5b' },
  });
  const slack = await app.call('POST', `${at}/deployments`, {
    ...{ channel: 'slack', name: 'Team Slack', config: { signing_secret: 'a secret', bot_token: 'xoxb-1' } },
  });
  await app.query('update deployments set last_error = $2, last_error_at = now() where id = $1', [
    ...[slack.json.id, 'Slack answered invalid_auth: the token was revoked by an administrator'],
  ]);
  const trigger = await app.call('POST', `${at}/triggers`, {
    name: 'Late orders every working day',
    definition: { type: 'schedule', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin', message: 'Which orders are late?' },
  });
  assert.equal(trigger.status, 200, trigger.text);
  return web.json.page_path as string;
}

/** Talks that show what a chat can hold, and the states of pages that are reached by doing something. */
export async function fillStates(app: ConsoleApp, agent: Agent, talk: string) {
  const base = await fillBase(app, 'Handbook', {
    'Returns and refunds.md': `# Handbook\n\n${'A paragraph about the shop and its hours.\n\n'.repeat(12)}## Refunds\n\nRefunds are paid within 30 days of purchase, with the receipt.\n`,
  });
  const definition = {
    ...{ knowledge_bases: [base], pii_lock: true },
    base_tools: ['agent_memory', 'todos', 'human_in_the_loop'].map((type) => ({ type, enabled: true })),
  };
  const made = await app.call('POST', '/v1/agents', {
    ...{ name: 'Handbook Desk', lock_reason: 'Checked by the officer.' },
    definition: { model: (await app.call('GET', `/v1/agents/${agent.agent_id}`)).json.definition.model, ...definition },
  });
  assert.equal(made.status, 200, made.text);
  const id = made.json.id as string;
  const converse = async (name: string, ...replies: Parameters<typeof agent.server.reply>) => {
    agent.server.reply(...replies);
    const { json } = await app.call('POST', `/v1/conversations?assistant_id=${id}`, { name });
    await app.say(json.id, `${name}. What do I do?`).catch(() => {});
    return json.id as string;
  };
  const todos = ['Read the rule', 'Check the receipt', 'Send the money'].map((content, at) => ({
    ...{ content, status: at === 0 ? 'completed' : at === 1 ? 'in_progress' : 'pending' },
  }));
  const sources = await converse(
    'A broken kettle',
    { tool_calls: [{ id: 't1', name: 'todos_write', input: { todos } }] },
    { tool_calls: [{ id: 'k1', name: 'kb_handbook_search', input: { query: 'refund' } }] },
    { text: cited },
  );
  const remember = ['Prefers mornings', 'Has a long name that wraps: Bartholomew of the northern warehouse team'];
  await converse(
    'Remember this',
    { tool_calls: remember.map((text, at) => ({ id: `m${at}`, name: 'agent_memory_remember', input: { text } })) },
    { text: 'Noted.' },
  );
  const failed = await converse('It breaks', { status: 400, error: 'The model is not loaded' });
  const page_path = await fillTabs(app, id);
  const { json: link } = await app.call('POST', `/v1/conversations/${talk}/share`, {});
  const shared = `/shared/${link.public_access_token ?? link.token}`;
  const build = (w: string) => `/w/${w}/agents/${id}/build`;
  const persona = (page: Page) => page.getByRole('textbox', { name: 'Persona', exact: true });

  return (w: string): Record<string, State> => ({
    'state-sources': { path: `/w/${w}/chat/${sources}?panel=details` },
    'state-steps': {
      path: `/w/${w}/chat/${sources}`,
      reach: async (page) => {
        await page
          .getByRole('button', { name: /steps?$/ })
          .first()
          .press('Enter');
        await page.getByRole('button', { name: /Searched/ }).press('Enter');
      },
    },
    'state-document': {
      path: `/w/${w}/chat/${sources}`,
      reach: async (page) => {
        await page
          .getByRole('button', { name: /^Source 1/ })
          .first()
          .press('Enter');
        await page.locator('mark').first().waitFor();
      },
    },
    'state-failed': { path: `/w/${w}/chat/${failed}` },
    'state-share': {
      path: `/w/${w}/chat/${talk}`,
      reach: (page) => page.getByRole('button', { name: 'Share' }).first().press('Enter'),
    },
    'state-shared': { path: shared, as: 'nobody' },
    'state-visitor': { path: page_path, as: 'nobody' },
    'state-sign-in-failed': { path: '/sign-in?failed=account_refused', as: 'nobody' },
    'state-notices': {
      path: `/w/${w}/agents`,
      reach: async (page) => {
        const bell = page.getByRole('button', { name: /^Notifications/ });
        if (!(await bell.first().isVisible())) await page.getByRole('button', { name: 'More' }).last().press('Enter');
        await bell.first().press('Enter');
        await page
          .getByRole('button', { name: /^Something waits/ })
          .first()
          .press('Enter');
      },
    },
    'state-channels': { path: `/w/${w}/agents/${id}/channels` },
    'state-channel-new': {
      path: `/w/${w}/agents/${id}/channels`,
      reach: (page) => page.getByRole('button', { name: 'New channel' }).press('Enter'),
    },
    'state-triggers': { path: `/w/${w}/agents/${id}/triggers` },
    'state-trigger-new': {
      path: `/w/${w}/agents/${id}/triggers`,
      reach: (page) => page.getByRole('button', { name: 'New trigger' }).press('Enter'),
    },
    'state-memory': { path: `/w/${w}/agents/${id}/memory` },
    'state-memory-correct': {
      path: `/w/${w}/agents/${id}/memory`,
      reach: (page) =>
        page
          .getByRole('button', { name: /^Correct/ })
          .first()
          .press('Enter'),
    },
    'state-locked': { path: `${build(w)}?group=safety` },
    'state-ask-unlock': {
      path: `${build(w)}?group=safety`,
      reach: (page) =>
        page
          .getByRole('button', { name: /^(?:Ask to unlock|Unlock)$/ })
          .first()
          .press('Enter'),
    },
    'state-publish': {
      path: build(w),
      reach: async (page) => {
        await persona(page).fill(`You are the desk of ${Date.now()}.`);
        await page.getByRole('button', { name: /^\d+ changes?$/ }).press('Enter');
      },
    },
    'state-gate': {
      path: build(w),
      reach: async (page) => {
        const failed_cases = [{ name: 'Broken kettle' }, { name: 'A refund after 40 days' }];
        const body = { detail: 'Refused', code: 'evaluation_failed', pass_rate: 0.82, threshold: 0.9, failed_cases };
        await page.route('**/versions', (route) =>
          route.request().method() === 'POST' ? route.fulfill({ status: 409, json: body }) : route.continue(),
        );
        await persona(page).fill(`You are another desk of ${Date.now()}.`);
        await page.getByRole('button', { name: /^\d+ changes?$/ }).press('Enter');
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Publish/ })
          .press('Enter');
        await page.getByText('Broken kettle').waitFor();
      },
    },
    'state-conflict': {
      path: build(w),
      reach: async (page) => {
        await persona(page).waitFor();
        await page.context().setOffline(true);
        await persona(page).fill('You are my desk.');
        await page.getByText('Not saved yet').first().waitFor();
        const mine = { definition: { persona: `You are their desk of ${Date.now()}.` } };
        await app.call('PATCH', `/v1/agents/${id}?preview=true`, mine);
        await page.context().setOffline(false);
        await page.getByRole('dialog').waitFor();
      },
    },
    'state-offline': {
      path: `/w/${w}/chat/${talk}`,
      reach: async (page) => {
        await page.getByRole('log').waitFor();
        await page.context().setOffline(true);
        await page.getByText('You are offline').waitFor();
      },
    },
  });
}
