import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';

/** The reference server of the protocol, which uses all features that a server can have. */
const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** Makes the program listen on a free port and print it; a port that is chosen beforehand may be taken by then. */
const saying = `import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  this.once('listening', () => process.send(this.address().port));
  return listen.apply(this, given);
};`;

async function started(mode: string): Promise<string> {
  const preload = `data:text/javascript,${encodeURIComponent(saying)}`;
  const child = spawn(process.execPath, ['--import', preload, program, mode], {
    ...{ env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  });
  after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(() => assert.fail('The server did not start'));
  const [port] = await Promise.race([once(child, 'message'), ended]);
  return `http://127.0.0.1:${port}`;
}

const dir = mkdtempSync(join(tmpdir(), 'atrium-mcp-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const mcp_config = join(dir, 'mcp.json');
writeFileSync(
  mcp_config,
  JSON.stringify({
    mcpServers: { everything: { command: process.execPath, args: [program, 'stdio'], workspaces: ['*'] } },
  }),
);
const app = await scriptedApp({ web_allow: ['127.0.0.1'], mcp_config });
const { server: model, name: account } = await app.provider();

const settings = { model: [`${account}/one`], pii_anonimization: [], parallel_tool_calls: false };

async function talk(server: object) {
  const calls = [
    { id: 'a', name: 'mcp_all_echo', input: { message: 'Hello there' } },
    { id: 'b', name: 'mcp_all_get-sum', input: { a: 2, b: 40 } },
    { id: 'c', name: 'mcp_all_get-structured-content', input: { location: 'New York' } },
    { id: 'd', name: 'mcp_all_get-tiny-image', input: {} },
    { id: 'e', name: 'mcp_all_trigger-long-running-operation', input: { duration: 0.2, steps: 2 } },
    { id: 'f', name: 'mcp_all_get-sum', input: { a: 'two', b: 40 } },
  ];
  const { json: agent } = await app.call('POST', '/v1/agents', {
    ...{ name: 'Explorer', definition: { ...settings, mcp_servers: [{ name: 'all', ...server }] } },
  });
  // A run waits for a server for a few seconds only, and on a busy machine a server may take longer to start.
  for (let look = 0; look < 30; look++) {
    model.reply({ text: 'Not yet' });
    await app.say(await app.converse({}, `?assistant_id=${agent.id}`));
    if (JSON.stringify(model.last().body.tools).includes('mcp_all_echo')) break;
  }
  model.reply({ tool_calls: calls }, { text: 'Done' });
  const { status, text } = await app.say(await app.converse({}, `?assistant_id=${agent.id}`));
  assert.deepEqual([status, text], ['completed', 'Done']);
  const messages = model.last().body.messages as { role: string; content: string }[];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

function check(told: string[]) {
  const [echo, sum, structured, image, long, misfit] = told as [string, string, string, string, string, string];
  assert.equal(echo, 'Echo: Hello there');
  assert.equal(sum, 'The sum of 2 and 40 is 42.');
  assert.equal(JSON.parse(structured).structured.conditions, 'Cloudy');
  assert.equal(JSON.parse(image).files[0].type, 'image/png');
  assert.match(long, /Long running operation completed/);
  assert.match(misfit, /does not fit the tool: a: should be number/);
}

test('mcp_servers: an agent uses the reference server over Streamable HTTP', async () => {
  check(await talk({ url: `${await started('streamableHttp')}/mcp` }));
});

test('uses the reference server over SSE, which older servers speak', async () => {
  check(await talk({ url: `${await started('sse')}/sse` }));
});

/** A run waits five seconds for a program to start, which may be too short on a busy machine; the next run has it. */
async function ready(url: string): Promise<void> {
  const own = { ...settings, mcp_servers: [{ name: 'all', url }] };
  await until('its tools are offered', async () => {
    model.reply({ text: 'Hi' });
    await app.ask(own);
    return JSON.stringify(model.last().body.tools).includes('mcp_all_echo');
  });
}

test('starts a server that is a program from the operator’s file only', async () => {
  await ready('operator:everything');
  check(await talk({ url: 'operator:everything' }));
  const refused = await app.call('POST', '/v1/agents', {
    ...{ name: 'x', definition: { mcp_servers: [{ name: 'x', command: 'sh', args: ['-c', 'id'] }] } },
  });
  assert.equal(refused.status, 422);
});
