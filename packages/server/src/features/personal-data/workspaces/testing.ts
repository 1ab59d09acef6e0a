import assert from 'node:assert/strict';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { testApp } from '../../../../test/support/test-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';

export interface Named {
  id: string;
  name?: string;
  filename?: string;
}

export const inWorkspace = (id: string) => ({ headers: { 'x-workspace-id': id } });

/** A form with one file, as a body and its options. */
export function form(bytes: Uint8Array, headers: Record<string, string> = {}, { field = 'file', filename = 'a' } = {}) {
  const head = `--B\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--B--\r\n')]);
  return [body, { headers: { ...headers, 'content-type': 'multipart/form-data; boundary=B' } }] as const;
}

/** An archive of which one entry is changed. */
export function edited(bytes: Uint8Array, name: string, edit: (text: string) => string) {
  const entries = { ...unzipSync(bytes) };
  entries[name] = strToU8(edit(strFromU8(entries[name] as Uint8Array)));
  return zipSync(entries);
}

const idsIn = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
/** An answer with names in place of ids and without times. */
export const shown = (value: unknown, names: ReadonlyMap<string, string>) =>
  JSON.parse(
    JSON.stringify(value, (key, part) => (/_at$|^etag$/.test(key) ? undefined : part)).replace(
      idsIn,
      (id) => names.get(id) ?? id,
    ),
  );
export const namesOf = (group_id: string, ...lists: Named[][]) =>
  new Map([[group_id, 'here'], ...lists.flat().map(({ id, name, filename }) => [id, `${name ?? filename}`] as const)]);

/** The program with exports and imports of workspaces at hand. */
export async function archivesApp(...changes: Parameters<typeof testApp>) {
  const app = await testApp({ roles: ['http', 'worker'], ...changes[0] }, changes[1]);
  const { call } = app;

  const good = async (...asked: Parameters<typeof call>) => {
    const answer = await call(...asked);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  async function ended(id: string, options = {}) {
    const get = () => good('GET', `/v1/data-jobs/${id}`, undefined, options);
    await until('the job has ended', async () => (await get()).ended_at);
    return get();
  }
  const send = (bytes: Uint8Array) => call('POST', '/v1/admin/groups/import', ...form(bytes));

  async function exported(group_id: string) {
    const started = await good('POST', `/v1/admin/groups/${group_id}/export`);
    const done = await ended(started.id);
    assert.deepEqual([done.status, done.error, done.group_id], ['done', null, group_id]);
    const answer = await app.app.server.inject({
      url: `/v1/data-jobs/${started.id}/file`,
      headers: { 'x-api-key': app.admin },
    });
    assert.equal(answer.statusCode, 200);
    return { job: done, bytes: new Uint8Array(answer.rawPayload) };
  }

  async function imported(bytes: Uint8Array) {
    const started = await send(bytes);
    assert.equal(started.status, 200, started.text);
    return ended(started.json.id);
  }

  /** A new workspace, with a shorthand to make and read things there. */
  async function workspace(name: string) {
    const { id } = await good('POST', '/v1/admin/groups', { name });
    return { id: id as string, ...within(id) };
  }
  const within = (id: string) => ({
    make: (path: string, body: unknown) => good('POST', path, body, inWorkspace(id)),
    get: (path: string) => good('GET', path, undefined, inWorkspace(id)),
    put: (path: string, body: unknown) => good('PUT', path, body, inWorkspace(id)),
    patch: (path: string, body: unknown) => good('PATCH', path, body, inWorkspace(id)),
  });
  return { ...app, good, ended, send, exported, imported, workspace, within };
}
