import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOpen } from './mask-credentials.ts';
import { maskSecrets, stripSecrets } from './mask-secrets.ts';
import { maskUrl, removeUrlCredentials } from './mask-url.ts';

test('an address loses its credentials and keeps the rest to the letter', () => {
  const cases: [string, string][] = [
    ['https://host/path?q=1#top', 'https://host/path?q=1#top'],
    ['https://user:pass@host:8080/a@b', 'https://host:8080/a@b'],
    ['https://token@host', 'https://host'],
    ['https://u:p@ss@host/', 'https://host/'],
    ['postgres://u:p@db/x', 'postgres://db/x'],
    ['https://{{user}}:{{secret.pass}}@host/', 'https://{{user}}:{{secret.pass}}@host/'],
    ['https://host/?API-KEY=x', 'https://host/'],
    ['https://host/?api%5Fkey=x&a=%20b', 'https://host/?a=%20b'],
    ['https://host/?key=x&sig=y&code=z&accessToken=t&monkey=1', 'https://host/?monkey=1'],
    ['https://host/?token={{secret.T}}&token=', 'https://host/?token={{secret.T}}&token='],
    ['https://host/#access_token=x&state=1', 'https://host/#state=1'],
    ['/relative?password=x', '/relative'],
    ['', ''],
  ];
  for (const [url, open] of cases) assert.equal(removeUrlCredentials(url), open, url);
});

test('only a template alone, with at most a scheme before it, is no secret', () => {
  for (const value of ['', '{{x}}', '{{ secret.A_b-c }}', 'Bearer {{secret.X}}', 'basic {{x}}'])
    assert.equal(isOpen(value), true, value);
  for (const value of ['x', '{{x}}y', 'y{{x}}', '{{}}', '{{a b}}', 'Bearer x', '{{x}} {{y}}', '{x}', 'Bearer'])
    assert.equal(isOpen(value), false, value);
});

test('keeps words, names, versions, dates and ids, in addresses and in texts', () => {
  const words = [
    'Meta-Llama-3.1-70B-Instruct-Turbo',
    'claude-3-5-sonnet-20241022-v2:0',
    'us.anthropic.claude-sonnet-4-20250514-v1:0',
    'createWorkspaceRecordsForVersion2',
    'how-to-build-a-house-in-2024',
    '018f0000-0000-7000-8000-000000000000',
    '20261117T020000Z',
    'Datenschutzbeauftragte',
    'Verkehrswegeplanungsbeschleunigungsgesetz',
    'modelcontextprotocol',
    'capabilityExperiments',
    '12345678901234567890123',
    'SELECT_FROM_CUSTOMER_ORDERS',
  ];
  for (const word of words) {
    assert.equal(maskUrl(`https://host/v1/${word}/x`), `https://host/v1/${word}/x`);
    assert.equal(maskSecrets({ text: `Use ${word} now` }).text, `Use ${word} now`);
  }
  for (const text of ['Basic understanding of tokens', 'Ask for the password: abc', 'const token=getToken();'])
    assert.equal(maskSecrets(text), text);
  const image = `data:image/png;base64,${Buffer.from('a picture of many bytes').toString('base64')}`;
  assert.equal(maskSecrets({ logo: image }).logo, image);
});

test('covers the secrets that addresses of other services have in their path', () => {
  const cases: [string, string][] = [
    ['https://hooks.slack.com/services/T0/B0/abcdefghijkl', 'https://hooks.slack.com/services/T0/B0/********'],
    [
      'https://discord.com/api/webhooks/123456789012345678/abc',
      'https://discord.com/api/webhooks/123456789012345678/********',
    ],
    ['https://api.telegram.org/bot12345:abc/sendMessage', 'https://api.telegram.org/********/sendMessage'],
    ['https://hooks.zapier.com/hooks/catch/123456/bxyzabc/', 'https://hooks.zapier.com/hooks/catch/123456/********/'],
    ['https://maker.ifttt.com/trigger/e/with/key/abcdef', 'https://maker.ifttt.com/trigger/e/with/key/********'],
    [
      'https://acme.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d',
      'https://acme.webhook.office.com/webhookb2/********/********/********/********',
    ],
    ['https://n8n.example/webhook/018f0000-0000-7000-8000-000000000000', 'https://n8n.example/webhook/********'],
    ['https://chat.example/hooks/xk3m9q2b', 'https://chat.example/hooks/********'],
    ['https://api.example/v2/x%59Kq8Lm2Pz7Rt4Wv/send', 'https://api.example/v2/********/send'],
    ['https://api.example/a;jsessionid=1;token=abc/b', 'https://api.example/a;jsessionid=1;token=********/b'],
    ['https://api.example/?x=Zk8Lm2Pz7Rt4WvQ9sN', 'https://api.example/?x=********'],
    ['https://api.example/#Zk8Lm2Pz7Rt4WvQ9sN', 'https://api.example/#********'],
    [
      'https://hooks.slack.com/services/T0/B0/{{secret.HOOK}}',
      'https://hooks.slack.com/services/T0/B0/{{secret.HOOK}}',
    ],
    ['https://hooks.example.com/v2/orders', 'https://hooks.example.com/v2/orders'],
  ];
  for (const [url, shown] of cases) {
    assert.equal(maskUrl(url), shown);
    assert.equal(maskUrl(shown), shown);
    assert.equal(maskSecrets(`Post to ${url} when done`), `Post to ${shown} when done`);
  }
});

test('covers credentials in bodies and texts of any form', () => {
  const cases: [string, string][] = [
    ['{"q": {{q}}, "apiKey": "abc"}', '{"q": {{q}}, "apiKey": "********"}'],
    ['{"user":"u","auth":{"token":"abc"},"n":[1]}', '{"user":"u","auth":{"token":"********"},"n":[1]}'],
    ['<a><password>abc</password><b>c</b></a>', '<a><password>********</password><b>c</b></a>'],
    ['grant=x&client_secret=abc', 'grant=x&client_secret=********'],
    ['Server=db;User Id=u;Password=abc;', 'Server=db;User Id=u;Password=********;'],
    ['curl -H "Authorization: Bearer abc123def456"', 'curl -H "Authorization: Bearer ********"'],
    ['curl -H "X-Api-Key: abc123def456"', 'curl -H "X-Api-Key: ********"'],
    ['Use sk-proj-abcdefghijklmnop1 now', 'Use ******** now'],
    ['Use xoxb-1234567890-abc now', 'Use ******** now'],
    ['See https://ada:hunter22@host/x', 'See https://********@host/x'],
  ];
  for (const [text, shown] of cases) assert.equal(maskSecrets({ body: text }).body, shown);
});

test('leaves a credential out of an export and lists its place, but keeps lists, pairs and addresses in shape', () => {
  const given = {
    url: 'https://u:p@host/hooks/xk3m9q2b?token=a&page=2',
    headers: { a: 'x', b: '{{secret.B}}' },
    pairs: [{ name: 'token', value: 'x' }],
    cookies: ['x', 'y'],
    note: 'Send Zk8Lm2Pz7Rt4WvQ9sNd3 along',
    body: { properties: { password: 'x', name: 'n' }, code: 'x' },
  };
  const { value, places } = stripSecrets(given, ['at']);
  assert.deepEqual(value, {
    url: 'https://host/hooks/********?page=2',
    headers: { b: '{{secret.B}}' },
    pairs: [{ name: 'token', value: '' }],
    cookies: ['', ''],
    note: 'Send ******** along',
    body: { properties: { name: 'n' } },
  });
  const expected = [
    'url',
    'headers.a',
    'pairs.0.value',
    'cookies.0',
    'cookies.1',
    'note',
    'body.properties.password',
    'body.code',
  ];
  assert.deepEqual(
    places.map((path) => path.join('.')),
    expected.map((path) => `at.${path}`),
  );
});

test('keeps programs and names of inputs in an export of nodes, but not the credentials in them', () => {
  const node = {
    node_config: {
      code: "fetch('https://hooks.example/x/Zk8Lm2Pz7Rt4WvQ9')",
      key: 'city',
      id: 'Zk8Lm2Pz7Rt4WvQ9sNd3x',
    },
  };
  const { value, places } = stripSecrets(node, [], { programs: true });
  assert.deepEqual(value.node_config, { ...node.node_config, code: "fetch('https://hooks.example/x/********')" });
  assert.deepEqual(places, [['node_config', 'code']]);
});

test('keeps the structure of texts for people and models', () => {
  const doc = { type: 'doc', content: [{ token: 'a word' }] };
  assert.deepEqual(maskSecrets([{ text: 'x', definition: doc }], { prose: true }), [{ text: 'x', definition: doc }]);
  const action = {
    name: 'a',
    url: '/x',
    body: null,
    input_schema: { properties: { token: { type: 'string' }, headers: { type: 'object' } }, required: ['token'] },
    inputs_descriptions: { token: 'The token of the visitor' },
  };
  assert.deepEqual(stripSecrets(action), { value: action, places: [] });
});

test('looks through the worst texts in time that grows with their length', () => {
  const worst = [
    '-eyJ',
    'a.',
    'https://',
    '"a":"',
    '<a>',
    'x-',
    'Bearer ',
    'data:',
    'a=',
    '[',
    'aB3',
    '/a',
    '-----BEGIN ',
  ];
  const timeOf = (text: string) => {
    const start = process.cpuUsage();
    maskSecrets({ body: text, url: text, other: `https://h/${text}` });
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  for (const part of worst) assert.ok(timeOf(part.repeat(100_000 / part.length)) < 5000, part);
});

test('leaving secrets out twice leaves nothing more out', () => {
  const url = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string());
  fc.assert(
    fc.property(url, (text) => removeUrlCredentials(removeUrlCredentials(text)) === removeUrlCredentials(text)),
  );
});
