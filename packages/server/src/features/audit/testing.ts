import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';

/** Reads the audit log of a test server as its administrator. */
export function auditOf({ call, query }: Pick<TestApp, 'call' | 'query'>) {
  const entries = async (filters: Record<string, string> = {}, options = {}): Promise<Answer['json'][]> => {
    const answer = await call('GET', `/v1/admin/audit?${new URLSearchParams(filters)}`, undefined, options);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.items;
  };
  /** The only entry that a request has. */
  async function entryOf({ headers }: Answer): Promise<Answer['json']> {
    const found = (await entries()).filter(({ request_id }) => request_id === headers['x-request-id']);
    assert.equal(found.length, 1, `the request has ${found.length} entries`);
    return found[0];
  }
  /** Waits until the follower has linked everything. */
  const linked = () =>
    until('all rows are linked', async () => (await query('select 1 from audit_unlinked limit 1')).length === 0);
  const verify = async () => (await call('GET', '/v1/admin/audit/verify')).json;
  return { entries, entryOf, linked, verify };
}
