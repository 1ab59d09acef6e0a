import assert from 'node:assert/strict';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import type { Answer } from '../../../test/support/test-app.ts';
import type { AppOptions } from '../../app.ts';
import type { Config } from '../../config.ts';

type Json = Answer['json'];
export type Call = [tool: string, input: object];

/** An app with a scripted model that makes the calls of a test. */
export async function toolApp(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const app = await scriptedApp(changes, options);
  const { server, name } = await app.provider();

  const good = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await app.call(method, path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  /** Settings with these base tools enabled. */
  const settings = (tools: Record<string, object> = {}, more: object = {}) => ({
    model: [`${name}/one`],
    pii_anonimization: [],
    // The calls of one step run in order, so that one can depend on another.
    parallel_tool_calls: false,
    // Long enough for a busy machine to start a process; the tests check results, not speed.
    tool_timeout: 120,
    base_tools: Object.entries(tools).map(([type, fields]) => ({ type, enabled: true, ...fields })),
    ...more,
  });

  /** The names of the tools that the model was offered last. */
  const offered = (): string[] => {
    const tools = (server.last().body.tools ?? []) as { function: { name: string } }[];
    return tools.map((tool) => tool.function.name);
  };
  const described = (tool: string): string => {
    const tools = server.last().body.tools as { function: { name: string; description: string } }[];
    return tools.find((one) => one.function.name === tool)?.function.description ?? '';
  };

  /** Sends a message for which the model makes these calls. Returns the results as the model reads them. */
  async function calling(id: string, calls: Call[], content = 'Do it', more: object = {}, text = 'Done') {
    server.reply(
      { tool_calls: calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input })) },
      { text },
    );
    const seen = await app.say(id, content, more);
    assert.deepEqual(seen.error, undefined);
    const results: Json[] = seen.events
      .filter((event): event is Extract<RunEvent, { type: 'tool-result' }> => event.type === 'tool-result')
      .map(({ output }) => output);
    return { ...seen, results };
  }

  const converse = (tools: Record<string, object> = {}, more: object = {}, query = '') =>
    app.converse(settings(tools, more), query);

  /** Uploads a file of the workspace, for messages and settings. */
  async function upload(filename: string, content: string): Promise<string> {
    const body = `--x\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n${content}\r\n--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await app.call('POST', '/v1/files', body, { headers });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.id;
  }

  /** The bytes of a file that was made. */
  async function bytesOf(file_id: string): Promise<Buffer> {
    const url = `/v1/files/${file_id}`;
    const answer = await app.app.server.inject({ method: 'GET', url, headers: { 'x-api-key': app.admin } });
    assert.equal(answer.statusCode, 200);
    return answer.rawPayload;
  }

  return {
    ...app,
    server,
    provider_name: name,
    good,
    settings,
    offered,
    described,
    calling,
    converse,
    upload,
    bytesOf,
  };
}
