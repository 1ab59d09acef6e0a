import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/test-app.ts';

const { call } = await testApp();

for (const settings of [{ crime: 'High' }, { jailbreak: true }, { context_leak: true }])
  test(`a run with ${Object.keys(settings)} on is refused rather than answered without it`, async () => {
    const { json } = await call('POST', '/v1/conversations', { settings });
    const { status, json: after } = await call('POST', `/v1/conversations/${json.id}`, { content: 'Hello' });
    assert.deepEqual([status, after.status], [200, 'failed']);
    const parts = after.messages.at(-1).message_parts;
    assert.deepEqual(
      parts.map((part: { type: string; code: string }) => [part.type, part.code]),
      [['error', 'guardrail_unavailable']],
    );
  });
