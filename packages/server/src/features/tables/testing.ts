import assert from 'node:assert/strict';
import { type Answer, type CallOptions, testApp } from '../../../test/support/test-app.ts';
import type { AppOptions } from '../../app.ts';
import type { Config } from '../../config.ts';

/** A multipart body with one file. */
export function form(filename: string, content: string | Buffer) {
  const head = `--b\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--b--\r\n')]),
  };
}

/** The program with tables at hand. Everything is done in a workspace of its own unless a key is given. */
export async function tablesApp(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const app = await testApp(changes, options);
  const home = await app.workspace();

  const call = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    app.call(method, path, body, { key: home.key, ...options });

  function good({ status, json, text }: Answer) {
    assert.equal(status, 200, text);
    return json;
  }
  /** `location: type` of each validation error. */
  function validationErrors({ status, json, text }: Answer): string[] {
    assert.equal(status, 422, text);
    return json.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')}: ${type}`);
  }

  const make = async (columns: object[] = [], more: object = {}) =>
    good(await call('POST', '/v1/tables', { name: 'Things', columns, ...more }));
  const insert = async (id: string, rows: object | object[]) => good(await call('POST', `/v1/tables/${id}/rows`, rows));
  const rowsOf = async (id: string, query: Record<string, unknown> = {}) => {
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query))
      search.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
    return good(await call('GET', `/v1/tables/${id}/rows?${search}`));
  };
  const ask = (sql: string, more: object = {}, options: CallOptions = {}) =>
    call('POST', '/v1/tables/query', { sql, ...more }, options);
  const upload = (path: string, filename: string, content: string | Buffer) => {
    const { body, headers } = form(filename, content);
    return call('POST', path, body, { headers });
  };
  return { ...app, app, home, call, good, validationErrors, make, insert, rowsOf, ask, upload };
}
