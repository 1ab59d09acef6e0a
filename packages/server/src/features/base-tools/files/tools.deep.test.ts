import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { makeExtract } from '../../../drivers/extractors/extract.ts';
import { hasBubblewrap } from '../../../drivers/sandboxes/testing.ts';
import { toolApp } from '../testing.ts';

const app = await toolApp();
const extract = makeExtract();
const content =
  '# Report\n\nHerons **wade** in shallow water.\n\n- one\n- two\n\n| bird | legs |\n|---|---|\n| heron | 2 |\n';

async function* once(bytes: Uint8Array) {
  yield bytes;
}
/** The text of a made file, extracted like that of users' files. */
async function textOf(file: { id: string; name: string; type: string }): Promise<string> {
  const options = {
    filename: file.name,
    content_type: file.type,
    max_chars: 10_000,
    signal: AbortSignal.timeout(30_000),
  };
  return (await extract(once(await app.bytesOf(file.id)), options)).text;
}
const partOf = async (id: string, path: string) => strFromU8(unzipSync(await app.bytesOf(id))[path] as Uint8Array);
const makeDocument = (format: string, more: object = {}) =>
  ['files_make_document', { filename: 'report', format, content, ...more }] as [string, object];
const sheet = (...rows: unknown[][]) => [{ name: 'Birds', rows }];

test('files makes documents that are files of the workspace and parts of the reply', async () => {
  const id = await app.converse({ files: {} });
  const formats = ['text', 'html', 'docx', 'pdf'];
  const { results, parts, conversation, reply } = await app.calling(
    id,
    formats.map((format) => makeDocument(format)),
  );
  const files = results.map((result) => result.files[0]);
  assert.deepEqual(
    files.map(({ name, type }) => [name, type]),
    [
      ['report.txt', 'text/plain'],
      ['report.html', 'text/html'],
      ['report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      ['report.pdf', 'application/pdf'],
    ],
  );
  assert.equal((await app.bytesOf(files[0].id)).toString(), content);
  for (const file of files) assert.match(await textOf(file), /Herons.*wade.*in shallow water/s, file.name);
  for (const file of files.slice(1)) assert.match(await textOf(file), /heron\W+2/s, file.name);
  // The stored and the streamed reply have the files.
  assert.deepEqual(
    parts.flatMap((part) => (part.type === 'file' ? part.files.map(({ id: own }) => own) : [])),
    files.map((file) => file.id),
  );
  const shown = conversation.ui_messages.find((message: { id: string }) => message.id === reply.id).parts;
  const part = shown.find(
    ({ type, mediaType }: Record<string, string>) => type === 'file' && mediaType === 'application/pdf',
  );
  assert.equal(part.url, `store://${files[3].id}`);
  assert.partialDeepStrictEqual(part.providerMetadata.atrium, { filename: 'report.pdf', inline: true });
  const { items } = await app.good('GET', `/v1/conversations/${id}/files`);
  assert.deepEqual(
    items.map((one: { path: string; origin: string }) => [one.path, one.origin]),
    files.map(({ name }) => [name, 'made']),
  );
});

test('files makes tables as csv and xlsx', async () => {
  const id = await app.converse({ files: {} });
  const rows = sheet(['bird', 'legs'], ['grey, heron', 2], ['none', null]);
  const { results } = await app.calling(id, [
    ['files_make_table', { filename: 'birds.csv', format: 'csv', sheets: rows }],
    ['files_make_table', { filename: 'birds', format: 'xlsx', sheets: rows }],
    ['files_make_table', { filename: 'two', format: 'csv', sheets: [...rows, ...rows] }],
  ]);
  assert.equal(
    (await app.bytesOf(results[0].files[0].id)).toString(),
    '\uFEFFbird,legs\r\n"grey, heron",2\r\nnone,\r\n',
  );
  assert.match(await textOf(results[1].files[0]), /Birds.*grey, heron.*2/s);
  assert.match(results[2].error, /holds one sheet/);
});

test('files makes csv whose texts are no formulas to a spreadsheet', async () => {
  const id = await app.converse({ files: {} });
  const sheets = sheet(['name', 'balance'], ['=HYPERLINK(1)', -2], ['@sum', 3]);
  const { results } = await app.calling(id, [['files_make_table', { filename: 'a.csv', format: 'csv', sheets }]]);
  assert.equal(
    (await app.bytesOf(results[0].files[0].id)).toString(),
    "\uFEFFname,balance\r\n'=HYPERLINK(1),-2\r\n'@sum,3\r\n",
  );
});

test('show_inline says whether files are shown in the reply itself', async () => {
  const { results } = await app.calling(await app.converse({ files: { show_inline: false } }), [makeDocument('text')]);
  assert.equal(results[0].files[0].inline, false);
  const other = await app.calling(await app.converse({ files: {} }), [makeDocument('text')]);
  assert.equal(other.results[0].files[0].inline, true);
});

test('allow_html_graphs draws charts that run no script and reach nothing', async () => {
  const chart = {
    filename: 'c',
    kind: 'bar',
    title: 'Legs <&>',
    labels: ['a', 'b'],
    series: [{ name: 's', values: [1, -2] }],
  };
  const id = await app.converse({ files: {} });
  const { results } = await app.calling(id, [
    ['files_make_chart', chart],
    ['files_make_chart', { ...chart, filename: 'l', kind: 'line' }],
    ['files_make_chart', { ...chart, filename: 'p', kind: 'pie' }],
    ['files_make_chart', { ...chart, labels: ['a'] }],
    [
      'files_make_document',
      { filename: 'x', format: 'html', content: '<html><script>fetch("https://x.example")</script>hi</html>' },
    ],
  ]);
  assert.match(results[3].error, /as many values/);
  for (const result of [...results.slice(0, 3), results[4]]) {
    const [file] = result.files;
    assert.deepEqual([file.type, file.inline], ['text/html', true]);
    const page = (await app.bytesOf(file.id)).toString();
    assert.match(
      page,
      /^<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'/,
    );
    const view = await app.call('GET', `/v1/conversations/${id}/files/${file.id}`);
    const policy = String(view.headers['content-security-policy']);
    assert.match(policy, /^sandbox; default-src 'none'; style-src 'unsafe-inline'/);
    assert.doesNotMatch(policy, /script|connect|http/);
    assert.equal(view.text, page);
  }
  assert.match(
    (await app.bytesOf(results[0].files[0].id)).toString(),
    /<svg .*<title>s, b: -2<\/title>.*Legs &lt;&amp;&gt;|Legs &lt;&amp;&gt;.*<svg /s,
  );

  const off = await app.calling(await app.converse({ files: { allow_html_graphs: false } }), [makeDocument('html')]);
  assert.ok(!app.offered().includes('files_make_chart'));
  assert.equal(off.results[0].files[0].inline, false, 'a page is saved, not shown');
});

test('sends files to guests, and files of messages to all callers, as attachments', async () => {
  const id = await app.converse({ files: {} });
  const { results } = await app.calling(id, [makeDocument('html')]);
  const made = results[0].files[0].id;
  const { json: link } = await app.call('POST', `/v1/conversations/${id}/share`);
  const guest = `/v1/public/conversations/${link.public_access_token}/files`;
  const pages = [
    ['a.html', 'text/html', '<script>alert(1)</script>'],
    ['a.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a.txt', 'text/plain', 'words'],
  ] as const;
  const files = pages.map(([name, type, content]) => ({
    ...{ name, type, b64_content: Buffer.from(content).toString('base64') },
  }));
  await app.call('POST', `/v1/conversations/${id}`, { content: 'Look', files });
  const { json: kept } = await app.call('GET', `/v1/conversations/${id}/files`);
  const attached = kept.items.filter(({ origin }: { origin: string }) => origin === 'attached');
  assert.equal(attached.length, 3);
  const views = [
    ...[made, ...attached.map((file: { id: string }) => file.id)].map((file) => [`${guest}/${file}`, null] as const),
    ...attached.map((file: { id: string }) => [`/v1/conversations/${id}/files/${file.id}`, undefined] as const),
  ];
  for (const [path, key] of views) {
    const { status, headers } = await app.call('GET', path, undefined, key === null ? { key } : {});
    assert.equal(status, 200, path);
    assert.match(String(headers['content-disposition']), /^attachment; filename=/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/);
  }
  const own = await app.call('GET', `/v1/conversations/${id}/files/${made}`);
  assert.match(String(own.headers['content-disposition']), /^inline/, 'colleagues look at what their agent made');
});

test('custom_author_name writes author_name into the metadata of documents', async () => {
  const authors = async (fields: object) => {
    const id = await app.converse({ files: { experimental: true, ...fields } });
    const { results } = await app.calling(id, [
      makeDocument('docx'),
      makeDocument('pptx'),
      ['files_make_table', { filename: 't', format: 'xlsx', sheets: sheet(['a'], [1]) }],
      makeDocument('pdf'),
    ]);
    const office = [];
    for (const { files } of results.slice(0, 3))
      office.push(/<dc:creator>([^<]*)</.exec(await partOf(files[0].id, 'docProps/core.xml'))?.[1]);
    const pdf = (await app.bytesOf(results[3].files[0].id)).toString('latin1');
    const object = /\/Author (\d+) 0 R/.exec(pdf)?.[1];
    return [...office, new RegExp(`\\n${object} 0 obj\\n\\((.*?)\\)`).exec(pdf)?.[1]];
  };
  assert.deepEqual(await authors({ custom_author_name: true, author_name: 'Ada' }), ['Ada', 'Ada', 'Ada', 'Ada']);
  assert.deepEqual(await authors({ author_name: 'Ada' }), ['Atrium', 'Atrium', 'Atrium', 'Atrium']);
});

test('enable_formula_eval computes the formulas of a spreadsheet', async () => {
  const table = {
    filename: 's',
    format: 'xlsx',
    sheets: sheet(['a', 'b'], [2, 3], ['=SUM(A2:B2)', '=A3/0'], ['=CONCATENATE("x","&")', '=A4']),
  };
  const on = await app.calling(await app.converse({ files: { enable_formula_eval: true } }), [
    ['files_make_table', table],
  ]);
  assert.deepEqual(
    on.results[0].computed.map(({ cell, value }: { cell: string; value: unknown }) => [cell, value]),
    [
      ['A3', 5],
      ['B3', '#DIV/0!'],
      ['A4', 'x&'],
      ['B4', 'x&'],
    ],
  );
  const xml = await partOf(on.results[0].files[0].id, 'xl/worksheets/sheet1.xml');
  assert.match(xml, /<c r="A3"><f>SUM\(A2:B2\)<\/f><v>5<\/v><\/c>/);
  assert.match(xml, /<f>CONCATENATE\([^<]*<\/f><v>x&amp;<\/v>/);
  assert.match(await textOf(on.results[0].files[0]), /\b5\b/);

  const off = await app.calling(await app.converse({ files: {} }), [['files_make_table', table]]);
  assert.equal(off.results[0].computed, undefined);
  assert.match(
    await partOf(off.results[0].files[0].id, 'xl/worksheets/sheet1.xml'),
    /<c r="A3"><f>SUM\(A2:B2\)<\/f><\/c>/,
  );

  const endless = { ...table, sheets: sheet(['a'], ['=REPT("xxxxxxxx",10^12)']) };
  const slow = await app.calling(await app.converse({ files: { enable_formula_eval: true } }), [
    ['files_make_table', endless],
  ]);
  assert.match(slow.results[0].error, /can't be computed/);
});

test('experimental adds markdown, pptx and json', async () => {
  const { results } = await app.calling(await app.converse({ files: { experimental: true } }), [
    makeDocument('markdown'),
    makeDocument('pptx'),
    ['files_make_table', { filename: 'j', format: 'json', sheets: sheet(['bird', 'legs'], ['heron', 2]) }],
  ]);
  const [markdown, slides, json] = results.map(({ files }) => files[0]);
  assert.deepEqual([markdown.name, markdown.type], ['report.md', 'text/markdown']);
  assert.match(await textOf(slides), /Report.*Herons wade in shallow water/s);
  assert.deepEqual(JSON.parse((await app.bytesOf(json.id)).toString()), [{ bird: 'heron', legs: 2 }]);
  const { results: plain } = await app.calling(await app.converse({ files: {} }), [makeDocument('markdown')]);
  assert.match(plain[0].error, /does not fit the tool: format/);
});

test('a PDF reports a character that it can not show', async () => {
  const { results } = await app.calling(await app.converse({ files: {} }), [makeDocument('pdf', { content: '日本' })]);
  assert.match(results[0].error, /can't show the character 日/);
});

test('enable_python_sandbox makes files by code', { skip: !hasBubblewrap }, async () => {
  await app.calling(await app.converse({ files: {} }), [['clock_now', {}]]);
  assert.ok(!app.offered().includes('files_make_with_python'));
  const { results } = await app.calling(await app.converse({ files: { enable_python_sandbox: true } }), [
    ['files_make_with_python', { code: 'open("made.txt", "w").write("by code")' }],
  ]);
  assert.equal(results[0].exit_code, 0, results[0].stderr);
  assert.deepEqual(
    results[0].files.map(({ name }: { name: string }) => name),
    ['made.txt'],
  );
  assert.equal((await app.bytesOf(results[0].files[0].id)).toString(), 'by code');
});
