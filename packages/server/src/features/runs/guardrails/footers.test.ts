import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../../test/providers/scripted-server.ts';
import { openTestServer } from '../endpoints/testing.ts';

const { provider, call, post, talk, stream } = await openTestServer();

const verdict = (severity: string): Reply => ({
  text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }),
});
provider.answers = (body: { response_format?: unknown; messages: unknown }) => {
  if (!body.response_format) return { text: 'Well, SECRETLY this is bad' };
  return verdict(JSON.stringify(body.messages).includes('SECRETLY') ? 'severe' : 'none');
};

const footer = { message_footer_enabled: true, message_footer: 'Written by a machine.' };
const base = {
  ...{ top_k: 0, max_retries_per_model: 0, toxicity: 'High', guardrails_scan_output: true, ...footer },
  guardrail_action_replace: 'Something else.',
};
type Part = { type: string; text?: string; data?: { text?: string } };
const shownOf = (parts: Part[]) =>
  parts.flatMap(({ type, text, data }) => (type === 'text' ? text : type === 'data-footer' ? data?.text : []));

const ways = [
  ['the reply', 'Hello', 'pre_stream'],
  ['the reply', 'Hello', 'post_stream'],
  ['the message', 'SECRETLY', 'pre_stream'],
];

for (const [what, content, guardrails_output_mode] of ways) {
  test(`the footer stands under the text that replaces ${what} (${guardrails_output_mode})`, async () => {
    const path = await talk({ ...base, guardrails_output_mode, guardrail_action: 'replace' });
    const { json } = await post(path, { content });
    assert.equal(json.status, 'completed');
    assert.deepEqual(shownOf(json.ui_messages.at(-1).parts), ['Something else.', 'Written by a machine.']);
    assert.equal(json.messages.at(-1).message_parts.at(-1).type, 'footer');
    const bytes = await (await stream(path, content, 'ui')).whole();
    const [text, below] = [bytes.indexOf('Something else.'), bytes.indexOf('Written by a machine.')];
    assert.ok(text >= 0 && below > text, bytes);
  });

  test(`the footer stands under the refusal of ${what} (${guardrails_output_mode})`, async () => {
    const path = await talk({ ...base, guardrails_output_mode, guardrail_action: 'fail' });
    const { json } = await post(path, { content });
    assert.equal(json.status, 'failed');
    assert.deepEqual(shownOf(json.ui_messages.at(-1).parts), ['Written by a machine.']);
    const bytes = await (await stream(path, content, 'ui')).whole();
    assert.ok(bytes.includes('Written by a machine.'));
  });
}

test('the footer stands under the refusal of a completion', async () => {
  const definition = { ...base, model: ['openai/blind'], guardrail_action: 'fail' };
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Guarded', definition });
  const body = { model: `agent:${agent.id}`, messages: [{ role: 'user', content: 'SECRETLY' }] };
  const { json } = await call('POST', '/v1/chat/completions', body);
  assert.equal(json.choices[0].finish_reason, 'content_filter');
  assert.match(json.choices[0].message.content, /stopped by a guardrail: toxicity\n\nWritten by a machine\.$/);
});

test('there is no footer under a replaced reply when it is not enabled', async () => {
  const path = await talk({ ...base, message_footer_enabled: false, guardrail_action: 'replace' });
  const { json } = await post(path, { content: 'SECRETLY' });
  assert.deepEqual(shownOf(json.ui_messages.at(-1).parts), ['Something else.']);
});
