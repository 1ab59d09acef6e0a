import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { McpOffers, OfferedResult } from '../src/features/mcp-server/offers.ts';
import { scriptedApp } from '../test/scripted-app.ts';

/** The protocol's own suite, version by version as the lockfile pins it. */
const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const document = join(import.meta.dirname, '../../docs/mcp-conformance.md');

/** What the suite asks for that we do not offer, and why not. Whatever is not here must pass. */
const notOffered = 'needs a tool of the suite’s own (`test_…`); our tools are the agents of a workspace';
const expected: Record<string, string> = {
  'logging-set-level': 'no logging: what happens in a run is in its log, which clients read by HTTP',
  'completion-complete': 'no completion of arguments',
  'tools-call-image': notOffered,
  'tools-call-audio': notOffered,
  'tools-call-embedded-resource': notOffered,
  'tools-call-mixed-content': notOffered,
  'tools-call-with-logging': notOffered,
  'tools-call-sampling': 'agents have models of their own; clients are asked for none',
  'tools-call-elicitation': 'a run that needs a person waits for one; clients are asked nothing',
  'json-schema-2020-12': notOffered,
  'elicitation-sep1034-defaults': 'no questions to clients',
  'elicitation-sep1330-enums': 'no questions to clients',
  'resources-list': 'no resources',
  'resources-read-text': 'no resources',
  'resources-read-binary': 'no resources',
  'resources-templates-read': 'no resources',
  'resources-subscribe': 'no resources',
  'resources-unsubscribe': 'no resources',
  'prompts-list': 'no prompts',
  'prompts-get-simple': 'no prompts',
  'prompts-get-with-args': 'no prompts',
  'prompts-get-embedded-resource': 'no prompts',
  'prompts-get-with-image': 'no prompts',
};

/** Three of the suite's own tools, offered through the plug that agents and workflows are offered through. */
const answers: Record<string, OfferedResult> = {
  test_simple_text: { text: 'This is a simple text response for testing.', structured: {}, is_error: false },
  test_error_handling: { text: 'This tool intentionally returns an error', structured: {}, is_error: true },
  test_tool_with_progress: { text: 'Done', structured: {}, is_error: false },
};
const ofSuite: McpOffers = {
  list: async () =>
    Object.keys(answers).map((name) => ({
      ...{ name, title: name, description: 'A tool of the suite', input_schema: { type: 'object' } },
      output_schema: { type: 'object' },
    })),
  async call(_, name, __, { progress }) {
    for (const step of ['one', 'two', 'three']) if (name === 'test_tool_with_progress') progress(step);
    return answers[name];
  },
};
const app = await scriptedApp({}, { mcpOffers: [ofSuite] });
await app.call('POST', '/v1/agents', { name: 'Conformance', description: 'Answers' });
await app.app.server.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.app.server.server.address() as AddressInfo;

/** The suite knows no keys, so one is put in on the way; everything else passes as it came. */
const proxy = createServer((request, response) => {
  const headers = { ...request.headers, 'x-api-key': app.admin };
  const onward = httpRequest(
    { host: '127.0.0.1', port, path: request.url, method: request.method, headers },
    (from) => {
      response.writeHead(from.statusCode ?? 500, from.headers);
      from.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
after(() => {
  proxy.closeAllConnections();
  proxy.close();
});
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;

const run = promisify(execFile);
const cli = async (...args: string[]) => {
  try {
    const { stdout } = await run(process.execPath, [suite, ...args], { timeout: 60_000 });
    return { passed: true, said: stdout };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { passed: false, said: `${stdout}${stderr}` };
  }
};

test('what /mcp offers conforms to the protocol, by its own suite', { timeout: 600_000 }, async () => {
  const { said: listed } = await cli('list');
  const names = [...(listed.split('Client scenarios')[0] ?? '').matchAll(/^ {2}- (\S+)/gm)].map(
    ([, name]) => name as string,
  );
  assert.ok(names.length > 20, listed);
  const rows: [name: string, passed: boolean, why: string][] = [];
  for (const name of names) {
    const { passed, said } = await cli('server', '--url', url, '--scenario', name);
    if (!passed && !expected[name]) console.error(said);
    rows.push([name, passed, expected[name] ?? '']);
  }
  const table = rows.map(([name, passed, why]) => `| ${name} | ${passed ? 'pass' : 'fail'} | ${passed ? '' : why} |\n`);
  const passed = rows.filter(([, ok]) => ok).length;
  const { default: about } = await import('@modelcontextprotocol/conformance/package.json', { with: { type: 'json' } });
  writeFileSync(
    document,
    `# Conformance of /mcp

Written by \`npm run mcp:conformance\`, which runs the protocol's own suite (\`@modelcontextprotocol/conformance\`
${about.version}) against a fresh server, offline. The suite sends no key, so a proxy in the test puts one in; and it
calls tools of its own, of which the test offers the three that give text, an error and progress. ${passed} of
${rows.length} scenarios pass; the others ask for what /mcp does not offer: it has tools that answer
in text and data, and nothing else. \`server-sse-polling\` passes because streams that are not resumed are allowed.

| scenario | result | why not |
|---|---|---|
${table.join('')}`,
  );
  const wrong = rows.filter(([, ok, why]) => !ok && !why).map(([name]) => name);
  assert.deepEqual(wrong, [], 'these should pass');
});
