import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { chatApp } from './chat-app.ts';

/** A knowledge base with these documents, trained. */
export async function fillBase(
  { call }: Pick<Awaited<ReturnType<typeof chatApp>>, 'call'>,
  name: string,
  files: Record<string, string>,
  settings_: object = {},
) {
  const made = await call('POST', '/v1/knowledge-bases', { name, settings_ });
  assert.equal(made.status, 200, made.text);
  const path = `/v1/knowledge-bases/${made.json.id}`;
  const parts = Object.entries(files).map(
    ([file, content]) =>
      `--B\r\ncontent-disposition: form-data; name="files"; filename="${file}"\r\n\r\n${content}\r\n`,
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const sent = await call('POST', `${path}/upload_train?prefix=%2F`, Buffer.from(`${parts.join('')}--B--\r\n`), {
    headers,
  });
  assert.equal(sent.status, 200, sent.text);
  for (let attempt = 0; attempt < 400; attempt++) {
    const { json } = await call('GET', path);
    if (json.training_documents === 0) return made.json.id as string;
    await sleep(50);
  }
  assert.fail('the documents were not trained in time');
}
