import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import type { ExposedToolPart, ExposedToolResult, ExposedTools } from '../../src/features/mcp-server/ports.ts';
import { scriptedApp } from '../../test/support/scripted-app.ts';

/** The protocol's own suite, version by version as the lockfile pins it. */
const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const document = join(import.meta.dirname, '../../../../docs/mcp-conformance.md');

/** Reasons why the server does not support some scenarios. Every scenario that is not in `expected` must pass. */
const noQuestions =
  'clients are asked nothing: a run that needs a person waits for one, who answers in the console or by HTTP';
const noResources = 'no resources: files are had by HTTP, and those that an agent makes come with its result';
const noPrompts = 'no prompts: what an agent is told is its own, and clients ask it in their words';
const expected: Record<string, string> = {
  'completion-complete': 'completes arguments of prompts and resources, of which there are none',
  'tools-call-sampling': 'agents have models of their own; clients are asked for none',
  'tools-call-elicitation': noQuestions,
  'elicitation-sep1034-defaults': noQuestions,
  'elicitation-sep1330-enums': noQuestions,
  'resources-list': noResources,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'resources-subscribe': noResources,
  'resources-unsubscribe': noResources,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
};

/** Tools of the suite's own, offered through the plug that agents and workflows are offered through. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const image: ExposedToolPart = { type: 'image', data: png, mimeType: 'image/png' };
const resource: ExposedToolPart = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
};
const said = (text: string, ...parts: ExposedToolPart[]): ExposedToolResult => ({
  text,
  structured: {},
  is_error: false,
  parts,
});
const answers: Record<string, ExposedToolResult> = {
  test_simple_text: said('This is a simple text response for testing.'),
  test_error_handling: { ...said('This tool intentionally returns an error'), is_error: true },
  test_tool_with_progress: said('Done'),
  test_tool_with_logging: said('Done'),
  test_image_content: said('', image),
  test_audio_content: said('', { type: 'audio', data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEA', mimeType: 'audio/wav' }),
  test_embedded_resource: said('', resource),
  test_multiple_content_types: said('Multiple content types test:', image, resource),
  json_schema_2020_12_tool: said('Done'),
};
const plain = { type: 'object' };
const schemas: Record<string, JsonSchema> = {
  json_schema_2020_12_tool: {
    ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', additionalProperties: false },
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  },
};
const ofSuite: ExposedTools = {
  list: async () =>
    Object.keys(answers).map((name) => ({
      ...{ name, title: name, description: 'A tool of the suite', input_schema: schemas[name] ?? plain },
      output_schema: plain,
    })),
  async call(_, name, __, { tell }) {
    const told = ['test_tool_with_progress', 'test_tool_with_logging'].includes(name);
    for (const [index, step] of ['one', 'two', 'three'].entries()) if (told) tell(step, index + 1);
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
calls tools of its own, which the test offers through the plug by which agents and workflows are offered. ${passed} of
${rows.length} scenarios pass: all that concern tools, their results, progress, errors, the log, streams, ping and pages of other
sites. The others ask for what /mcp does not offer.

| scenario | result | why not |
|---|---|---|
${table.join('')}`,
  );
  const wrong = rows.filter(([, ok, why]) => !ok && !why).map(([name]) => name);
  assert.deepEqual(wrong, [], 'these should pass');
});
