import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import writeXlsxFile from 'write-excel-file/node';
import { tablesApp } from '../testing.ts';

// A place of its own: programs of other tests import files too, and what they put on the disk is not ours to count.
const dir = mkdtempSync(join(tmpdir(), 'atrium-exchange-'));
process.env['TMPDIR'] = dir;
const { call, good, validationErrors, make, insert, rowsOf, upload } = await tablesApp();
after(() => rmSync(dir, { recursive: true, force: true }));
const spools = () => readdirSync(tmpdir()).filter((name) => name.startsWith('atrium-import-')).length;
const typesOf = ({ columns_created }: { columns_created: { name: string; type: string }[] }) =>
  Object.fromEntries(columns_created.map(({ name, type }) => [name, type]));

test('a CSV file becomes a table, whose types are guessed from all of its cells', async () => {
  const text = [
    'Order Date;Qty;Price;Paid;Zip;When;Note;Key;Empty;select',
    '2024-01-31;1;1.5;yes;00501;2024-01-31T10:00:00Z;"a; ""b""\nc";018f0000-0000-7000-8000-000000000000;;x',
    '2024-02-29;-2;3;no;10001;2024-02-29 10:00;ü;018f0000-0000-7000-8000-000000000001;;y',
    '',
  ].join('\r\n');
  const report = good(await upload('/v1/tables/import', 'Orders 2024.csv', `\ufeff${text}`));
  assert.deepEqual(typesOf(report), {
    order_date: 'date',
    qty: 'integer',
    price: 'number',
    paid: 'boolean',
    zip: 'text',
    when_value: 'datetime',
    note: 'text',
    key: 'uuid',
    empty: 'text',
    select_value: 'text',
  });
  assert.deepEqual([report.lines, report.inserted, report.skipped, report.errors], [2, 2, 0, []]);
  const table = good(await call('GET', `/v1/tables/${report.table_id}`));
  assert.deepEqual([table.name, table.sql_name, table.columns[0].label], ['Orders 2024', 'orders_2024', 'Order Date']);
  const [first] = (await rowsOf(report.table_id)).items;
  assert.deepEqual([first.qty, first.price, first.paid, first.zip, first.note], [1, 1.5, true, '00501', 'a; "b"\nc']);
  assert.equal(spools(), 0);
});

test('a workbook becomes a table', async () => {
  const rows = [
    ['Name', 'Born', 'Score', 'Alive'],
    ['Ada', new Date('1815-12-10T00:00:00Z'), 9.5, false],
    ['Grace', new Date('1906-12-09T00:00:00Z'), 10, true],
  ];
  const data = rows.map((row) =>
    row.map((value) => ({ value, ...(value instanceof Date && { format: 'yyyy-mm-dd' }) })),
  );
  const file = await writeXlsxFile(data as never).toBuffer();
  const report = good(await upload('/v1/tables/import?name=People', 'people.xlsx', file));
  assert.deepEqual(typesOf(report), { name: 'text', born: 'date', score: 'number', alive: 'boolean' });
  const { items } = await rowsOf(report.table_id, { sort: 'name' });
  assert.deepEqual(
    items.map(({ id: _, ...row }: Record<string, unknown>) => row),
    [
      { name: 'Ada', born: '1815-12-10', score: 9.5, alive: false },
      { name: 'Grace', born: '1906-12-09', score: 10, alive: true },
    ],
  );
  assert.deepEqual(
    validationErrors(await upload('/v1/tables/import', 'x.xlsx', Buffer.from('PK\x03\x04 no workbook'))),
    ['body.file: value_error'],
  );
});

test('reports each invalid line and stops the import, or skips invalid lines on request', async () => {
  const people = await make([{ name: 'name' }], { id_type: 'autoincrement' });
  await insert(people.id, { name: 'Ada' });
  const { id } = await make([
    { name: 'qty', type: 'integer', label: 'Quantity' },
    { name: 'person', type: 'reference', references: people.id },
  ]);
  const text = 'Quantity,person\n1,1\ntwo,1\n3,99\n4,,extra\n5,\n';
  const path = `/v1/tables/${id}/import`;
  const refused = await upload(path, 'a.csv', text);
  assert.deepEqual(validationErrors(refused).sort(), [
    'body.file.3.qty: int_parsing',
    'body.file.4.person: value_error',
    'body.file.5: value_error',
  ]);
  assert.equal((await rowsOf(id, { total: true })).total, 0);
  const dry = good(await upload(`${path}?dry_run=true`, 'a.csv', text));
  assert.deepEqual([dry.inserted, dry.skipped, dry.dry_run, dry.errors.length], [2, 3, true, 3]);
  assert.equal((await rowsOf(id, { total: true })).total, 0);
  const report = good(await upload(`${path}?on_error=skip`, 'a.csv', text));
  assert.deepEqual([report.lines, report.inserted, report.skipped], [5, 2, 3]);
  assert.deepEqual(report.errors.map(({ line, column }: { line: number; column: string }) => [line, column]).sort(), [
    [3, 'qty'],
    [4, 'person'],
    [5, ''],
  ]);
  const { items } = await rowsOf(id);
  assert.deepEqual(
    items.map(({ qty, person }: Record<string, unknown>) => [qty, person]),
    [
      [1, 1],
      [5, null],
    ],
  );
});

test('takes given types for new columns and reports the lines that do not fit them', async () => {
  const text = 'customer,amount\nAda,12\nGrace,n/a\nLin,3.5\n';
  assert.deepEqual(typesOf(good(await upload('/v1/tables/import?dry_run=true', 'a.csv', text))), {
    customer: 'text',
    amount: 'text',
  });
  const path = (types: unknown, more = '') =>
    `/v1/tables/import?name=Typed${more}&types=${encodeURIComponent(typeof types === 'string' ? types : JSON.stringify(types))}`;
  const report = good(await upload(path({ amount: 'number' }, '&dry_run=true'), 'a.csv', text));
  assert.deepEqual(typesOf(report), { customer: 'text', amount: 'number' });
  assert.deepEqual(
    report.errors.map(({ line, column }: { line: number; column: string }) => [line, column]),
    [[3, 'amount']],
  );
  assert.deepEqual([report.inserted, report.skipped], [2, 1]);
  const stored = good(await upload(path({ amount: 'number' }, '&on_error=skip'), 'a.csv', text));
  const { items } = await rowsOf(stored.table_id, { sort: 'amount' });
  assert.deepEqual(
    items.map(({ amount }: { amount: number }) => amount),
    [3.5, 12],
  );
  for (const bad of ['{', '[]', { nothing: 'text' }, { amount: 'reference' }, { amount: 'money' }])
    assert.equal((await upload(path(bad), 'a.csv', text)).status, 422);
  const again = encodeURIComponent('{"amount":"text"}');
  const into = await upload(`/v1/tables/${stored.table_id}/import?types=${again}`, 'a.csv', text);
  assert.equal(into.status, 422, 'the table has this column already');
});

test('columns that the table lacks are made, or refused; a file that is none leaves nothing', async () => {
  const { id } = await make([{ name: 'a' }]);
  const path = `/v1/tables/${id}/import`;
  assert.deepEqual(validationErrors(await upload(`${path}?create_columns=false`, 'a.csv', 'a,b\n1,2\n')), [
    'body.file.1.b: value_error',
  ]);
  const report = good(await upload(path, 'a.csv', 'A,b\nx,2\n'));
  assert.deepEqual(report.columns_created, [{ name: 'b', type: 'integer', label: 'b' }]);
  for (const content of ['', '\n\n', 'a,a\n1,2', 'a\n"open', Buffer.from([0x61, 0x0a, 0x00, 0xfe, 0x0a])])
    assert.deepEqual(
      validationErrors(await upload(path, 'a.csv', content)),
      ['body.file: value_error'],
      String(content),
    );
  assert.equal((await rowsOf(id, { total: true })).total, 1);
  assert.equal(spools(), 0);
});

test('imports CSV files in old encodings, detected or by their usual names', async () => {
  const table = 'Größe;Preis\nklein – rund;4 €\n';
  const windows = Buffer.from(table.replaceAll('€', '\x80').replaceAll('–', '\x96'), 'latin1');
  const latin = Buffer.from('Größe;Preis\ngroß;5\n', 'latin1');
  const wide = Buffer.from(table, 'utf16le');
  const read = async (file: Buffer | string, query = '') => {
    const { table_id } = good(await upload(`/v1/tables/import${query}`, 'a.csv', file));
    const { items } = await rowsOf(table_id);
    return Object.values(items[0]).slice(1);
  };
  for (const file of [table, windows, wide, Buffer.concat([Buffer.from([0xff, 0xfe]), wide])])
    assert.deepEqual(await read(file), ['klein – rund', '4 €']);
  assert.deepEqual(await read(latin), ['groß', 5]);
  for (const name of ['cp1252', 'Windows-1252', 'latin1'])
    assert.deepEqual(await read(windows, `?encoding=${name}`), ['klein – rund', '4 €']);
  const refused = (file: Buffer, name: string) => upload(`/v1/tables/import?encoding=${name}`, 'a.csv', file);
  assert.deepEqual(validationErrors(await refused(windows, 'utf-8')), ['body.file: value_error']);
  assert.deepEqual(validationErrors(await refused(windows, 'klingon')), ['query.encoding: value_error']);
  assert.equal(spools(), 0);
});

const german = [
  'Datum;Betrag;Menge;Zeit;Code',
  '31.12.2025;1.234,50;1.000;31.12.2025 14:30;007',
  '1.2.2026;-0,5;12;01.02.2026 8:05;12',
].join('\n');

test('imports numbers and dates of other countries with a format', async () => {
  const json = '{"decimal":",","thousands":".","date":"DD.MM.YYYY"}';
  const read = async (text: string, format: string) => {
    const report = good(await upload(`/v1/tables/import?format=${encodeURIComponent(format)}`, 'a.csv', text));
    const { items } = await rowsOf(report.table_id);
    return {
      types: typesOf(report),
      report,
      rows: items.map(({ id: _, ...row }: Record<string, unknown>) => Object.values(row)),
    };
  };
  for (const format of ['de-DE', 'de_DE', json, '{"locale":"de","date":"DD.MM.YYYY"}']) {
    const { types, rows, report } = await read(german, format);
    assert.deepEqual(
      types,
      { datum: 'date', betrag: 'number', menge: 'integer', zeit: 'datetime', code: 'text' },
      format,
    );
    assert.deepEqual(rows, [
      ['2025-12-31', 1234.5, 1000, '2025-12-31T14:30:00.000Z', '007'],
      ['2026-02-01', -0.5, 12, '2026-02-01T08:05:00.000Z', '12'],
    ]);
    assert.deepEqual(report.preview[0], {
      line: 2,
      values: { ...report.preview[0].values, datum: '2025-12-31', betrag: 1234.5, menge: 1000 },
    });
    assert.deepEqual(report.warnings, []);
  }
  const { rows: american } = await read('d,n\n12/31/2025,"1,234.5"\n', 'en-US');
  assert.deepEqual(american, [['2025-12-31', 1234.5]]);
  const { rows: french } = await read('d;n\n31/12/2025;1\u202f234,5\n', 'fr-FR');
  assert.deepEqual(french, [['2025-12-31', 1234.5]]);
  const { rows: swiss } = await read("d;n\n31.12.25;1'234.5\n", '{"locale":"de-CH","date":"DD.MM.YY"}');
  assert.deepEqual(swiss, [['2025-12-31', 1234.5]]);
});

test('reports values that are not in the format by line, and takes the format as a form field', async () => {
  const { id } = await make([
    { name: 'day', type: 'date' },
    { name: 'amount', type: 'number' },
  ]);
  const text = 'day;amount\n31.12.2025;1.234,5\n12/31/2025;2\n31.02.2025;3\n01.01.2025;1234.5\n2025-01-02;4\n';
  const path = `/v1/tables/${id}/import`;
  const boundary = (parts: [string, string][]) =>
    `${parts.map(([disposition, content]) => `--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`).join('')}--b--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const send = (query: string, format: string) =>
    call(
      'POST',
      path + query,
      Buffer.from(
        boundary([
          ['name="file"; filename="a.csv"', text],
          ['name="format"', format],
        ]),
      ),
      {
        headers,
      },
    );
  assert.deepEqual(validationErrors(await send('', 'de-DE')).sort(), [
    'body.file.3.day: date_parsing',
    'body.file.4.day: date_parsing',
    'body.file.5.amount: number_parsing',
  ]);
  const dry = good(await send('?dry_run=true', '{"decimal":",","thousands":".","date":"DD.MM.YYYY"}'));
  assert.deepEqual(
    dry.errors.map(({ line, message }: { line: number; message: string }) => [
      line,
      /DD\.MM\.YYYY|1\.234,5|day/.test(message),
    ]),
    [
      [3, true],
      [4, true],
      [5, true],
    ],
  );
  assert.deepEqual(dry.preview, [
    { line: 2, values: { day: '2025-12-31', amount: 1234.5 } },
    { line: 6, values: { day: '2025-01-02', amount: 4 } },
  ]);
  assert.equal((await rowsOf(id, { total: true })).total, 0, 'a dry run stores nothing');
  for (const format of ['xx-YY-nope', '{', '{"decimal":"x"}', '{"decimal":",","thousands":","}', '{"date":"DD.MM"}']) {
    assert.deepEqual(validationErrors(await send('', format)), ['body.format: value_error'], format);
    const asQuery = await upload(`${path}?format=${encodeURIComponent(format)}`, 'a.csv', text);
    assert.deepEqual(validationErrors(asQuery), ['query.format: value_error'], format);
  }
});

test('warns about values that mean different things in different countries', async () => {
  const text = 'day;sum;price;plain\n03/04/2025;1.234;1.234,50;1.5\n05/06/2025;2.500;2,5;2.25\n';
  const report = good(await upload('/v1/tables/import?dry_run=true', 'a.csv', text));
  assert.deepEqual(typesOf(report), { day: 'text', sum: 'number', price: 'text', plain: 'number' });
  const messages = Object.fromEntries(
    report.warnings.map(({ column, message }: Record<string, string>) => [column, message]),
  );
  assert.deepEqual(Object.keys(messages), ['day', 'sum', 'price']);
  assert.match(messages['day'], /03\/04\/2025.*order of day and month.*`format`/);
  assert.match(messages['sum'], /1\.234.*three decimals.*`format`/);
  assert.match(messages['price'], /1\.234,50.*`format`/);
});

test('warns about columns whose values are not written as the format says', async () => {
  const text = 'day;price;name;count\n31.12.2025;1.234,50;A;1\n01.02.2026;2,5;B;2\n';
  const warned = async (format: string, body = text) =>
    good(await upload(`/v1/tables/import?dry_run=true&format=${format}`, 'a.csv', body)).warnings.map(
      ({ column, message }: Record<string, string>) => [column, /were kept as text.*`format` says/.test(message ?? '')],
    );
  assert.deepEqual(await warned('en-US'), [
    ['day', true],
    ['price', true],
  ]);
  assert.deepEqual(await warned('de-DE'), []);
  assert.deepEqual(await warned('de-DE', 'price\n"1,234.50"\n'), [['price', true]]);
});

test('reads numbers and dates of a workbook as they are, and its texts by the format', async () => {
  const rows = [
    ['d', 'n', 't'],
    [new Date('2025-12-31T00:00:00Z'), 1.234, '1.234,5'],
  ];
  const data = rows.map((row) =>
    row.map((value) => ({ value, ...(value instanceof Date && { format: 'yyyy-mm-dd' }) })),
  );
  const report = good(
    await upload('/v1/tables/import?format=de-DE', 'a.xlsx', await writeXlsxFile(data as never).toBuffer()),
  );
  assert.deepEqual(report.preview, [{ line: 2, values: { d: '2025-12-31', n: 1.234, t: 1234.5 } }]);
});

test('imports an export unchanged, for any text in the cells', async () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 12 });
  const formula = fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'=", "''-", "'"), anyText);
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.option(
          fc.oneof(
            anyText,
            formula.map(([start, rest]) => start + rest),
          ),
        ),
        { maxLength: 20 },
      ),
      fc.boolean(),
      async (texts, escapes) => {
        const { id } = await make([{ name: 'a' }], { id_type: 'autoincrement' });
        await insert(
          id,
          texts.map((text) => ({ a: text })),
        );
        const { status, text, headers } = await call('GET', `/v1/tables/${id}/export?escape_formulas=${escapes}`);
        assert.deepEqual([status, headers['content-type']], [200, 'text/csv; charset=utf-8']);
        const copy = await make([{ name: 'a' }], { id_type: 'autoincrement' });
        const path = `/v1/tables/${copy.id}/import?encoding=utf-8&unescape_formulas=${escapes}`;
        assert.equal(good(await upload(path, 'a.csv', text)).inserted, texts.length);
        assert.deepEqual(
          (await rowsOf(copy.id, { sort: 'id' })).items.map(({ a }: { a: string | null }) => a),
          texts.map((one) => one || null),
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('keeps texts and numbers of an export apart when a new table is made of it', async () => {
  const { id } = await make([{ name: 'phone' }, { name: 'n', type: 'number' }], { id_type: 'autoincrement' });
  await insert(id, [
    { phone: '+49123', n: -5 },
    { phone: '-7', n: 2.5 },
  ]);
  const { text } = await call('GET', `/v1/tables/${id}/export`);
  const report = good(await upload('/v1/tables/import?id_type=autoincrement', 'a.csv', text));
  assert.deepEqual(typesOf(report), { phone: 'text', n: 'number' });
  assert.deepEqual(
    report.preview.map(({ values }: { values: { phone: string; n: number } }) => [values.phone, values.n]),
    [
      ['+49123', -5],
      ['-7', 2.5],
    ],
  );
  const { id: numbers } = await make([
    { name: 'phone', type: 'integer' },
    { name: 'n', type: 'number' },
  ]);
  const onlyValues = text.replaceAll(/(^|\n)[^,]*,/g, '$1');
  assert.deepEqual(
    good(await upload(`/v1/tables/${numbers}/import`, 'a.csv', onlyValues)).preview.map(
      ({ values }: { values: unknown }) => values,
    ),
    [
      { phone: 49123, n: -5 },
      { phone: -7, n: 2.5 },
    ],
  );
});

test('a long export comes whole, filtered and sorted', async () => {
  const { id } = await make([{ name: 'n', type: 'integer', indexed: true }]);
  await insert(
    id,
    Array.from({ length: 2500 }, (_, n) => ({ n })),
  );
  const filter = encodeURIComponent(JSON.stringify([{ column: 'n', op: 'lt', value: 2200 }]));
  const { text } = await call('GET', `/v1/tables/${id}/export?sort=-n&filter=${filter}`);
  const cells = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[1]));
  assert.deepEqual(
    cells,
    Array.from({ length: 2200 }, (_, n) => 2199 - n),
  );
  assert.deepEqual(validationErrors(await call('GET', `/v1/tables/${id}/export?sort=nope`)), [
    'query.sort: value_error',
  ]);
});

test('texts that a spreadsheet would run are made harmless in an export', async () => {
  const { id } = await make([{ name: 'a' }, { name: 'n', type: 'number' }], { id_type: 'autoincrement' });
  await insert(id, [{ a: '=HYPERLINK("http://x")', n: -5 }, { a: '@sum' }, { a: '+47 123' }, { a: 'plain' }]);
  const lines = async (search: string) =>
    (await call('GET', `/v1/tables/${id}/export${search}`)).text.trim().split('\r\n').slice(1);
  assert.deepEqual(await lines(''), [`1,"'=HYPERLINK(""http://x"")",-5`, `2,'@sum,`, `3,'+47 123,`, '4,plain,']);
  assert.deepEqual((await lines('?escape_formulas=false'))[1], '2,@sum,');
});
