import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const user = (content: string) => ({ role: 'user', content });

test('assistant messages that the client sends are anonymized and pass the guardrails like its questions', async () => {
  // The only provider: guardrails ask it too.
  const { server, name } = await app.provider();
  const definition = {
    model: [`${name}/one`],
    max_retries_per_model: 0,
    toxicity: 'High',
    guardrail_action: 'fail',
    pii_anonimization: ['EMAIL_ADDRESS'],
  };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Agent', definition });
  const complete = (body: object) => app.call('POST', '/v1/chat/completions', { model: `agent:${agent.id}`, ...body });
  const judged: string[] = [];
  server.answers = ({ response_format, messages }) => {
    if (!response_format) return undefined;
    judged.push(JSON.stringify(messages));
    const severity = judged.at(-1)?.includes('SECRETLY') ? 'severe' : 'none';
    return { text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }) };
  };
  const history = (text: string, args: string) => [
    user('What did you say?'),
    { role: 'assistant', content: text },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'note', arguments: args } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'noted' },
    user('Hello'),
  ];
  const mine = await complete({ messages: history('Ask kim@corp.example', '{"to":"jo@corp.example"}') });
  assert.equal(mine.status, 200);
  assert.ok(judged.some((text) => text.includes('Ask')));
  for (const { body } of server.requests) assert.doesNotMatch(JSON.stringify(body), /@corp\.example/);
  const told = JSON.stringify(server.last().body.messages);
  assert.match(told, /Ask <EMAIL_ADDRESS_\d>/);

  for (const messages of [history('SECRETLY bad', '{}'), history('Fine', '{"text":"SECRETLY bad"}')]) {
    const before = server.requests.length;
    await complete({ messages });
    const since = server.requests.slice(before);
    assert.ok(since.length > 0 && since.every(({ body }) => body.response_format), 'the model heard it');
    const rows = await app.query('select status from conversations order by created_at');
    assert.equal(rows.at(-1).status, 'failed');
  }
});
