import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { enginesHere, sandboxConfig } from '../../sandboxes/testing.ts';
import { toolApp } from '../testing.ts';

const run = (language: string, code: string) => ['code_execution_run', { language, code }] as [string, object];

suite('code in the best sandbox there is here', { skip: !enginesHere.includes('bubblewrap' as never) }, async () => {
  const app = await toolApp(sandboxConfig({ engine: 'bubblewrap' }));

  test('code_execution runs Python, JavaScript and Bash on the files of the conversation, and returns new files', async () => {
    const id = await app.converse({ code_execution: {} });
    const file = await app.upload('birds.csv', 'heron,2\n');
    const { results, parts, conversation } = await app.calling(
      id,
      [
        run('python', 'text = open("birds.csv").read()\nprint(text.strip())\nopen("out.txt", "w").write(text.upper())'),
        run('javascript', 'console.log(6 * 7)'),
        run('bash', 'cat out.txt; mkdir -p charts; printf "<svg/>" > charts/a.svg; exit 3'),
      ],
      'Run',
      { files: [{ id: file }] },
    );
    const [python, javascript, bash] = results;
    assert.deepEqual([python.exit_code, python.stdout, python.inputs], [0, 'heron,2\n', ['birds.csv']]);
    assert.deepEqual(
      python.files.map(({ name, type }: Record<string, string>) => [name, type]),
      [['out.txt', 'text/plain']],
    );
    assert.equal((await app.bytesOf(python.files[0].id)).toString(), 'HERON,2\n');
    assert.deepEqual([javascript.stdout, javascript.files], ['42\n', []]);
    assert.deepEqual([bash.exit_code, bash.stdout], [3, 'HERON,2\n']);
    assert.deepEqual(
      bash.files.map(({ name }: Record<string, string>) => name),
      ['a.svg'],
    );
    assert.equal(parts.filter((part) => part.type === 'file').length, 2);
    assert.equal(
      conversation.ui_messages.at(-1).parts.filter(({ type }: { type: string }) => type === 'file').length,
      2,
    );
    const rows = await app.query('select sandbox_id from conversation_sandboxes where conversation_id = $1', [id]);
    assert.equal(rows.length, 1, 'one sandbox for all calls');

    // A sandbox that was deleted meanwhile is made again.
    await app.good('DELETE', `/v1/sandboxes/${rows[0].sandbox_id}`);
    const again = await app.calling(id, [run('bash', 'cat birds.csv')]);
    assert.equal(again.results[0].stdout, 'heron,2\n');
  });

  test('timeout of code_execution ends code that takes too long', async () => {
    const began = Date.now();
    const { results } = await app.calling(await app.converse({ code_execution: { timeout: 3 } }), [
      run('bash', 'echo begun; sleep 30'),
    ]);
    assert.deepEqual([results[0].reason, results[0].stdout], ['timeout', 'begun\n']);
    assert.ok(Date.now() - began < 28_000, 'before it ends by itself');
    assert.match(app.described('code_execution_run'), /for up to 3 s/);
  });

  test('does not offer code_execution when it is not enabled', async () => {
    await app.calling(await app.converse(), [['clock_now', {}]]);
    assert.ok(!app.offered().includes('code_execution_run'));
  });
});

test('timeout of code_execution lets code run longer than tool_timeout', async () => {
  const app = await toolApp(sandboxConfig({ engine: 'just-bash' }));
  const slow = [run('bash', 'sleep 1.5; echo done')];
  const { results } = await app.calling(
    await app.converse({ code_execution: { timeout: 10 } }, { tool_timeout: 1 }),
    slow,
  );
  assert.equal(results[0].stdout, 'done\n', JSON.stringify(results));
});

test('code_execution works in an emulated shell and says what it can not run', async () => {
  const app = await toolApp(sandboxConfig({ engine: 'just-bash' }));
  const { results } = await app.calling(await app.converse({ code_execution: {} }), [
    run('bash', 'echo hello | tr a-z A-Z; echo kept > made.txt'),
    run('python', 'print(1)'),
  ]);
  assert.equal(results[0].stdout, 'HELLO\n', JSON.stringify(results));
  assert.equal((await app.bytesOf(results[0].files[0].id)).toString(), 'kept\n');
  assert.ok(results[1].stdout === '1\n' || /not python/.test(results[1].error));
});

test('an entry of type sandbox gives the agent a sandbox: files, commands with include_execute, kept when persistent', async () => {
  const app = await toolApp(sandboxConfig({ engine: 'just-bash' }));
  const tools = [{ type: 'sandbox', persistent: true, extra_instructions: [{ text: 'Only for birds' }] }];
  const id = await app.converse({}, { tools });
  const file = await app.upload('birds.csv', 'heron,2\n');
  const { results, parts } = await app.calling(
    id,
    [
      ['sandbox_list_files', {}],
      ['sandbox_write_file', { path: 'notes/a.txt', content: 'one\ntwo\n' }],
      ['sandbox_write_file', { path: 'birds.csv', content: 'heron,3 and more\n' }],
      ['sandbox_execute', { language: 'bash', code: 'cat birds.csv; wc -l < notes/a.txt; echo made > made.txt' }],
      ['sandbox_write_file', { path: 'made.txt', content: 'changed since\n' }],
      ['sandbox_read_file', { path: 'notes/a.txt', offset: 4 }],
      ['sandbox_read_file', { path: 'made.txt' }],
      ['sandbox_delete_file', { path: 'birds.csv' }],
      ['sandbox_list_files', {}],
      ['sandbox_read_file', { path: '../../etc/passwd' }],
      ['sandbox_read_file', { path: 'birds.csv' }],
    ],
    'Work',
    { files: [{ id: file }] },
  );
  const paths = ({ files }: { files: { path: string }[] }) => files.map(({ path }) => path).sort();
  const [first, , , ran, , read, changed, , last, outside, gone] = results;
  assert.deepEqual(paths(first), ['birds.csv']);
  assert.match(app.described('sandbox_execute'), /Only for birds/);
  assert.match(ran.stdout, /^heron,3 and more\n\s*2\n$/);
  assert.deepEqual([read.content, read.total_chars, read.next_offset], ['two\n', 8, null]);
  // Files are copied once, so the next call does not undo changes.
  assert.equal(changed.content, 'changed since\n');
  assert.deepEqual(paths(last), ['made.txt', 'notes']);
  assert.ok(outside.error && gone.error, JSON.stringify([outside, gone]));
  assert.equal(parts.filter((part) => part.type === 'file').length, 1, 'what a command made is shown');
  const [{ sandbox_id }] = (await app.query(
    'select sandbox_id from conversation_sandboxes where conversation_id = $1',
    [id],
  )) as [{ sandbox_id: string }];
  assert.equal((await app.good('GET', `/v1/sandboxes/${sandbox_id}`)).persistent, true);
  const owned = await app.query('select conversation_id from sandboxes where id = $1', [sandbox_id]);
  assert.equal(owned[0].conversation_id, id);

  const files = await app.converse({}, { tools: [{ type: 'sandbox', include_execute: false }] });
  await app.calling(files, [['sandbox_list_files', {}]]);
  assert.deepEqual(
    app.offered().filter((name) => name.startsWith('sandbox_')),
    ['sandbox_list_files', 'sandbox_read_file', 'sandbox_write_file', 'sandbox_delete_file'],
  );
  await app.calling(await app.converse({}, { tools: [{ type: 'sandbox', enabled: false }] }), [['clock_now', {}]]);
  assert.ok(!app.offered().some((name) => name.startsWith('sandbox_')));
  const odd = await app.call('POST', '/v1/conversations', {
    settings: { tools: [{ type: 'sandbox', persistent: 'x' }] },
  });
  assert.deepEqual([odd.status, odd.json.detail[0].loc.at(-1)], [422, 'persistent']);
});
