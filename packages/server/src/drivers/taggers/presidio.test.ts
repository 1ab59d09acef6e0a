import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { makePresidioTagger } from './presidio.ts';

/** A service that finds Anna and counts like Python: in code points, not in UTF-16 units. */
async function service(answer: (text: string) => { status: number; body: unknown }) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    asked.push({ path: request.url, ...(JSON.parse(body) as object) });
    const { status, body: told } = answer((JSON.parse(body) as { text: string }).text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close: () => server.close() };
}

const finds = (text: string) => {
  const start = [...text].join('\0').split('\0').indexOf('A');
  const body = [
    { entity_type: 'PERSON', start, end: start + 4, score: 1 },
    { entity_type: 'US_SSN', start: 0, end: 2, score: 1 },
  ];
  return { status: 200, body };
};

test('converts offsets in code points to UTF-16 units', async () => {
  const { url, asked, close } = await service(finds);
  try {
    const tagger = makePresidioTagger({ url });
    for (const text of ['Hi Anna!', '😀🎉 Anna 👍', '𝔸 é Anna']) {
      const spans = await tagger.tag(text);
      assert.deepEqual(
        spans.map(({ entity, start, end, score }) => [entity, text.slice(start, end), score]),
        [['PERSON', 'Anna', 0.89]],
      );
    }
    assert.deepEqual(asked[0], {
      path: '/analyze',
      text: 'Hi Anna!',
      language: 'en',
      entities: ['PERSON', 'LOCATION', 'NRP'],
    });
  } finally {
    close();
  }
});

test('fails when the service fails or sends an invalid answer', async () => {
  const answers = [
    { status: 500, body: {} },
    { status: 200, body: { spans: [] } },
    { status: 200, body: [{ entity_type: 'PERSON', start: -1, end: 2, score: 1 }] },
  ];
  for (const answer of answers) {
    const { url, close } = await service(() => answer);
    try {
      await assert.rejects(makePresidioTagger({ url }).tag('Anna'));
    } finally {
      close();
    }
  }
  await assert.rejects(makePresidioTagger({ url: 'http://127.0.0.1:9' }).tag('Anna'));
});
