import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { configFields } from '../src/config.ts';
import { testApp } from './support/test-app.ts';

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');
const files = ['Dockerfile', 'compose.yaml', 'kubernetes/atrium.yaml', 'atrium.service'];
const monitoring = ['monitoring/grafana-dashboard.json', 'monitoring/alerts.yaml'];

for (const name of files)
  test(`deploy/${name} sets only variables that the program reads`, () => {
    const known = new Set(configFields.map((field) => field.name));
    const named = read(name).match(/\b(ATRIUM_[A-Z_]+|DATABASE_URL)\b/g) ?? [];
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((variable) => !known.has(variable)),
      [],
    );
  });

for (const name of [...files, ...monitoring].filter((file) => file.endsWith('.yaml')))
  test(`deploy/${name} is YAML without errors`, () => {
    const documents = parseAllDocuments(read(name), { merge: true });
    assert.ok(Array.isArray(documents) && documents.length > 0);
    for (const document of documents) assert.deepEqual([document.errors, document.warnings], [[], []]);
  });

test('dashboards and alerts name only metrics that a node has', async () => {
  const { app } = await testApp();
  const page = (await app.server.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).payload;
  const known = new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, metric]) => metric));
  for (const name of monitoring) {
    const named = new Set(read(name).match(/\b(atrium|nodejs|process)_\w+(?=[{[ )"\n])/g) ?? []);
    assert.ok(named.size > 3, name);
    const unknown = [...named].filter((metric) => !known.has(metric.replace(/_(count|sum|bucket)$/, '')));
    assert.deepEqual(unknown, [], name);
  }
  assert.match(page, /^atrium_database_ready 1$/m);
  assert.match(page, /^atrium_notifications_listening 1$/m);
});

test('the dashboard is JSON with a query in every panel', () => {
  const { panels } = JSON.parse(read('monitoring/grafana-dashboard.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  assert.ok(panels.length > 8);
  for (const { targets } of panels) assert.ok(targets.every(({ expr }) => expr.length > 0));
});
