import assert from 'node:assert/strict';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import type { Answer } from '../../../test/support/test-app.ts';
import type { AppOptions } from '../../app.ts';
import type { Config } from '../../config.ts';

type Json = Answer['json'];
export type Call = [tool: string, input: object];

/** An app with a scripted model that calls the tools a test tells it to. */
export async function toolApp(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const app = await scriptedApp(changes, options);
  const { server, name } = await app.provider();

  const good = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await app.call(method, path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  /** Settings in which these base tools are on, with these fields. */
  const settings = (tools: Record<string, object> = {}, more: object = {}) => ({
    model: [`${name}/one`],
    pii_anonimization: [],
    // Calls of one step in their order, so that one can rest on the other.
    parallel_tool_calls: false,
    // What they do is looked at, not how long a busy machine takes to start a process for it.
    tool_timeout: 120,
    base_tools: Object.entries(tools).map(([type, fields]) => ({ type, enabled: true, ...fields })),
    ...more,
  });

  /** Names of the tools that the model was offered last. */
  const offered = (): string[] => {
    const tools = (server.last().body.tools ?? []) as { function: { name: string } }[];
    return tools.map((tool) => tool.function.name);
  };
  const described = (tool: string): string => {
    const tools = server.last().body.tools as { function: { name: string; description: string } }[];
    return tools.find((one) => one.function.name === tool)?.function.description ?? '';
  };

  /** Says something in a conversation; the model makes these calls. Answers what came of them, as the model reads it. */
  async function calling(id: string, calls: Call[], content = 'Do it', more: object = {}) {
    server.reply(
      { tool_calls: calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input })) },
      { text: 'Done' },
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

  /** A file of the workspace, for messages and settings to name. */
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
