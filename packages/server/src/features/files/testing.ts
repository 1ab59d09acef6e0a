import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { type Answer, testApp } from '../../../test/support/test-app.ts';
import type { Config } from '../../config.ts';

interface Got {
  status: number;
  headers: Headers;
  bytes: Buffer;
  /** Undefined where the answer is not JSON. */
  json: Answer['json'];
}

/** The names of all files under a directory; one that is removed meanwhile has none. */
function filesUnder(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? filesUnder(join(path, entry.name)) : [entry.name],
    );
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

async function got(answer: Response): Promise<Got> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = bytes.length > 0 && answer.headers.get('content-type')?.startsWith('application/json;');
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

/** A program under test on a real socket, and a look at what it keeps on its disk. */
export async function fileServer(changes: Partial<Config> = {}) {
  const data_dir = mkdtempSync(join(tmpdir(), 'atrium-files-'));
  const testing = await testApp({ data_dir, ...changes });
  after(() => rmSync(data_dir, { recursive: true, force: true }));
  const address = await testing.app.server.listen({ host: '127.0.0.1', port: 0 });
  const place = await testing.workspace();
  const send = async (method: string, path: string, headers: Record<string, string> = {}, key = place.key) =>
    got(await fetch(`${address}${path}`, { method, headers: { 'x-api-key': key, ...headers } }));

  return {
    ...testing,
    data_dir,
    place,
    address,
    send,
    /** Uploads as a browser does. */
    async upload(content: Buffer | string, filename: string, { key = place.key, at = '/v1/files', headers = {} } = {}) {
      const form = new FormData();
      form.append('file', new Blob([content as string], { type: 'application/x-claimed' }), filename);
      const sent = { method: 'POST', body: form, headers: { 'x-api-key': key, ...headers } };
      return got(await fetch(`${address}${at}`, sent));
    },
    download: (id: string, headers: Record<string, string> = {}) => send('GET', `/v1/files/${id}`, headers),
    /** Every file that lies in the blob store, half-written ones too. */
    onDisk: (workspace_id = place.id) => filesUnder(join(data_dir, 'blobs', workspace_id)),
    /** A form of any length, sent as it is made; its connection can be cut. */
    stream(chunks: Iterable<Buffer> | AsyncIterable<Buffer>, headers: Record<string, string> = {}) {
      const sent = request(`${address}/v1/files`, {
        method: 'POST',
        headers: { 'x-api-key': place.key, 'content-type': 'multipart/form-data; boundary=B', ...headers },
      });
      const answer = new Promise<{ status: number; json: { id: string; size: number } }>((resolve, reject) => {
        sent.once('error', reject).once('response', async (response) => {
          const json = JSON.parse((await buffer(response)).toString());
          resolve({ status: response.statusCode ?? 0, json });
        });
      });
      Readable.from(chunks).pipe(sent);
      return { sent, answer };
    },
  };
}

export const formStart = Buffer.from('--B\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n');
export const formEnd = Buffer.from('\r\n--B--\r\n');
