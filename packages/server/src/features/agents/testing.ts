import assert from 'node:assert/strict';
import { type Answer, testApp } from '../../../test/support/test-app.ts';

/** An app with a workspace of its own, called with a key that holds every permission of it except org:admin. */
export async function agentApp() {
  const app = await testApp();
  const { id: workspace_id, key } = await app.workspace();
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.call(method, path, body, { key, headers });
  /** The same place, as org:admin. */
  const admin = (method: string, path: string, body?: unknown) =>
    app.call(method, path, body, { headers: { 'x-workspace-id': workspace_id } });
  const good = (answer: Answer) => {
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const make = async (fields: object = {}) => good(await call('POST', '/v1/agents', { name: 'agent', ...fields }));
  const get = async (id: string) => good(await call('GET', `/v1/agents/${id}`));
  const upload = async (filename: string, as = key) => {
    const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\ntext\r\n--b--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    return good(await app.call('POST', '/v1/files', form, { key: as, headers })).id as string;
  };
  return { ...app, app, workspace_id, key, call, admin, good, make, get, upload };
}

/** The paths and types of all validation errors of a 422. */
export function validationErrorsOf({ status, json, text }: Answer): string[] {
  assert.equal(status, 422, text);
  return json.detail.map(
    (validationError: { loc: string[]; type: string }) => `${validationError.loc.join('.')}: ${validationError.type}`,
  );
}
