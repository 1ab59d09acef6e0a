import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { oneStep, say, shownParts } from '../runs/dialects/testing.ts';

const page = 'https://a.example/page';
const picture = 'https://a.example/b.PNG?size=2';
const citing = oneStep(
  say.text('One'),
  say.source(page, 'as they say'),
  say.text('two'),
  say.source(page, 'once more'),
  say.source(null, 'from a file'),
  say.source(picture),
);

const shown = (settings: SparseSettings = {}) => shownParts(citing, settings).slice(1);
const types = (settings: SparseSettings) => shown(settings).map(({ type }) => type);

test('citation_style says whether sources stand where they are cited, numbered under the text, or nowhere', () => {
  assert.deepEqual(types({ citation_style: 'text' }), [
    'text',
    'source-url',
    'text',
    'source-url',
    'source-document',
    'source-url',
  ]);
  assert.deepEqual(shown({ citation_style: 'none' }), [{ type: 'text', text: 'Onetwo', state: 'done' }]);
  const footnotes = shown({ citation_style: 'footnote' });
  assert.deepEqual(footnotes[0], { type: 'text', text: 'Onetwo', state: 'done' });
  assert.deepEqual(footnotes[1], {
    type: 'source-url',
    sourceId: 'source-1',
    url: page,
    title: 'A page',
    providerMetadata: { atrium: { footnote: 1, quote: 'as they say' } },
  });
  assert.deepEqual(
    footnotes.slice(1).map(({ sourceId }) => sourceId),
    ['source-1', 'source-2', 'source-3', 'source-4'],
  );
});

test('footnotes stand above the footer of a reply', () => {
  const events = oneStep(say.source(page), say.text('yes'), { type: 'footer', text: 'F' });
  const parts = shownParts(events, { citation_style: 'footnote', message_footer_enabled: true });
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['step-start', 'text', 'source-url', 'data-footer'],
  );
});

test('deduplicate_sources_by_url shows one source for each address', () => {
  const urls = (deduplicate_sources_by_url: boolean) =>
    shown({ deduplicate_sources_by_url }).flatMap(({ type, url }) => (type.startsWith('source') ? [url] : []));
  assert.deepEqual(urls(false), [page, page, undefined, picture]);
  assert.deepEqual(urls(true), [page, undefined, picture]);
});

test('omit_citation_quotes shows sources without the quoted passage', () => {
  assert.ok(JSON.stringify(shown({ omit_citation_quotes: false })).includes('as they say'));
  const without = shown({ omit_citation_quotes: true });
  assert.equal(without.length, shown().length);
  assert.ok(!/as they say|once more|from a file/.test(JSON.stringify(without)));
});

test('show_source_images shows a source that is an image', () => {
  assert.ok(!types({ show_source_images: false }).includes('file'));
  const files = shown({ show_source_images: true }).filter(({ type }) => type === 'file');
  assert.deepEqual(files, [{ type: 'file', url: picture, mediaType: 'image/png' }]);
});
