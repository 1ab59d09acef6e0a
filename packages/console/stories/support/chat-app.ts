import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Reply } from '../../../server/test/providers/scripted-server.ts';
import { consoleApp } from './console-app.ts';

/** A console with an agent "Support Desk" whose model gives these replies, in their order. */
export async function chatApp(...replies: Reply[]) {
  const app = await consoleApp();
  const { server, name } = await app.provider(...replies);
  const definition = {
    model: [`${name}/one`],
    pii_anonimization: [],
    max_retries_per_model: 0,
    agent_title_mode: 'first_message',
    usage_limits_max_messages: 5000,
  };
  async function makeAgent(agentName: string, more: object = {}) {
    const made = await app.call('POST', '/v1/agents', {
      ...{ name: agentName, description: 'Answers questions about orders', definition: { ...definition, ...more } },
    });
    assert.equal(made.status, 200, made.text);
    return made.json.id as string;
  }
  const agentId = await makeAgent('Support Desk');
  return { ...app, model: server, definition, makeAgent, agentId };
}

/** The words of the newest answer in the page. */
export const readAnswer = async (page: Page): Promise<string> =>
  (await page.getByRole('article', { name: 'Support Desk' }).last().locator('p').allInnerTexts()).join('\n');
